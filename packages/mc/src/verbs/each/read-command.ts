import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { commandOf, flagsIn, readsStdin } from './command-words.ts';

/** A command for kubectl, and what is known about it. */
export interface EachCommand {
  readonly words: readonly string[];
  /** `get`, `rollout status`; empty when nobody can tell. */
  readonly name: string;
  /** False when it may change something, as far as we know. */
  readonly isRead: boolean;
  /** Whether it goes on until somebody ends it, so that all clusters must have their turn at once. */
  readonly isStream: boolean;
  /** Whether it waits for something, for which half a minute says nothing. */
  readonly isPatient: boolean;
  readonly wantsStdin: boolean;
  /** Whether exit code 1 is an answer: a difference, a no. */
  readonly answersWithOne: boolean;
}

/** Commands that change nothing, whatever their flags are. */
const READS: ReadonlySet<string> = new Set([
  'api-resources',
  'api-versions',
  'auth can-i',
  'auth whoami',
  'cluster-info',
  'completion',
  'config current-context',
  'config get-contexts',
  'config view',
  'describe',
  'diff',
  'events',
  'explain',
  'get',
  'help',
  'kustomize',
  'logs',
  'options',
  'plugin list',
  'rollout history',
  'rollout status',
  'top',
  'version',
  'wait',
]);

const STREAMS: ReadonlySet<string> = new Set(['attach', 'port-forward', 'proxy']);
const PATIENT: ReadonlySet<string> = new Set([
  'cp',
  'debug',
  'delete',
  'drain',
  'exec',
  'rollout status',
  'run',
  'wait',
]);
const ANSWERS_WITH_ONE: ReadonlySet<string> = new Set(['auth can-i', 'diff']);
const WATCHES: ReadonlySet<string> = new Set(['--follow', '--watch', '--watch-only', '-w']);

/** These lead elsewhere than to the cluster whose turn it is. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  '--cluster',
  '--context',
  '--kubeconfig',
  '--server',
  '-s',
]);

/** Reads what stands behind `--`. Throws UsageError for what would not go to the clusters that were chosen. */
export function readCommand({ args, rest = [] }: Call): EachCommand {
  if (args.length > 0) {
    throw new UsageError(
      `each takes the kubectl command behind --, as in: kubectl mc each -- ${[...args, ...rest].join(' ')}`,
    );
  }
  if (rest.length === 0) {
    throw new UsageError(
      "each needs a kubectl command behind --, as in: kubectl mc each --clusters 'prod-*' -- get pods",
    );
  }
  const flags = flagsIn(rest);
  const elsewhere = flags.find((flag) => ELSEWHERE.has(flag));
  if (elsewhere !== undefined) {
    throw new UsageError(
      `Cannot hand ${elsewhere} to kubectl: each runs it on every chosen cluster. Choose them before --, as in: kubectl mc each --clusters NAME -- ...`,
    );
  }
  const name = commandOf(rest) ?? '';
  const isFollowed = name === 'logs' && flags.includes('-f');
  const isStream = STREAMS.has(name) || isFollowed || flags.some((flag) => WATCHES.has(flag));
  return {
    words: rest,
    name,
    isRead: READS.has(name),
    isStream,
    isPatient: isStream || PATIENT.has(name),
    wantsStdin: readsStdin(rest),
    answersWithOne: ANSWERS_WITH_ONE.has(name),
  };
}
