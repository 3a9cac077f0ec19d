import type { CelType } from '../types.ts';
import type { CallContext, CallEstimate, CostNode, EstimatedCall } from './call-estimate.ts';
import type { CostRange } from './estimate-types.ts';
import { CHECK_COST } from './library-runtime.ts';
import { fixed, ONE, plus, scaled, times, UNBOUNDED, UNKNOWN, union, ZERO } from './ranges.ts';
import { LIST_CREATE, PATTERN, STRUCT_CREATE, TRAVERSAL } from './sizes.ts';

type Estimate = (call: EstimatedCall, sizes: Sizes) => CallEstimate | undefined;

/** Finds sizes of arguments, and of the elements of lists. */
interface Sizes {
  of(node: CostNode | undefined): CostRange;
  element(list: CostNode): { type: CelType; size: CostRange } | undefined;
}

function sizesIn(context: CallContext): Sizes {
  const of = (node: CostNode | undefined) =>
    node?.size ?? (node && context.sizeAt(node.path)) ?? UNKNOWN;
  return {
    of,
    element: (list) => {
      const [type] = list.type.params;
      if (!type) return undefined;
      const path = list.path.length === 0 ? [] : [...list.path, '@items'];
      return { type, size: context.sizeAt(path) ?? UNKNOWN };
    },
  };
}

const walk = (size: CostRange): CostRange => scaled(size, TRAVERSAL);

const one: Estimate = () => ({ cost: ONE });

const selector: Estimate = ({ args }, sizes) => {
  if (args.length !== 1) return undefined;
  const size = sizes.of(args[0]);
  const requirements = scaled(scaled(size, 0.5), LIST_CREATE + STRUCT_CREATE);
  return { cost: plus(plus(fixed(LIST_CREATE), walk(size)), requirements) };
};

/** Functions that look at every element of a list, or every character of a text. */
const wholeList: Estimate = ({ target }, sizes) => {
  if (!target) return undefined;
  const element = sizes.element(target);
  if (!element) return { cost: walk(sizes.of(target)) };
  const isText = element.type.kind === 'string' || element.type.kind === 'bytes';
  const each = isText ? plus(ONE, walk(element.size)) : ONE;
  return { cost: times(sizes.of(target), each) };
};

const parsed: Estimate = ({ args }, sizes) =>
  args.length > 0 ? { cost: walk(sizes.of(args[0])) } : undefined;

const sameSizeTarget: Estimate = ({ target }, sizes) => {
  if (!target) return undefined;
  const size = sizes.of(target);
  return { cost: walk(size), size };
};

const url: Estimate = ({ args }, sizes) => {
  if (args.length !== 1) return undefined;
  const size = sizes.of(args[0]);
  return { cost: walk(size), size };
};

const ceilDivide = (a: bigint, b: bigint): bigint => {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? UNBOUNDED : BigInt(quotient);
};

const next = (value: bigint): bigint => (value < UNBOUNDED ? value + 1n : value);

const replace: Estimate = ({ target, args }, sizes) => {
  if (!target || args.length < 2) return undefined;
  const size = sizes.of(target);
  const old = sizes.of(args[0]);
  const fresh = sizes.of(args[1]);
  const longest = longestReplacement(size, old, fresh);
  const shortest = shortestReplacement(size, old, fresh);
  const count = { min: shortest.count, max: longest.count };
  const kept = { min: shortest.kept, max: longest.kept };
  return { cost: scaled(size, 2 * TRAVERSAL), size: plus(times(count, fresh), kept) };
};

interface Replacement {
  readonly count: bigint;
  /** How much of the original stays. */
  readonly kept: bigint;
}

function longestReplacement(size: CostRange, old: CostRange, fresh: CostRange): Replacement {
  // An empty text is found around every character.
  if (old.min === 0n) return { count: next(size.max), kept: size.max };
  if (fresh.max <= old.min) return { count: 0n, kept: size.max };
  return { count: ceilDivide(size.max, old.min), kept: 0n };
}

function shortestReplacement(size: CostRange, old: CostRange, fresh: CostRange): Replacement {
  if (old.max === 0n) return { count: next(size.min), kept: size.min };
  if (old.max <= fresh.min) return { count: 0n, kept: size.min };
  return { count: ceilDivide(size.min, old.max), kept: 0n };
}

const split: Estimate = ({ target, args }, sizes) => {
  if (!target) return undefined;
  const size = sizes.of(target);
  const limit = args[1]?.expr;
  const isNumber = limit?.kind === 'literal' && typeof limit.value === 'bigint';
  const max = isNumber ? BigInt.asUintN(64, limit.value as bigint) : size.max;
  return { cost: scaled(size, 2 * TRAVERSAL), size: { min: 0n, max } };
};

const less = (value: bigint): bigint => (value > 0n ? value - 1n : 0n);

const join: Estimate = ({ target, args }, sizes) => {
  if (!target) return undefined;
  const list = sizes.of(target);
  const element = sizes.element(target);
  let size = element ? times(list, element.size) : ZERO;
  if (args.length > 0) {
    const separators = { min: less(list.min), max: less(list.max) };
    size = plus(size, times(sizes.of(args[0]), separators));
  }
  return { cost: walk(size), size };
};

const find: Estimate = ({ target, args }, sizes) => {
  if (!target || args.length === 0) return undefined;
  const size = sizes.of(target);
  const text = walk(plus(size, ONE));
  const pattern = scaled(sizes.of(args[0]), PATTERN);
  return { cost: times(text, pattern), size: { min: 0n, max: size.max } };
};

/** Addresses have 4 or 16 bytes. */
const ADDRESS: CostRange = { min: 4n, max: 16n };

const containsIP: Estimate = ({ overload, args }, sizes) => {
  const compared = walk(plus(ADDRESS, ADDRESS));
  const read = overload === 'cidr_contains_ip_string' ? walk(sizes.of(args[0])) : ZERO;
  return { cost: plus(compared, read) };
};

const containsCIDR: Estimate = ({ overload, args }, sizes) => {
  const compared = plus(plus(walk(plus(ADDRESS, ADDRESS)), walk(ADDRESS)), ONE);
  const read = overload === 'cidr_contains_cidr_string' ? walk(sizes.of(args[0])) : ZERO;
  return { cost: plus(compared, read) };
};

const MAX_NAME_PATTERN = 128;
const MAX_FORMAT = 64;

const O1_OBJECTS: ReadonlySet<string> = new Set([
  ...['kubernetes.Quantity', 'kubernetes.Semver'],
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
]);

const equality: Estimate = ({ args }) => {
  const [a, b] = args;
  if (args.length !== 2 || !a || !b || a.type.name !== b.type.name) return undefined;
  const { kind, name } = a.type;
  if (kind === 'opaque' && (name === 'net.IP' || name === 'net.CIDR')) return { cost: ONE };
  if (kind !== 'object') return undefined;
  if (O1_OBJECTS.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat')
    return { cost: walk({ min: 1n, max: BigInt(MAX_FORMAT) }) };
  if (name !== 'kubernetes.URL') return undefined;
  const size = b.size ? union(b.size, b.size) : ONE;
  return { cost: walk({ min: 1n, max: size.max }) };
};

const entries = (names: readonly string[], estimate: Estimate): [string, Estimate][] =>
  names.map((name) => [name, estimate]);

const BY_NAME: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['check', () => ({ cost: fixed(CHECK_COST) })],
  ...entries(['serviceAccount', 'path', 'group', 'resource', 'subresource', 'namespace'], one),
  ...entries(['name', 'allowed', 'reason', 'error', 'errored'], one),
  ...entries(['fieldSelector', 'labelSelector'], selector),
  ...entries(['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'], wholeList),
  ['url', url],
  ...entries(['lowerAscii', 'upperAscii', 'substring', 'trim'], sameSizeTarget),
  ['replace', replace],
  ['split', split],
  ['join', join],
  ...entries(['find', 'findAll'], find),
  ...entries(['cidr', 'isIP', 'isCIDR'], parsed),
  ...entries(['quantity', 'isQuantity', 'semver', 'isSemver'], parsed),
  ['ip', (call, sizes) => (call.overload === 'cidr_ip' ? { cost: ONE } : parsed(call, sizes))],
  ['ip.isCanonical', ({ args }, sizes) => ({ cost: scaled(sizes.of(args[0]), 2 * TRAVERSAL) })],
  ...entries(['masked', 'prefixLength', 'family', 'isUnspecified', 'isLoopback'], one),
  ...entries(['isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'], one),
  ['containsIP', containsIP],
  ['containsCIDR', containsCIDR],
  [
    'validate',
    ({ args }, sizes) => ({ cost: scaled(walk(sizes.of(args[0])), MAX_NAME_PATTERN * PATTERN) }),
  ],
  ['format.named', one],
  ...entries(['sign', 'asInteger', 'isInteger', 'asApproximateFloat', 'isGreaterThan'], one),
  ...entries(['isLessThan', 'compareTo', 'add', 'sub', 'major', 'minor', 'patch'], one),
  ...entries(['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'], one),
  ['_==_', equality],
]);

const sets =
  (factor: number): Estimate =>
  ({ args }, sizes) => ({
    cost: plus(scaled(times(sizes.of(args[0]), sizes.of(args[1])), factor), ONE),
  });

const allocating = (factor: number, size: CostRange): CallEstimate => ({
  cost: plus(plus(scaled(size, factor), ONE), fixed(LIST_CREATE)),
  size,
});

const pairs = (size: CostRange, text: boolean): CallEstimate =>
  allocating(text ? 2 + TRAVERSAL : 2, times(size, size));

function constantInt(node: CostNode | undefined, otherwise: bigint): bigint {
  const expr = node?.expr;
  if (expr?.kind !== 'literal' || typeof expr.value !== 'bigint') return otherwise;
  return expr.value < 0n ? 0n : expr.value;
}

const flatten: Estimate = ({ target, args }, sizes) => {
  const depth = args.length === 1 ? constantInt(args[0], UNBOUNDED) : 1n;
  return allocating(Number(depth), sizes.of(target));
};

const BY_OVERLOAD: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['list_sets_contains_list', sets(1)],
  ['list_sets_intersects_list', sets(1)],
  ['list_sets_equivalent_list', sets(2)],
  [
    'list_slice',
    ({ target, args }, sizes) => {
      const end = constantInt(args[1], sizes.of(target).max);
      return allocating(1, fixed(BigInt.asUintN(64, end - constantInt(args[0], 0n))));
    },
  ],
  ['lists_range', ({ args }) => allocating(1, fixed(constantInt(args[0], UNBOUNDED)))],
  ['list_reverse', ({ target }, sizes) => allocating(1, sizes.of(target))],
  ['list_flatten', flatten],
  ['list_flatten_int', flatten],
  ['list_distinct', ({ target }, sizes) => pairs(sizes.of(target), false)],
]);

/** What a library says of a call; undefined where the language's own numbers hold. */
export function libraryEstimate(
  call: EstimatedCall,
  context: CallContext,
): CallEstimate | undefined {
  const sizes = sizesIn(context);
  const { overload } = call;
  const byOverload = BY_OVERLOAD.get(overload);
  if (byOverload) return byOverload(call, sizes);
  const isText = /^list_(?:string|bytes)_/.test(overload);
  if (overload.endsWith('_sort')) return pairs(sizes.of(call.target), isText);
  if (overload.endsWith('_sortByAssociatedKeys')) return pairs(sizes.of(call.args[0]), isText);
  return BY_NAME.get(call.name)?.(call, sizes);
}
