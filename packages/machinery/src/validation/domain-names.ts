import type { FieldError } from '../field-error.ts';
import { invalid, required } from '../field-errors.ts';
import { isDNS1123Label, isDNS1123Subdomain } from './dns-names.ts';
import { patternMessage } from './messages.ts';

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
const httpPathRegexp = new RegExp(`^${HTTP_PATH}$`);

/** A DNS name of at least three parts, such as the name of a CRD or a signer. */
export function validateFullyQualifiedName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return [invalid(path, name, messages.join(','))];
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}

/** A DNS name of at least two parts; a final dot is allowed. */
export function validateFullyQualifiedDomainName(value: string, path: string): FieldError[] {
  if (value === '') return [required(path)];
  const name = value.endsWith('.') ? value.slice(0, -1) : value;
  const messages = isDNS1123Subdomain(name);
  if (messages.length > 0) return [invalid(path, name, messages.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) {
    return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  }
  for (const label of labels) {
    const labelMessages = isDNS1123Label(label);
    if (labelMessages.length > 0) return [invalid(path, label, labelMessages.join(','))];
  }
  return [];
}

/** `acme.io/foo`: a DNS name, a slash and a path. Errors name the part that is wrong. */
export function validateDomainPrefixedPath(value: string, path: string): FieldError[] {
  return domainPrefixedPathProblems(value).map((problem) =>
    problem.part === undefined ? required(path) : invalid(path, problem.part, problem.message),
  );
}

/** `acme.io/foo`: a DNS name, a slash and a path. */
export function isDomainPrefixedPath(value: string): string[] {
  return domainPrefixedPathProblems(value).map((problem) => problem.message);
}

function domainPrefixedPathProblems(value: string): { part?: string; message: string }[] {
  if (value === '') return [{ message: 'must be non-empty' }];
  const slash = value.indexOf('/');
  const host = value.slice(0, Math.max(slash, 0));
  const rest = value.slice(slash + 1);
  if (slash < 0 || host === '' || rest === '') {
    return [{ part: value, message: 'must be a domain-prefixed path (such as "acme.io/foo")' }];
  }
  const problems = isDNS1123Subdomain(host).map((message) => ({ part: host, message }));
  if (!httpPathRegexp.test(rest)) {
    problems.push({ part: rest, message: patternMessage('Invalid path', HTTP_PATH) });
  }
  return problems;
}
