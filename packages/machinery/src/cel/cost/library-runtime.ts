import { CelList, CelOpaque, type CelValue } from '../values/value.ts';
import {
  type CallCost,
  type CalledFunction,
  costSize,
  LIST_CREATE,
  PATTERN,
  patternCost,
  STRUCT_CREATE,
  smaller,
  TRAVERSAL,
  traversalCost,
} from './sizes.ts';

/** What a check of the authorizer costs: an expression can afford two. */
export const CHECK_COST = 350_000;

const walked = (factor: number) => (value: CelValue | undefined) =>
  Math.ceil(costSize(value) * factor * TRAVERSAL);

const once: CallCost = ([a]) => walked(1)(a);
const twice: CallCost = ([a]) => walked(2)(a);
const whole: CallCost = ([a]) => traversalCost(a);

/** Parsing a selector: its text, and for every two characters a requirement with its values. */
const selector: CallCost = ([, text]) => {
  const length = costSize(text);
  const requirements = Math.ceil(length * 0.5);
  return LIST_CREATE + Math.ceil(length * TRAVERSAL) + requirements * (LIST_CREATE + STRUCT_CREATE);
};

const containsIP =
  (parsed: string): ((overload: string | undefined) => CallCost) =>
  (overload) =>
  ([cidr, other]) =>
    Math.ceil(2 * costSize(cidr) * TRAVERSAL) + (overload === parsed ? walked(1)(other) : 0);

const containsCIDR =
  (overload: string | undefined): CallCost =>
  ([cidr, other]) =>
    Math.ceil(2 * costSize(cidr) * TRAVERSAL) +
    walked(1)(cidr) +
    1 +
    (overload === 'cidr_contains_cidr_string' ? walked(1)(other) : 0);

/** Formats that know how long their longest pattern is. */
export interface PatternSized {
  readonly maxPatternSize: number;
}

const validate: CallCost = ([format, text]) => {
  const size =
    format instanceof CelOpaque && 'maxPatternSize' in format ? Number(format.maxPatternSize) : 1;
  return Math.ceil((1 + costSize(text)) * TRAVERSAL) * Math.ceil(size * PATTERN);
};

/** Kubernetes' own values are compared for one. */
const equality: CallCost = (args) => {
  const [a] = args;
  return a instanceof CelOpaque ? 1 : smaller(args, null);
};

const ONE = new Set([
  ...['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace', 'name'],
  ...['allowed', 'reason', 'error', 'errored'],
  ...['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback'],
  ...['isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast', 'format.named'],
  ...['sign', 'asInteger', 'isInteger', 'asApproximateFloat', 'isGreaterThan', 'isLessThan'],
  ...['compareTo', 'add', 'sub', 'major', 'minor', 'patch'],
  ...['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'],
]);

type ByOverload = (overload: string | undefined) => CallCost | 1;

const always =
  (cost: CallCost): ByOverload =>
  () =>
    cost;

const BY_NAME: ReadonlyMap<string, ByOverload> = new Map<string, ByOverload>([
  ['check', always(() => CHECK_COST)],
  ['fieldSelector', always(selector)],
  ['labelSelector', always(selector)],
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map(
    (name): [string, ByOverload] => [name, always(whole)],
  ),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim'].map((name): [string, ByOverload] => [
    name,
    always(once),
  ]),
  ['replace', always(twice)],
  ['split', always(twice)],
  ['join', always((_, result) => walked(2)(result))],
  ['find', always(patternCost)],
  ['findAll', always(patternCost)],
  ...['cidr', 'isIP', 'isCIDR', 'quantity', 'isQuantity', 'semver', 'isSemver'].map(
    (name): [string, ByOverload] => [name, always(once)],
  ),
  ['ip', (overload) => (overload === 'cidr_ip' ? 1 : once)],
  ['ip.isCanonical', always(twice)],
  ['containsIP', containsIP('cidr_contains_ip_string')],
  ['containsCIDR', containsCIDR],
  ['validate', always(validate)],
]);

const sets =
  (factor: number): CallCost =>
  ([a, b]) =>
    1 + Math.floor(costSize(a) * costSize(b) * factor);

const allocating = (factor: number, size: number): number =>
  Math.floor(size * factor) + 1 + LIST_CREATE;

const output: CallCost = (_, result) => allocating(1, costSize(result));

/** Sorting and finding duplicates compare every element with every other. */
const pairs =
  (index: number): CallCost =>
  (args) => {
    const list = args[index];
    if (!(list instanceof CelList) || list.size === 0) return allocating(2, 0);
    const first = list.at(0);
    const isText = typeof first === 'string' || first instanceof Uint8Array;
    return allocating(isText ? 2 + TRAVERSAL : 2, list.size ** 2);
  };

const flatten: CallCost = ([list, depth]) =>
  allocating(typeof depth === 'bigint' ? Number(depth) : 1, costSize(list));

const BY_OVERLOAD: ReadonlyMap<string, CallCost> = new Map([
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
  ['list_slice', output],
  ['lists_range', output],
  ['list_reverse', output],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['list_distinct', pairs(0)],
]);

/** What a call of a library's function costs; undefined where the language's own numbers hold. */
export function libraryCallCost({ name, overload }: CalledFunction): CallCost | 1 | undefined {
  const tracked = overload === undefined ? undefined : BY_OVERLOAD.get(overload);
  if (tracked) return tracked;
  if (overload?.endsWith('_sort')) return pairs(0);
  if (overload?.endsWith('_sortByAssociatedKeys')) return pairs(1);
  if (name === '_==_') return equality;
  return ONE.has(name) ? 1 : BY_NAME.get(name)?.(overload);
}
