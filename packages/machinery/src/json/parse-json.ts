import { goQuote } from '../go/quote.ts';
import { CarefulParser } from './careful-parser.ts';
import { scanJson } from './scan-json.ts';
import { decodeUtf8, encodeUtf8 } from './utf8.ts';

/** How to read a JSON text. */
export interface ParseJsonOptions {
  /** Whether keys that stand twice are reported; the last one counts either way. @default true */
  readonly strict?: boolean;
  /** Deepest nesting accepted. @default 10000, Go's own limit */
  readonly maxDepth?: number;
}

/** A JSON text, read. */
export interface ParsedJson {
  readonly value: unknown;
  /** Paths of keys that stand twice in one object, such as `spec.containers[0].name`; at most 100. */
  readonly duplicates: readonly string[];
}

const MAX_DEPTH = 10_000;
const NO_DUPLICATES: readonly string[] = [];

/**
 * Reads JSON without losing anything: integers beyond 2^53 become bigints (up to 64 bits, then floats as in Go),
 * `__proto__` is an ordinary key, invalid UTF-8 becomes U+FFFD. Throws ParseError with the text of Go's decoder.
 */
export function parseJson(input: Uint8Array | string, options: ParseJsonOptions = {}): ParsedJson {
  const maxDepth = options.maxDepth ?? MAX_DEPTH;
  const duplicates = options.strict ?? true;
  const bytes = typeof input === 'string' ? encodeUtf8(input) : input;
  const scan = scanJson(bytes, { maxDepth, duplicates });
  if (scan !== 'careful') {
    const text = typeof input === 'string' && scan === 'ascii' ? input : decodeUtf8(bytes);
    const value = text === undefined ? undefined : parsePlain(text);
    if (value !== undefined) return { value, duplicates: NO_DUPLICATES };
  }
  const parser = new CarefulParser(bytes, maxDepth);
  const value = parser.parse();
  return { value, duplicates: duplicates ? parser.duplicates : NO_DUPLICATES };
}

/** The strict error upstream gives for a key that stands twice. */
export function duplicateFieldText(path: string): string {
  return `duplicate field ${goQuote(path)}`;
}

/** Undefined when the text is not JSON: the careful parser then finds Go's words for it. */
function parsePlain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
