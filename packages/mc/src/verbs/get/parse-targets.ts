import { isGlob, parseGlob } from '../../selection/glob.ts';
import { UsageError } from '../../usage-error.ts';
import type { Target } from './target.ts';

/** Arguments, taken apart. */
interface Asked {
  readonly cluster: string | undefined;
  readonly type: string;
  readonly name: string | undefined;
}

/** `c1:pod/x`; the cluster may be `namespace/name`, and names of objects may have colons. */
const WITH_CLUSTER = /^([^:]+):([^/]+\/[^/]+)$/;

/**
 * Reads arguments in all of kubectl's forms: `TYPE[,TYPE] [NAME...]`, `TYPE/NAME...`, and `CLUSTER:TYPE/NAME...`, which
 * `-o name` prints. Names may be globs. Throws kubectl's words for what fits none of them.
 */
export function parseTargets(args: readonly string[]): Target[] {
  const targets: Target[] = [];
  for (const { cluster, type, name } of readArgs(args)) {
    const last = targets.at(-1);
    const segment = last === undefined ? 0 : last.segment + (last.type === type ? 0 : 1);
    targets.push({ cluster, type, segment, ...nameOf(name) });
  }
  return targets;
}

function readArgs(args: readonly string[]): Asked[] {
  const [types = '', ...names] = args;
  if (args.length === 0) return [];
  const separate = args.map(splitCluster);
  const all = namesPerType(separate.map(({ text }) => text));
  const withSlash = all.filter((text) => text.includes('/')).length;
  if (withSlash > 0) {
    if (withSlash < all.length) throw needlessType();
    const clusters = all.length === separate.length ? separate : [];
    return all.map((text, index) => ({
      ...readTuple(text),
      cluster: clusters[index]?.cluster,
    }));
  }
  const [type = ''] = all;
  if (names.length > 0) {
    return names.map((name) => ({ cluster: undefined, type, name }));
  }
  return distinct(types.split(',')).map((each) => ({
    cluster: undefined,
    type: each,
    name: undefined,
  }));
}

function splitCluster(text: string): {
  readonly cluster: string | undefined;
  readonly text: string;
} {
  const [, cluster, rest] = WITH_CLUSTER.exec(text) ?? [];
  return rest === undefined ? { cluster: undefined, text } : { cluster, text: rest };
}

/** `a,b x y` means `a/x a/y b/x b/y`. */
function namesPerType(args: readonly string[]): readonly string[] {
  const [first = '', ...names] = args;
  const types = distinct(first.split(','));
  if (names.length === 0 || types.length < 2) return args;
  return types.flatMap((type) => names.map((name) => `${type}/${name}`));
}

function readTuple(text: string): Pick<Asked, 'type' | 'name'> {
  const [type = '', name = '', ...more] = text.split('/');
  if (more.length > 0) {
    throw new UsageError('arguments in resource/name form may not have more than one slash');
  }
  if (type === '' || name === '' || type.includes(',')) {
    throw new UsageError('arguments in resource/name form must have a single resource and name');
  }
  return { type, name };
}

function needlessType(): UsageError {
  return new UsageError(
    "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl mc get resource/<resource_name>' instead of 'kubectl mc get resource resource/<resource_name>'",
  );
}

function nameOf(name: string | undefined): Pick<Target, 'name' | 'glob'> {
  if (name === undefined || !isGlob(name)) return { name };
  const glob = parseGlob(name);
  if (glob === undefined)
    throw new UsageError(`Cannot use "${name}": it stands for too many names`);
  return { name, glob };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
