import type { FieldError, FieldErrorType } from '../field-error.ts';
import { formatFieldError, invalid } from '../field-errors.ts';
import type { Json } from '../object.ts';
import { getOwn } from '../values/own-key.ts';
import { applyDefaults } from './apply-defaults.ts';
import { compileCheck } from './check/compile-check.ts';
import { type Check, checkPart, errorsOf, newRun } from './check/run.ts';
import { Correlation } from './correlation.ts';
import { readEmbedded, validateEmbedded } from './embedded-metadata.ts';
import { validateListTypes } from './list-types.ts';
import { isTooDeep, MAX_SCHEMA_DEPTH, propertiesOf, type SchemaNode, schemaNode } from './node.ts';
import { pruneNulls, pruneValue } from './prune.ts';
import { hasRules, type RuleTree, ruleTree } from './rules/rule-tree.ts';
import { runRules } from './rules/run-rules.ts';
import { validateScale } from './scale.ts';
import { SchemaCache } from './schema-cache.ts';
import { structuralProblems } from './structural/structural-problems.ts';
import type {
  CompiledSchema,
  JsonSchemaProps,
  Pruned,
  PruneOptions,
  ValidateOptions,
} from './types.ts';

const cache = new SchemaCache();

/** Kinds of errors after which rules are not run: what they read might not be there or not have its type. */
const blocking: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);
const NOT_CHECKED =
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/**
 * Compiles the schema of a CRD version, once per content: equal schemas share one result, whoever asks.
 *
 * @example
 * const schema = compileSchema({ type: 'object', properties: { spec: { type: 'object' } } });
 * const { unknown } = schema.prune(object); // ['spec.foo']
 * schema.defaults(object);
 * const errors = schema.validate(object);
 */
export function compileSchema(source: JsonSchemaProps): CompiledSchema {
  return cache.get(source, compile);
}

function compile(source: JsonSchemaProps): CompiledSchema {
  if (isTooDeep(source)) return tooDeep(source);
  const root = schemaNode(source, true);
  const problems = structuralProblems(source, '');
  const status = propertiesOf(source).find(([name]) => name === 'status')?.[1];
  const once = <T>(make: () => T): (() => T) => {
    let made: { readonly value: T } | undefined;
    return () => {
      made ??= { value: make() };
      return made.value;
    };
  };
  const check = once(() => compileCheck(source, 'object'));
  const checkStatus = once(() => compileCheck(status ?? {}, 'object'));
  const rules = once(() => (problems.length > 0 ? undefined : ruleTree(root, true)));

  return {
    problems,
    source,
    hasRules: hasRules(source),
    prune: (object, options = {}) => prune(object, root, options),
    defaults: (object) => applyDefaults(object, root),
    validate(object, options = {}) {
      const errors = [
        ...checked(check(), { value: object, path: '' }),
        ...scaleErrors(object, options, ['spec', 'status']),
        ...embeddedErrors(object, root),
        ...validateListTypes(object, root),
      ];
      return [
        ...errors,
        ...ruleErrors(rules, { object, found: [...(options.found ?? []), ...errors] }),
      ];
    },
    validateUpdate(object, old, options = {}) {
      const pair = new Correlation(object, old, root);
      const errors = [
        ...checked(check(), { value: object, path: '', pair }),
        ...scaleErrors(object, options, ['spec', 'status']),
        ...embeddedErrors(object, root),
        ...newListTypeErrors(object, old, root),
      ];
      const found = [...(options.found ?? []), ...errors];
      return [...errors, ...ruleErrors(rules, { object, old, pair, found, warn: options.warn })];
    },
    validateStatusUpdate(object, old, options = {}) {
      const pair = new Correlation(object, old, root);
      const value = getOwn(object, 'status');
      const errors =
        value === undefined
          ? []
          : checked(checkStatus(), { value, path: 'status', pair: pair.key('status') });
      errors.push(
        ...scaleErrors(object, options, ['status']),
        ...newListTypeErrors(object, old, root),
      );
      const found = [...(options.found ?? []), ...errors];
      return [...errors, ...ruleErrors(rules, { object, old, pair, found, warn: options.warn })];
    },
  };
}

function prune(object: Json, root: SchemaNode, options: PruneOptions): Pruned {
  const unknown: string[] = [];
  if (options.preserveUnknownFields !== true) {
    unknown.push(...pruneValue(object, root));
    if (options.keepNulls !== true) pruneNulls(object, root);
  }
  if (!root.below.embedded) return { unknown };
  const inMetadata: string[] = [];
  const problem = readEmbedded(object, asEmbedded(root), {
    path: '',
    readMetadata: options.readMetadata,
    drop: options.dropInvalidMetadata === true,
    unknown: inMetadata,
  });
  unknown.push(...inMetadata.sort());
  return problem === undefined ? { unknown } : { unknown, problem };
}

function checked(
  check: Check,
  part: { readonly value: unknown; readonly path: string; readonly pair?: Correlation | undefined },
): FieldError[] {
  const run = newRun(part.path);
  checkPart(check, { value: part.value, path: '', pair: part.pair }, run);
  return errorsOf(run);
}

function embeddedErrors(object: Json, root: SchemaNode): FieldError[] {
  return root.below.embedded ? validateEmbedded(object, asEmbedded(root)) : [];
}

/** The root as it says of itself: its own type and metadata are validated like those of every kind. */
function asEmbedded(root: SchemaNode): SchemaNode {
  return { ...root, embedded: root.source['x-kubernetes-embedded-resource'] === true };
}

/** Lists that were wrong before may stay wrong. */
function newListTypeErrors(object: Json, old: Json, root: SchemaNode): FieldError[] {
  const errors = validateListTypes(object, root);
  return errors.length > 0 && validateListTypes(old, root).length > 0 ? [] : errors;
}

function scaleErrors(
  object: Json,
  { scale }: ValidateOptions,
  parts: readonly ('spec' | 'status')[],
): FieldError[] {
  return scale === undefined ? [] : parts.flatMap((part) => validateScale(object, scale, part));
}

function ruleErrors(
  rules: () => RuleTree | undefined,
  subject: {
    readonly object: Json;
    readonly old?: Json;
    readonly pair?: Correlation;
    readonly found: readonly FieldError[];
    readonly warn?: ((text: string) => void) | undefined;
  },
): FieldError[] {
  const tree = rules();
  if (tree === undefined) return [];
  if (subject.found.some(({ type }) => blocking.has(type))) return [invalid('', null, NOT_CHECKED)];
  const { object, old, pair } = subject;
  const { errors, forgiven } = runRules(tree, { value: object, old, path: '', pair });
  for (const error of forgiven) subject.warn?.(formatFieldError(error));
  return errors;
}

/** A schema no stack could walk: it is refused when a CRD is written, and nothing is done by it. */
function tooDeep(source: JsonSchemaProps): CompiledSchema {
  const detail = `must not be nested deeper than ${MAX_SCHEMA_DEPTH} levels`;
  const problems = [invalid('', '', detail)];
  return {
    problems,
    source,
    hasRules: false,
    prune: () => ({ unknown: [] }),
    defaults: () => undefined,
    validate: () => problems,
    validateUpdate: () => problems,
    validateStatusUpdate: () => problems,
  };
}
