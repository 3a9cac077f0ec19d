import {
  byteLength,
  type FieldError,
  goQuote,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  required,
  tooLong,
} from '@flotilla/machinery';

const MAX_DOMAIN_BYTES = 253;
const MAX_BYTES = MAX_DOMAIN_BYTES + 1 + (253 + 63 + 1);

/** `example.com/signer-name`: who is to sign a certificate. */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const segments = name.split('/');
  const [domain = '', rest = ''] = segments;
  if (segments.length !== 2) {
    const detail =
      "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(path, name, detail)];
  }
  const errors: FieldError[] = [];
  if (byteLength(domain) > MAX_DOMAIN_BYTES) errors.push(tooLong(path, '', MAX_DOMAIN_BYTES));
  errors.push(...firstBadLabel(domain, isDNS1123Label, path));
  if (!domain.includes('.')) {
    const detail = 'should be a domain with at least two segments separated by dots';
    errors.push(invalid(path, domain, detail));
  }
  errors.push(...firstBadLabel(rest, isDNS1123Subdomain, path));
  if (byteLength(name) > MAX_BYTES) errors.push(tooLong(path, '', MAX_BYTES));
  return errors;
}

function firstBadLabel(
  text: string,
  rule: (label: string) => string[],
  path: string,
): FieldError[] {
  for (const label of text.split('.')) {
    const messages = rule(label);
    if (messages.length > 0) {
      return messages.map((message) =>
        invalid(path, text, `validating label ${goQuote(label)}: ${message}`),
      );
    }
  }
  return [];
}
