import { EVENT_ID } from 'js-yaml';
import { decodeUtf8 } from '../json/utf8.ts';
import { ParseError } from '../parse-error.ts';
import { YamlDecoder } from './yaml-decoder.ts';
import { yamlEvents } from './yaml-events.ts';
import { lineAt } from './yaml-lines.ts';
import { buildNodes, type YamlNode } from './yaml-node.ts';

/** A YAML document, read. */
export interface ParsedYaml {
  readonly value: unknown;
  /** What upstream says in strict mode when a key stands twice; undefined when none does. */
  readonly strictError: string | undefined;
}

/**
 * Reads the first document of a YAML text (or JSON, which is YAML too) as kubectl and the API server do. The last of
 * two equal keys counts. Throws ParseError.
 */
export function parseYaml(input: string | Uint8Array): ParsedYaml {
  const { events, source } = yamlEvents(textOf(input));
  const [first] = buildNodes(events, source);
  return decodeDocument(first, source);
}

/** Bounds on a YAML text, beside those that always hold. */
export interface YamlLimits {
  /** How many aliases (`*name`) may stand in it. @default any number that does not blow it up */
  readonly maxAliases?: number;
}

/** Reads every document of a YAML text; empty ones are null. */
export function parseYamlDocuments(
  input: string | Uint8Array,
  { maxAliases = Number.POSITIVE_INFINITY }: YamlLimits = {},
): ParsedYaml[] {
  const { events, source } = yamlEvents(textOf(input));
  if (events.filter(({ type }) => type === EVENT_ID.ALIAS).length > maxAliases) {
    throw new ParseError(`yaml: document contains more than ${maxAliases} aliases`);
  }
  return buildNodes(events, source).map((node) => decodeDocument(node, source));
}

function textOf(input: string | Uint8Array): string {
  const text = typeof input === 'string' ? input : decodeUtf8(input);
  if (text === undefined) throw new ParseError('yaml: invalid leading UTF-8 octet');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

function decodeDocument(node: YamlNode | undefined, source: string): ParsedYaml {
  if (node === undefined) return { value: null, strictError: undefined };
  const decoder = new YamlDecoder((offset) => lineAt(source, offset));
  const value = decoder.decode(node);
  const { duplicates } = decoder;
  const strictError =
    duplicates.length === 0
      ? undefined
      : `yaml: unmarshal errors:${duplicates.map((line) => `\n  ${line}`).join('')}`;
  return { value, strictError };
}
