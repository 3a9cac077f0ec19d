import type { Session } from '../../session.ts';
import { configKeys } from '../../settings/config-keys.ts';
import { argumentsOf, type ResourceArguments } from './arguments-of.ts';
import {
  beginnings,
  type Candidate,
  type Completion,
  FILES,
  NOTHING,
  words,
} from './completion.ts';
import { inList } from './in-list.ts';
import { clusterCandidates } from './sources/clusters.ts';
import { nameCandidates } from './sources/names.ts';
import { typeCandidates } from './sources/types.ts';
import type { TypedWords } from './typed-words.ts';

/** What an argument may become: that depends on the verb, and on the arguments before. */
export async function completeArgument(typed: TypedWords, session: Session): Promise<Completion> {
  const { verb, args } = typed;
  const expected = argumentsOf(verb?.name ?? '', typed.flags);
  switch (expected.kind) {
    case 'nothing':
      return NOTHING;
    case 'files':
      return FILES;
    case 'words': {
      const list = expected.words[Math.min(args.length, expected.words.length - 1)] ?? [];
      const isLeft = expected.isRepeated === true || args.length < expected.words.length;
      return isLeft
        ? words(
            without(
              args,
              list.map((value) => ({ value })),
            ),
          )
        : NOTHING;
    }
    case 'config-keys':
      return args.length === 0
        ? words(
            Object.entries(configKeys).map(([value, { allowed }]) => ({
              value,
              description: allowed,
            })),
          )
        : NOTHING;
    case 'clusters':
      return words(without(args, await clusterCandidates(session)));
    case 'names':
      return await ofCluster(
        typed,
        session,
        async (text, cluster) => await namesOrPairs(text, { args, expected, cluster, session }),
      );
    case 'can-i':
      if (args.length === 0) return words(VERBS.map((value) => ({ value })));
      return args.length === 1 ? words(await typeCandidates(session)) : NOTHING;
    case 'resources':
      return await ofCluster(
        typed,
        session,
        async (text, cluster) => await resources(text, { args, expected, cluster, session }),
      );
  }
}

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

interface Asked {
  readonly args: readonly string[];
  readonly expected: ResourceArguments;
  /** The one that is named before a colon. */
  readonly cluster: string | undefined;
  readonly session: Session;
}

/** `CLUSTER:` before an argument means that cluster alone. */
async function ofCluster(
  { typed }: TypedWords,
  session: Session,
  find: (text: string, cluster: string | undefined) => Promise<Completion>,
): Promise<Completion> {
  const cut = typed.lastIndexOf(':') + 1;
  if (cut === 0) return await find(typed, undefined);
  const cluster = typed.slice(0, cut - 1);
  const known = await clusterCandidates(session);
  // Names of some objects have colons, too.
  if (!known.some(({ value }) => value === cluster)) return await find(typed, undefined);
  const { candidates, directive } = await find(typed.slice(cut), cluster);
  const before = typed.slice(0, cut);
  return {
    directive,
    candidates: candidates.map(({ value, description }) => ({
      value: before + value,
      description,
    })),
  };
}

/** `TYPE NAME…`, `TYPE,TYPE` and `TYPE/NAME…`. */
async function resources(
  text: string,
  { args, expected, cluster, session }: Asked,
): Promise<Completion> {
  const slash = text.indexOf('/');
  const types = async (): Promise<Candidate[]> =>
    await typeCandidates(session, expected.types, cluster);
  if (slash >= 0) return words(await pairs(text.slice(0, slash), session, cluster));
  const [first] = args;
  if (first === undefined) {
    // With a cluster, only pairs can be meant.
    return cluster === undefined
      ? words(inList(text, await types()))
      : beginnings(slashed(await types()));
  }
  if (first.includes('/')) return beginnings(slashed(await types()));
  if (first.includes(',')) return NOTHING;
  return words(without(args.slice(1), await nameCandidates(first, session, cluster)));
}

/** `NAME` of the one type that the verb is about, or `TYPE/NAME`. */
async function namesOrPairs(
  text: string,
  { args, expected, cluster, session }: Asked,
): Promise<Completion> {
  const { type = 'pods', most = Number.POSITIVE_INFINITY } = expected;
  if (args.length >= most) return NOTHING;
  const slash = text.indexOf('/');
  if (slash >= 0) return words(await pairs(text.slice(0, slash), session, cluster));
  if (cluster !== undefined)
    return beginnings(slashed(await typeCandidates(session, expected.types ?? [type], cluster)));
  return words(without(args, await nameCandidates(type, session)));
}

async function pairs(
  type: string,
  session: Session,
  cluster: string | undefined,
): Promise<Candidate[]> {
  const names = await nameCandidates(type, session, cluster);
  return names.map(({ value, description }) => ({ value: `${type}/${value}`, description }));
}

function slashed(types: readonly Candidate[]): Candidate[] {
  return types.map(({ value, description }) => ({ value: `${value}/`, description }));
}

function without(args: readonly string[], candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ value }) => !args.includes(value));
}
