import type { FieldError } from '../../field-error.ts';
import { formatFieldError, formatFieldErrors, invalid } from '../../field-errors.ts';
import { child, keyed } from '../../field-path.ts';
import type { Json } from '../../object.ts';
import { strictlyEqual } from '../../patch/strictly-equal.ts';
import { deepCopy } from '../../values/deep-copy.ts';
import { isJsonObject } from '../../values/json-kind.ts';
import { compileCheck } from '../check/compile-check.ts';
import { errorsOf, newRun } from '../check/run.ts';
import { readEmbedded, validateEmbedded } from '../embedded-metadata.ts';
import type { SchemaNode } from '../node.ts';
import { pruneValue } from '../prune.ts';
import { ruleTree } from '../rules/rule-tree.ts';
import { OBJECT_BUDGET, runRules } from '../rules/run-rules.ts';
import { sorted } from '../sorted-json.ts';
import type { MetadataReader } from '../types.ts';

/** Wraps a value the way it would stand in the object: under its key, in its list. */
type Surround = (value: unknown) => unknown;

interface Place {
  readonly path: string;
  /** The resource the schema is part of: the object itself, or an embedded one. */
  readonly root: SchemaNode;
  readonly surround: Surround;
  readonly isInsideMeta: boolean;
}

interface Pass {
  readonly errors: FieldError[];
  readonly readMetadata: MetadataReader | undefined;
  budget: number;
}

/** The errors of the defaults in a schema: each must be what its own schema accepts, and hold nothing unknown. */
export function defaultProblems(
  root: SchemaNode,
  path: string,
  readMetadata?: MetadataReader,
): FieldError[] {
  if (!root.below.defaults) return [];
  const pass: Pass = { errors: [], readMetadata, budget: OBJECT_BUDGET };
  visit(root, { path, root, surround: resource, isInsideMeta: false }, pass);
  return pass.errors;
}

function resource(value: unknown): unknown {
  return { apiVersion: 'validation/v1', kind: 'Validation', ...(isJsonObject(value) ? value : {}) };
}

function visit(node: SchemaNode, outer: Place, pass: Pass): void {
  if (!node.below.defaults) return;
  const place = node.embedded
    ? { ...outer, isInsideMeta: false, surround: resource, root: node }
    : outer;
  if (node.default !== undefined) {
    if (place.isInsideMeta) checkMetaDefault(node, place, pass);
    else checkDefault(node, place, pass);
    if (pass.budget < 0) return;
  }
  if (node.items !== undefined) {
    const surround: Surround = (value) => place.surround([value]);
    visit(node.items, { ...place, surround, path: child(place.path, 'items') }, pass);
  }
  for (const [name, property] of node.properties ?? []) {
    if (pass.budget < 0) return;
    const isMeta = node.embedded && ['metadata', 'apiVersion', 'kind'].includes(name);
    const below = {
      path: keyed(child(place.path, 'properties'), name),
      root: place.root,
      surround: (value: unknown) => place.surround({ [name]: value }),
      isInsideMeta: place.isInsideMeta || isMeta,
    };
    visit(property, below, pass);
  }
}

function checkDefault(node: SchemaNode, place: Place, pass: Pass): void {
  const path = child(place.path, 'default');
  const value = deepCopy(node.default);
  const pruned = deepCopy(node.default);
  pruneValue(pruned, node);
  if (!strictlyEqual(pruned, node.default)) {
    pass.errors.push(invalid(path, sorted(node.default), 'must not have unknown fields'));
  }
  const { readMetadata } = pass;
  const problem = readEmbedded(value, node, { path, readMetadata, drop: false, unknown: [] });
  if (problem !== undefined) {
    pass.errors.push(problem);
    return;
  }
  const embedded = validateEmbedded(value, node, path);
  if (embedded.length > 0) {
    pass.errors.push(...embedded);
    return;
  }
  checkValue(node, place, pass);
}

/** A default inside metadata is judged by the metadata it makes. */
function checkMetaDefault(node: SchemaNode, place: Place, pass: Pass): void {
  const path = child(place.path, 'default');
  const object = place.surround(deepCopy(node.default)) as Json;
  const { readMetadata } = pass;
  const problem = readEmbedded(object, place.root, {
    path: '',
    readMetadata,
    drop: false,
    unknown: [],
  });
  const shown = sorted(node.default);
  if (problem !== undefined) {
    const detail = `must result in valid metadata: ${formatFieldError(problem)}`;
    pass.errors.push(invalid(path, shown, detail));
    return;
  }
  const errors = validateEmbedded(object, place.root);
  if (errors.length > 0) {
    const detail = `must result in valid metadata: ${formatFieldErrors(errors)}`;
    pass.errors.push(invalid(path, shown, detail));
    return;
  }
  checkValue(node, place, pass);
}

function checkValue(node: SchemaNode, place: Place, pass: Pass): void {
  const path = child(place.path, 'default');
  const run = newRun(path);
  compileCheck(node.source, 'default')(node.default, '', run);
  if (run.errors.length > 0) {
    pass.errors.push(...errorsOf(run));
    return;
  }
  const rules = ruleTree(node, node === place.root);
  if (rules === undefined) return;
  const value = node.default;
  const subject = { value, path, pair: undefined };
  const kept = runRules(rules, { ...subject, old: value }, pass.budget);
  pass.errors.push(...kept.errors);
  if (kept.errors.length > 0) {
    pass.budget = kept.budget;
    return;
  }
  // Rules that can do without an old value must accept the default when it is new, too.
  const created = runRules(rules, { ...subject, old: undefined }, pass.budget);
  pass.errors.push(...created.errors);
  pass.budget = Math.min(kept.budget, created.budget);
}
