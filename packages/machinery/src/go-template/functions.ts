import { GoNumber, goSprint, goTypeName } from '../go/values.ts';
import { encodeUtf8 } from '../json/utf8.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { isEqual, isLess } from './compare.ts';
import { base64decode, escapeHtml, escapeJs, escapeQuery } from './escapes.ts';
import { exists, indexValue, sliceValue } from './indexing.ts';
import { goSprintf } from './sprintf.ts';
import { isTrue } from './truth.ts';

/**
 * What a parameter takes. `value` is anything, nothing too; for `any` nothing is nil; a `string` must be one.
 */
export type ParameterKind = 'value' | 'any' | 'string';

/** A function of templates. Values that are missing are undefined, nil is null. */
export interface TemplateFunction {
  readonly fixed: readonly ParameterKind[];
  /** Of all that come behind the fixed ones; undefined when none may. */
  readonly rest?: ParameterKind;
  readonly call: (args: readonly unknown[]) => unknown;
}

/** `and` and `or` are not here: they look at one argument after the other. */
const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  not: { fixed: ['value'], call: ([value]) => !isTrue(value) },
  len: { fixed: ['value'], call: ([value]) => lengthOf(value) },
  index: { fixed: ['value'], rest: 'value', call: ([item, ...at]) => indexValue(item, at) },
  slice: { fixed: ['value'], rest: 'value', call: ([item, ...at]) => sliceValue(item, at) },
  eq: { fixed: ['value'], rest: 'value', call: ([one, ...others]) => isEqual(one, others) },
  ne: { fixed: ['value', 'value'], call: ([a, b]) => !isEqual(a, [b]) },
  lt: { fixed: ['value', 'value'], call: ([a, b]) => isLess(a, b) },
  le: { fixed: ['value', 'value'], call: ([a, b]) => isLess(a, b) || isEqual(a, [b]) },
  gt: { fixed: ['value', 'value'], call: ([a, b]) => !isLess(a, b) && !isEqual(a, [b]) },
  ge: { fixed: ['value', 'value'], call: ([a, b]) => !isLess(a, b) },
  print: { fixed: [], rest: 'any', call: printValues },
  println: { fixed: [], rest: 'any', call: (args) => `${args.map(goSprint).join(' ')}\n` },
  printf: {
    fixed: ['string'],
    rest: 'any',
    call: ([format, ...args]) => goSprintf(String(format), args),
  },
  html: { fixed: [], rest: 'any', call: (args) => escapeHtml(printValues(args)) },
  js: { fixed: [], rest: 'any', call: (args) => escapeJs(printValues(args)) },
  urlquery: { fixed: [], rest: 'any', call: (args) => escapeQuery(printValues(args)) },
  exists: { fixed: ['any'], rest: 'any', call: ([item, ...at]) => exists(item, at) },
  base64decode: { fixed: ['string'], call: ([text]) => base64decode(String(text)) },
  call: {
    fixed: ['value'],
    rest: 'value',
    call: ([value]) => {
      throw new TypeError(`non-function of type ${goTypeName(value)}`);
    },
  },
};

/** Every name that a template may call. */
export const functionNames: ReadonlySet<string> = new Set([...Object.keys(FUNCTIONS), 'and', 'or']);

/** The function of a name that is in `functionNames`, other than `and` and `or`. */
export function functionOf(name: string): TemplateFunction | undefined {
  return Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
}

/** Go's `fmt.Sprint`: spaces only between two that are no texts. */
function printValues(args: readonly unknown[]): string {
  let text = '';
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1];
    if (index > 0 && typeof arg !== 'string' && typeof before !== 'string') text += ' ';
    text += goSprint(arg);
  }
  return text;
}

function lengthOf(value: unknown): GoNumber {
  if (value === null) throw new TypeError('len of nil pointer');
  if (value === undefined) throw new TypeError('reflect: call of reflect.Value.Type on zero Value');
  if (typeof value === 'string') return new GoNumber('int', encodeUtf8(value).length);
  if (Array.isArray(value)) return new GoNumber('int', value.length);
  if (isJsonObject(value) && !(value instanceof GoNumber)) {
    return new GoNumber('int', Object.keys(value).length);
  }
  throw new TypeError(`len of type ${goTypeName(value)}`);
}
