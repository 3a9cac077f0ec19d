import {
  type FieldError,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
} from '@flotilla/machinery';

/** Wraps a rule that gives messages into one that gives errors about a field. */
function fieldRule(rule: (value: string) => string[]) {
  return (value: string, path: string): FieldError[] =>
    rule(value).map((message) => invalid(path, value, message));
}

/** A field that must be one DNS label. */
export const validateDNSLabel = fieldRule(isDNS1123Label);

/** A field that must be a DNS subdomain: the name of most objects. */
export const validateDNSSubdomain = fieldRule(isDNS1123Subdomain);

/** A field that must be a name with an optional domain in front, as keys of labels are. */
export const validateQualifiedName = fieldRule(isQualifiedName);

/** A field that must fit into one segment of a request path. */
export const validatePathSegment = fieldRule(isPathSegmentName);
