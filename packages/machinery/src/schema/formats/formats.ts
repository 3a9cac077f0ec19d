import { isEmail } from './email-format.ts';
import { isCIDR, isHostname, isIPv4, isIPv6, isMAC } from './network-formats.ts';
import { isCreditCard, isISBN10, isISBN13 } from './number-formats.ts';
import { isDate, isDateTime, isDuration } from './time-formats.ts';
import { isRequestURI } from './uri-format.ts';

/** Whether a text has a format. */
export type FormatCheck = (text: string) => boolean;

const COLOR = '[\\t\\n\\f\\r ]*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])[\\t\\n\\f\\r ]*';

const NAME = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const MAX_SHORT_NAME = 63;
const MAX_LONG_NAME = 253;
const longName = new RegExp(`^${NAME}(\\.${NAME})*$`);
const shortName = new RegExp(`^${NAME}$`);

const matches = (pattern: RegExp) => (text: string) => pattern.test(text);

const uuid = (third: string, fourth: string) =>
  matches(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i'));

/**
 * The formats that a server of 1.34 checks, by their names without hyphens, as upstream compares them. New ones
 * (k8s-short-name) count from the version after they came: until then an older server might have to go on with the data.
 */
const checks: ReadonlyMap<string, FormatCheck> = new Map(
  Object.entries({
    bsonobjectid: matches(/^[0-9a-f]{24}$/i),
    uri: isRequestURI,
    email: isEmail,
    hostname: isHostname,
    ipv4: isIPv4,
    ipv6: isIPv6,
    cidr: isCIDR,
    mac: isMAC,
    uuid: uuid('[0-9a-f]{4}', '[0-9a-f]{4}'),
    uuid3: uuid('3[0-9a-f]{3}', '[0-9a-f]{4}'),
    uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
    uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
    isbn: (text: string) => isISBN10(text) || isISBN13(text),
    isbn10: isISBN10,
    isbn13: isISBN13,
    creditcard: isCreditCard,
    ssn: (text: string) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
    hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
    rgbcolor: matches(new RegExp(`^rgb\\(${COLOR},${COLOR},${COLOR}\\)$`)),
    byte: isBase64,
    password: () => true,
    date: isDate,
    duration: isDuration,
    datetime: isDateTime,
  }),
);

/** Formats that the server knows and does not check in objects yet, only in defaults. */
const futureChecks: ReadonlyMap<string, FormatCheck> = new Map(
  Object.entries({
    k8sshortname: (text: string) => text.length <= MAX_SHORT_NAME && shortName.test(text),
    k8slongname: (text: string) => text.length <= MAX_LONG_NAME && longName.test(text),
  }),
);

/** The check of a format in the defaults of a schema. */
export function defaultFormatCheck(name: string): FormatCheck | undefined {
  return formatCheck(name) ?? futureChecks.get(name.replaceAll('-', ''));
}

/** The check of a format; undefined for formats this version does not know, which are ignored. */
export function formatCheck(name: string): FormatCheck | undefined {
  return checks.get(name.replaceAll('-', ''));
}

/** Base64 of the standard alphabet with padding, and not empty. */
function isBase64(text: string): boolean {
  // A loop by hand would do the same; the length first keeps the expression from walking in vain.
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
