import type { CelProgram, CelResult } from '../../cel/index.ts';
import type { FieldError } from '../../field-error.ts';
import { duplicate, forbidden, invalid, required } from '../../field-errors.ts';
import { at, child, keyed } from '../../field-path.ts';
import { byteLength } from '../../go/byte-length.ts';
import { goQuote } from '../../go/quote.ts';
import type { Json } from '../../object.ts';
import { isJsonObject } from '../../values/json-kind.ts';
import { type Correlation, MapList } from '../correlation.ts';
import type { ValidationRule } from '../types.ts';
import type { CompiledRule } from './compile-rule.ts';
import type { RuleTree } from './rule-tree.ts';

/** What all rules of one object may cost together. */
export const OBJECT_BUDGET = 10_000_000;
const CALL_LIMIT = 1_000_000;
const MAX_MESSAGE_BYTES = 5 * 1024;
const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** What rules are run on. */
export interface RuleSubject {
  readonly value: unknown;
  /** The value before; undefined when there was none, or none that surely is the same thing. */
  readonly old: unknown;
  readonly path: string;
  /** Set on updates, to forget failures of what did not change. */
  readonly pair: Correlation | undefined;
}

/** One pass over an object: what it found, and what it may still spend. */
export interface RulePass {
  readonly errors: FieldError[];
  /** Failures of what did not change. */
  readonly forgiven: FieldError[];
  /** Negative once rules had to be skipped. */
  budget: number;
}

interface Walk extends RuleSubject {
  /** The nearest place above that can be compared with what was there before. */
  readonly parentPair: Correlation | undefined;
}

/** Runs all rules of the tree on an object, within the budget. */
export function runRules(tree: RuleTree, subject: RuleSubject, budget = OBJECT_BUDGET): RulePass {
  const pass = { errors: [], forgiven: [], budget };
  visit(tree, { ...subject, parentPair: undefined }, pass);
  return pass;
}

function visit(tree: RuleTree | undefined, walk: Walk, pass: RulePass): void {
  const { value } = walk;
  if (tree === undefined || value === null || value === undefined) return;
  evaluateAll(tree, walk, pass);
  if (pass.budget < 0) return;
  if (Array.isArray(value)) visitItems(tree, { ...walk, value }, pass);
  else if (isJsonObject(value)) visitMembers(tree, { ...walk, value }, pass);
}

function visitItems(tree: RuleTree, walk: Walk & { value: unknown[] }, pass: RulePass): void {
  if (tree.items === undefined) return;
  const old = new MapList(Array.isArray(walk.old) ? walk.old : [], tree.node);
  for (const [index, value] of walk.value.entries()) {
    const below = {
      value,
      old: old.like(value),
      path: at(walk.path, index),
      ...pairsBelow(walk, (pair) => pair.index(index)),
    };
    visit(tree.items, below, pass);
    if (pass.budget < 0) return;
  }
}

function visitMembers(tree: RuleTree, walk: Walk & { value: Json }, pass: RulePass): void {
  const before = isJsonObject(walk.old) && isCorrelatable(tree.node.mapType) ? walk.old : {};
  for (const [key, value] of Object.entries(walk.value)) {
    const property = tree.properties.get(key);
    const below = property ?? tree.additional;
    if (below === undefined) continue;
    // The type of an object is converted before anyone compares, so its change cannot be seen.
    const isTypeMeta = walk.parentPair === undefined && (key === 'apiVersion' || key === 'kind');
    const pairs =
      isTypeMeta && walk.pair !== undefined
        ? { pair: undefined, parentPair: undefined }
        : pairsBelow(walk, (pair) => pair.key(key));
    const old = Object.hasOwn(before, key) ? before[key] : undefined;
    const path = property === undefined ? keyed(walk.path, key) : child(walk.path, key);
    visit(below, { value, old, path, ...pairs }, pass);
    if (pass.budget < 0) return;
  }
}

function pairsBelow(
  { pair, parentPair }: Walk,
  find: (pair: Correlation) => Correlation | undefined,
): Pick<Walk, 'pair' | 'parentPair'> {
  return pair === undefined ? { pair, parentPair } : { pair: find(pair), parentPair: pair };
}

function isCorrelatable(mapType: string | undefined): boolean {
  return mapType === undefined || mapType === 'granular' || mapType === 'atomic';
}

function evaluateAll(tree: RuleTree, walk: Walk, pass: RulePass): void {
  const { path } = walk;
  const { type } = tree.node;
  if (tree.isUntyped) {
    const detail =
      'rule compiler initialization error: failed to convert to declType for CEL validation rules';
    pass.errors.push(invalid(path, type, detail));
    return;
  }
  if (tree.rules.length === 0) return;
  if (pass.budget <= 0) {
    pass.errors.push(invalid(path, type, OUT_OF_BUDGET));
    pass.budget = -1;
    return;
  }
  for (const compiled of tree.rules) {
    evaluate(compiled, { ...walk, type }, pass);
    if (pass.budget < 0) return;
  }
}

function evaluate(compiled: CompiledRule, walk: Walk & { type: string }, pass: RulePass): void {
  const { path, type } = walk;
  const { rule, program } = compiled;
  if (compiled.error !== undefined) {
    pass.errors.push(invalid(path, type, `rule compile error: ${compiled.error}`));
    return;
  }
  if (program === undefined) return;
  const hasOld = walk.old !== undefined && walk.old !== null;
  // A transition rule needs something to compare with, unless it says that it can do without.
  if (compiled.usesOldSelf && !hasOld && rule.optionalOldSelf !== true) return;
  const bindings = hasOld ? { self: walk.value, oldSelf: walk.old } : { self: walk.value };
  const result = program.evaluate(bindings, { costLimit: CALL_LIMIT });
  if (result.cost > pass.budget) {
    pass.errors.push(invalid(path, type, OUT_OF_BUDGET));
    pass.budget = -1;
    return;
  }
  pass.budget -= result.cost;
  if (!result.ok) {
    pass.errors.push(invalid(path, type, evaluationProblem(result, rule)));
    if (result.kind === 'cost-exceeded') pass.budget = -1;
    return;
  }
  if (result.value === true) return;
  const failure = describe(compiled, bindings, pass);
  const failurePath = compiled.fieldPath === '' ? path : child(path, compiled.fieldPath);
  const error = failure.isFinal
    ? invalid(failurePath, type, failure.detail)
    : errorFor(failurePath, { type, detail: failure.detail, reason: rule.reason });
  const isForgiven = !compiled.usesOldSelf && isUnchanged(walk);
  (isForgiven ? pass.forgiven : pass.errors).push(error);
  if (failure.isFinal) pass.budget = -1;
}

function isUnchanged({ pair, parentPair }: Walk): boolean {
  return (pair ?? parentPair)?.equal() === true;
}

function evaluationProblem(result: CelResult & { ok: false }, rule: ValidationRule): string {
  const { message } = result;
  const shown = ruleText(rule);
  if (result.kind === 'cost-exceeded') {
    return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`;
  }
  if (message.startsWith('no such overload')) {
    return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`;
  }
  return `${message} evaluating rule: ${shown}`;
}

/** Why a rule failed, for the user; final when even making the text ran out of budget. */
interface Failure {
  readonly detail: string;
  readonly isFinal: boolean;
}

function describe(
  compiled: CompiledRule,
  bindings: Readonly<Record<string, unknown>>,
  pass: RulePass,
): Failure {
  const { rule, messageProgram } = compiled;
  const plain = { detail: messageOf(rule), isFinal: false };
  if (messageProgram === undefined) return plain;
  const result = evaluateMessage(messageProgram, bindings);
  if (result.cost > pass.budget) {
    const detail =
      'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';
    return { detail, isFinal: true };
  }
  if (!result.ok && result.kind === 'cost-exceeded') {
    const detail = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${goQuote(rule.messageExpression ?? '')}`;
    return { detail, isFinal: true };
  }
  pass.budget -= result.cost;
  if (!result.ok || typeof result.value !== 'string') return plain;
  const detail = result.value.trim();
  // A message that cannot be shown gives way to the rule's own.
  if (detail === '' || detail.includes('\n') || byteLength(detail) > MAX_MESSAGE_BYTES)
    return plain;
  return { detail, isFinal: false };
}

function evaluateMessage(
  program: CelProgram,
  bindings: Readonly<Record<string, unknown>>,
): CelResult {
  return program.evaluate(bindings, { costLimit: CALL_LIMIT });
}

function messageOf(rule: ValidationRule): string {
  const { message = '' } = rule;
  return message === '' ? `failed rule: ${ruleText(rule)}` : message.trim();
}

function ruleText({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function errorFor(
  path: string,
  failure: {
    readonly type: string;
    readonly detail: string;
    readonly reason: string | undefined;
  },
): FieldError {
  switch (failure.reason) {
    case 'FieldValueForbidden':
      return forbidden(path, failure.detail);
    case 'FieldValueRequired':
      return required(path, failure.detail);
    case 'FieldValueDuplicate':
      return duplicate(path, failure.type);
    default:
      return invalid(path, failure.type, failure.detail);
  }
}
