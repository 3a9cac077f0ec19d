import { byteLength } from '../go/byte-length.ts';
import { maxLengthMessage } from './messages.ts';
import { checkText, explain, textRule } from './text-rule.ts';

/** Longest DNS label, in bytes. */
export const DNS_LABEL_MAX_LENGTH = 63;

/** Longest DNS name, in bytes. */
export const DNS_SUBDOMAIN_MAX_LENGTH = 253;

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_WITH_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;

const labelRule = textRule({
  pattern: LABEL,
  explanation:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  examples: ['my-name', '123-abc'],
  maxLength: DNS_LABEL_MAX_LENGTH,
});

const subdomainRule = textRule({
  pattern: SUBDOMAIN,
  explanation:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  maxLength: DNS_SUBDOMAIN_MAX_LENGTH,
});

const underscoreSubdomainRule = textRule({
  pattern: `${LABEL_WITH_UNDERSCORE}(\\.${LABEL_WITH_UNDERSCORE})*`,
  explanation:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  examples: ['example.com'],
  maxLength: DNS_SUBDOMAIN_MAX_LENGTH,
});

const label1035Rule = textRule({
  pattern: '[a-z]([-a-z0-9]*[a-z0-9])?',
  explanation:
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  examples: ['my-name', 'abc-123'],
  maxLength: DNS_LABEL_MAX_LENGTH,
});

const wildcardRule = textRule({
  pattern: `\\*\\.${SUBDOMAIN}`,
  explanation:
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  examples: ['*.example.com'],
  maxLength: DNS_SUBDOMAIN_MAX_LENGTH,
});

/** A label of RFC 1123: what most names of namespaces and containers are. */
export function isDNS1123Label(value: string): string[] {
  const messages: string[] = [];
  if (byteLength(value) > DNS_LABEL_MAX_LENGTH)
    messages.push(maxLengthMessage(DNS_LABEL_MAX_LENGTH));
  if (!labelRule.regexp.test(value)) {
    const onlyDotsAreWrong = subdomainRule.regexp.test(value);
    messages.push(onlyDotsAreWrong ? 'must not contain dots' : explain(labelRule));
  }
  return messages;
}

/** A DNS name of RFC 1123: what names of most objects are. */
export function isDNS1123Subdomain(value: string): string[] {
  return checkText(value, subdomainRule);
}

/** A DNS name that may hold underscores, as search domains of pods may. */
export function isDNS1123SubdomainWithUnderscore(value: string): string[] {
  return checkText(value, underscoreSubdomainRule);
}

/** A label of RFC 1035, which starts with a letter: names of services. */
export function isDNS1035Label(value: string): string[] {
  return checkText(value, label1035Rule);
}

/** `*.` and a DNS name: hosts of ingresses. */
export function isWildcardDNS1123Subdomain(value: string): string[] {
  return checkText(value, wildcardRule);
}
