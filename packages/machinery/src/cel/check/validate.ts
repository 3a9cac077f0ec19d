import { FormatError, fillFormat } from '../library/format-string.ts';
import { compilePattern } from '../library/patterns.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import type { IssueList } from '../syntax/source.ts';
import { type CelKind, type CelType, formatType } from '../types.ts';
import { parseDuration, parseTimestamp, timestampOf } from '../values/time.ts';
import { CelFault } from '../values/value.ts';
import type { Checked } from './checker.ts';
import { isExactType, unwrapOptional } from './unify.ts';

/** What Kubernetes demands beyond sound types: literals that can be read, lists of one type. */
export function validate(checked: Checked, issues: IssueList): void {
  const calls: CallExpr[] = [];
  const lists: Expr[] = [];
  const maps: Expr[] = [];
  visit(checked.root, false, (expr, inFormat) => {
    if (expr.kind === 'call') calls.push(expr);
    if (expr.kind === 'list' && !inFormat) lists.push(expr);
    if (expr.kind === 'map' && !inFormat) maps.push(expr);
  });
  for (const name of ['duration', 'timestamp', 'matches']) {
    for (const call of calls) if (call.name === name) validateLiteral(call, issues);
  }
  for (const call of calls) if (call.name === 'format') validateFormat(call, checked, issues);
  for (const list of lists) validateList(list, checked.types, issues);
  for (const map of maps) validateMap(map, checked.types, issues);
}

function visit(expr: Expr, inFormat: boolean, see: (expr: Expr, inFormat: boolean) => void): void {
  see(expr, inFormat);
  const within = inFormat || (expr.kind === 'call' && expr.name === 'format');
  for (const child of children(expr)) visit(child, within, see);
}

/** The expressions directly within one. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target ? [expr.target, ...expr.args] : expr.args;
    case 'list':
      return expr.elements;
    case 'map':
    case 'struct':
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'fold':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

function validateLiteral(call: CallExpr, issues: IssueList): void {
  const [argument] = call.args;
  if (argument?.kind !== 'literal') return;
  const { value } = argument;
  if (call.name === 'matches') {
    if (typeof value !== 'string' || !(compilePattern(value) instanceof CelFault)) return;
    if (!call.target) return;
  } else if (typeof value === 'string') {
    const read = call.name === 'duration' ? parseDuration(value) : parseTimestamp(value);
    if (read !== undefined && !(read instanceof CelFault)) return;
  } else if (call.name === 'timestamp' && typeof value === 'bigint') {
    if (!(timestampOf(Number(value), 0) instanceof CelFault)) return;
  }
  issues.report(argument.pos, `invalid ${call.name} argument`);
}

type Types = readonly (CelType | undefined)[];

const sameType = (a: CelType, b: CelType): boolean =>
  a.kind === 'dyn' || b.kind === 'dyn' ? a.kind === b.kind : isExactType(a, b);

function mismatch(issues: IssueList, at: Expr, types: readonly [CelType, CelType]): void {
  const [expected, actual] = types.map(formatType);
  issues.report(at.pos, `expected type '${expected}' but found '${actual}'`);
}

function validateList(list: Expr, types: Types, issues: IssueList): void {
  if (list.kind !== 'list') return;
  let first: CelType | undefined;
  for (const [index, element] of list.elements.entries()) {
    let type = types[element.id];
    if (type && list.optionals.includes(index)) type = unwrapOptional(type);
    if (!type) continue;
    first ??= type;
    if (sameType(first, type)) continue;
    mismatch(issues, element, [first, type]);
    break;
  }
}

function validateMap(map: Expr, types: Types, issues: IssueList): void {
  if (map.kind !== 'map') return;
  let first: readonly [CelType, CelType] | undefined;
  for (const { key, value, optional } of map.entries) {
    const keyType = types[key.id];
    const ofValue = types[value.id];
    if (!keyType || !ofValue) continue;
    const valueType = optional ? unwrapOptional(ofValue) : ofValue;
    first ??= [keyType, valueType];
    if (!sameType(first[0], keyType)) mismatch(issues, key, [first[0], keyType]);
    if (!sameType(first[1], valueType)) mismatch(issues, value, [first[1], valueType]);
  }
}

const NUMBERS: readonly CelKind[] = ['int', 'uint'];

/** The types that a clause takes, and how the message begins where an argument is of another. */
const CLAUSES: Readonly<Record<string, readonly [rule: string, kinds: readonly CelKind[]]>> = {
  s: [
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
    [
      ...NUMBERS,
      ...(['list', 'map', 'double', 'bool', 'string', 'timestamp', 'bytes'] as const),
      ...(['duration', 'type', 'null'] as const),
    ],
  ],
  d: ['decimal clause can only be used on integers', NUMBERS],
  f: ['fixed-point clause can only be used on doubles', ['double', 'string']],
  e: ['scientific clause can only be used on doubles', ['double', 'string']],
  b: ['only integers and bools can be formatted as binary', [...NUMBERS, 'bool']],
  x: [
    'only integers, byte buffers, and strings can be formatted as hex',
    [...NUMBERS, 'string', 'bytes'],
  ],
  o: ['octal clause can only be used on integers', NUMBERS],
};

/** A format that is a literal, with a literal list of arguments, must fit them. */
function validateFormat(call: CallExpr, { types }: Checked, issues: IssueList): void {
  const [args] = call.args;
  const { target } = call;
  if (target?.kind !== 'literal' || typeof target.value !== 'string' || args?.kind !== 'list') {
    return;
  }
  const { elements } = args;
  let place: Expr = call;
  try {
    const { used } = fillFormat(target.value, elements.length, ({ letter }, index) => {
      const [rule = '', kinds = []] = CLAUSES[letter.toLowerCase()] ?? [];
      const unfit = unfitPart(elements[index] as Expr, letter === 's', { types, kinds });
      if (!unfit) return '';
      place = unfit;
      throw new FormatError(
        `error during formatting: ${rule}, was given ${types[unfit.id]?.name ?? ''}`,
      );
    });
    if (elements.length > used) {
      throw new FormatError(
        `too many arguments supplied to string.format (expected ${used}, got ${elements.length})`,
      );
    }
  } catch (err) {
    if (!(err instanceof FormatError)) throw err;
    issues.report(place.pos, err.message);
  }
}

/** The argument, or for texts the part of it, that is not of the types a clause takes. */
function unfitPart(
  expr: Expr,
  isDeep: boolean,
  allowed: { readonly types: Types; readonly kinds: readonly CelKind[] },
): Expr | undefined {
  const kind = allowed.types[expr.id]?.kind ?? 'dyn';
  if (kind !== 'dyn' && !allowed.kinds.includes(kind)) return expr;
  if (!isDeep || (expr.kind !== 'list' && expr.kind !== 'map')) return undefined;
  for (const part of children(expr)) {
    const unfit = unfitPart(part, true, allowed);
    if (unfit) return unfit;
  }
  return undefined;
}
