import {
  DEFAULT_SCALAR_STYLE_RULES,
  DUMP_SCHEMA,
  defineScalarTag,
  dump,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarLayout,
  type Schema,
} from 'js-yaml';
import { compareKeys } from './compare-keys.ts';
import { formatYamlNumber } from './format-number.ts';
import { resolvePlain } from './resolve-scalar.ts';

const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}([.,][0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/**
 * JSON data as YAML in the form kubectl prints: keys sorted its way, lists not indented, texts quoted wherever a reader
 * of YAML 1.1 or 1.2 would take them for something else.
 */
export function toYaml(value: unknown): string {
  try {
    return dump(value, {
      schema: outputSchema(),
      seqNoIndent: true,
      lineWidth: -1,
      noRefs: true,
      skipInvalid: true,
      sortKeys: compareKeys,
      scalarStyleRules: [quoteRetyped, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)],
    });
  } catch (error) {
    // The writer recurses; JSON may legally be nested deeper than the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError('Cannot write YAML: the value is nested too deeply', { cause: error });
  }
}

let schema: Schema | undefined;

/** Made on first use: most programs that import this package never write YAML. */
function outputSchema(): Schema {
  schema ??= DUMP_SCHEMA.withTags(
    defineScalarTag('tag:yaml.org,2002:int', {
      implicit: true,
      resolve: (source) => (resolvePlain(source).kind === '!!int' ? 0 : NOT_RESOLVED),
      identify: (data) =>
        typeof data === 'bigint' || (Number.isInteger(data) && Math.abs(data) < 1e21),
      represent: (data: number | bigint) =>
        typeof data === 'bigint' ? data.toString() : formatYamlNumber(data),
    }),
    defineScalarTag('tag:yaml.org,2002:float', {
      implicit: true,
      resolve: (source) => (resolvePlain(source).kind === '!!float' ? 0 : NOT_RESOLVED),
      identify: (data) => typeof data === 'number',
      represent: (data: number) => formatYamlNumber(data),
    }),
  );
  return schema;
}

/** Go puts double quotes around what it would read as another type, single ones around all else that needs them. */
function quoteRetyped(layout: ScalarLayout): void {
  const { node } = layout;
  if (!node.tag.endsWith('str') || node.value.includes('\n')) return;
  const { value } = node;
  if (resolvePlain(value).kind !== '!!str' || BASE_60.test(value) || TIMESTAMP.test(value)) {
    layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
  } else if (value.startsWith('---') || value.startsWith('...')) {
    layout.style = SCALAR_STYLE.SINGLE_QUOTED;
  }
}
