import { decodeUtf8Lossy } from '../json/utf8.ts';
import { ParseError } from '../parse-error.ts';

/** What a plain scalar may turn out to be. */
export type YamlKind = '!!str' | '!!bool' | '!!null' | '!!int' | '!!float';

/** A scalar with its type settled. */
export interface ResolvedScalar {
  readonly kind: YamlKind;
  readonly value: string | boolean | null | number | bigint;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

const words = new Map<string, ResolvedScalar>([
  ...spelled('!!bool', true, ['y', 'yes', 'true', 'on']),
  ...spelled('!!bool', false, ['n', 'no', 'false', 'off']),
  ...spelled('!!null', null, ['', '~', 'null']),
  ...spelled('!!float', Number.POSITIVE_INFINITY, ['.inf', '+.inf']),
  ...spelled('!!float', Number.NEGATIVE_INFINITY, ['-.inf']),
  ...['.nan', '.NaN', '.NAN'].map((word): [string, ResolvedScalar] => [
    word,
    { kind: '!!float', value: Number.NaN },
  ]),
]);

/**
 * The value of an unquoted scalar as kubectl reads it: the YAML 1.1 words for booleans, octal with a leading zero,
 * underscores in numbers; no dates and no sexagesimal numbers.
 */
export function resolvePlain(text: string): ResolvedScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (/^[-+0-9]/.test(text)) return resolveNumber(text) ?? { kind: '!!str', value: text };
  if (text.startsWith('.') && FLOAT.test(text) && Number.isFinite(Number(text))) {
    return { kind: '!!float', value: Number(text) };
  }
  return { kind: '!!str', value: text };
}

/** The value of a scalar with an explicit tag, quoted or not. Tags we do not know leave it a text. */
export function resolveTagged(text: string, tag: string): ResolvedScalar['value'] {
  if (tag === '!!binary') return decodeBinary(text);
  if (!['!!bool', '!!int', '!!float', '!!null', '!!timestamp'].includes(tag)) return text;
  const { kind, value } = resolvePlain(text);
  if (tag === kind) return value;
  if (tag === '!!float' && kind === '!!int') return Number(value);
  if (tag === '!!timestamp' && /^[0-9]{4}-/.test(text)) return text;
  throw new ParseError(`yaml: cannot decode ${kind} \`${text}\` as a ${tag}`);
}

function resolveNumber(text: string): ResolvedScalar | undefined {
  // Longer ones are texts that happen to begin with a digit; not worth converting.
  if (text.length > 400) return undefined;
  const plain = text.replaceAll('_', '');
  const integer = readInteger(plain);
  if (integer !== undefined) return { kind: '!!int', value: integer };
  const float = FLOAT.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(float) ? { kind: '!!float', value: float } : undefined;
}

function readInteger(text: string): number | bigint | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign = '', hex, binary, octal, decimal = '0'] = match;
  let size = BigInt(decimal);
  if (hex !== undefined) size = BigInt(`0x${hex}`);
  else if (binary !== undefined) size = BigInt(`0b${binary}`);
  else if (octal !== undefined) size = BigInt(`0o${octal}`);
  const value = sign === '-' ? -size : size;
  const isInRange = value >= MIN_INT64 && value <= (sign === '' ? MAX_UINT64 : MAX_INT64);
  if (!isInRange) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function decodeBinary(text: string): string {
  try {
    const chars = atob(text.replace(/[\r\n]/g, ''));
    return decodeUtf8Lossy(Uint8Array.from(chars, (char) => char.charCodeAt(0)));
  } catch {
    throw new ParseError('yaml: !!binary value contains invalid base64 data');
  }
}

/** A word in the three spellings YAML 1.1 knows: lower case, capitalised, upper case. */
function spelled(
  kind: YamlKind,
  value: ResolvedScalar['value'],
  spellings: readonly string[],
): [string, ResolvedScalar][] {
  return spellings.flatMap((word) =>
    [word, capitalised(word), word.toUpperCase()].map((form): [string, ResolvedScalar] => [
      form,
      { kind, value },
    ]),
  );
}

function capitalised(word: string): string {
  return word.replace(/[a-z]/, (letter) => letter.toUpperCase());
}
