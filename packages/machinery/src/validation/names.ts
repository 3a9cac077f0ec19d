import { byteLength } from '../go/byte-length.ts';
import { DNS_SUBDOMAIN_MAX_LENGTH, isDNS1123Subdomain } from './dns-names.ts';
import { emptyMessage, maxLengthMessage, rangeMessage } from './messages.ts';
import { checkText, explain, textRule } from './text-rule.ts';

const NAME_MAX_LENGTH = 63;
const MAX_ID = 2 ** 31 - 1;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const nameRule = textRule({
  pattern: NAME,
  explanation:
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyName', 'my.name', '123-abc'],
});

const labelValueRule = textRule({
  pattern: `(${NAME})?`,
  explanation:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  examples: ['MyValue', 'my_value', '12345'],
  maxLength: NAME_MAX_LENGTH,
});

const cIdentifierRule = textRule({
  pattern: '[A-Za-z_][A-Za-z0-9_]*',
  explanation:
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
  examples: ['my_name', 'MY_NAME', 'MyName'],
});

const percentRule = textRule({
  pattern: '[0-9]+%',
  explanation: "a valid percent string must be a numeric string followed by an ending '%'",
  examples: ['1%', '93%'],
});

const headerNameRule = textRule({
  pattern: '[-A-Za-z0-9]+',
  explanation: "a valid HTTP header must consist of alphanumeric characters or '-'",
  examples: ['X-Header-Name'],
});

const envVarNameRule = textRule({
  pattern: '[-._a-zA-Z][-._a-zA-Z0-9]*',
  explanation:
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit",
  examples: ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1'],
});

const configMapKeyRule = textRule({
  pattern: '[-._a-zA-Z0-9]+',
  explanation: "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  examples: ['key.name', 'KEY_NAME', 'key-name'],
  maxLength: DNS_SUBDOMAIN_MAX_LENGTH,
});

/** A name with an optional DNS prefix: keys of labels and annotations, finalizers. */
export function isQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [
      `a qualified name ${explain(nameRule)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const messages: string[] = [];
  if (prefix === '') messages.push(`prefix part ${emptyMessage}`);
  else if (prefix !== undefined) {
    messages.push(...isDNS1123Subdomain(prefix).map((message) => `prefix part ${message}`));
  }
  if (name === '') messages.push(`name part ${emptyMessage}`);
  else if (byteLength(name) > NAME_MAX_LENGTH) {
    messages.push(`name part ${maxLengthMessage(NAME_MAX_LENGTH)}`);
  }
  if (!nameRule.regexp.test(name)) messages.push(`name part ${explain(nameRule)}`);
  return messages;
}

/** The value of a label; empty is fine. */
export function isValidLabelValue(value: string): string[] {
  return checkText(value, labelValueRule);
}

/** An identifier of the C language. */
export function isCIdentifier(value: string): string[] {
  return checkText(value, cIdentifierRule);
}

/** A whole number followed by `%`. */
export function isValidPercent(value: string): string[] {
  return checkText(value, percentRule);
}

/** A header name as Go's HTTP library has it. */
export function isHTTPHeaderName(value: string): string[] {
  return checkText(value, headerNameRule);
}

/** The old, strict rule for environment variables; still the one for keys of ConfigMaps used as variables. */
export function isEnvVarName(value: string): string[] {
  return [...checkText(value, envVarNameRule), ...parentFolderMessages(value)];
}

/** The rule since 1.34: any printable ASCII but `=`. */
export function isRelaxedEnvVarName(value: string): string[] {
  if (value === '') return [`environment variable name ${emptyMessage}`];
  if (/^[ -<>-~]*$/.test(value)) return [];
  return [
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
  ];
}

/** A key in the data of a ConfigMap or Secret; also a file name in a volume. */
export function isConfigMapKey(value: string): string[] {
  return [...checkText(value, configMapKeyRule), ...parentFolderMessages(value)];
}

/** A port number other than zero. */
export function isValidPortNum(port: number | bigint): string[] {
  return isInRange(port, 1, 65535);
}

/** A number between two bounds, both included. */
export function isInRange(value: number | bigint, low: number, high: number): string[] {
  return value >= low && value <= high ? [] : [rangeMessage(low, high)];
}

/** A Unix user id. */
export function isValidUserID(id: number | bigint): string[] {
  return isInRange(id, 0, MAX_ID);
}

/** A Unix group id. */
export function isValidGroupID(id: number | bigint): string[] {
  return isInRange(id, 0, MAX_ID);
}

/** The name of a port, an IANA service name in lower case. */
export function isValidPortName(port: string): string[] {
  const messages: string[] = [];
  if (byteLength(port) > 15) messages.push(maxLengthMessage(15));
  if (!/^[-a-z0-9]+$/.test(port)) {
    messages.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(port)) messages.push('must contain at least one letter (a-z)');
  if (port.includes('--')) messages.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) {
    messages.push('must not begin or end with a hyphen');
  }
  return messages;
}

/** A name that can stand as one segment of a request path: RBAC objects have nearly free names. */
export function isPathSegmentName(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return isPathSegmentPrefix(name);
}

/** The start of a name that will be completed by the server. */
export function isPathSegmentPrefix(name: string): string[] {
  return ['/', '%']
    .filter((part) => name.includes(part))
    .map((part) => `may not contain '${part}'`);
}

function parentFolderMessages(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}
