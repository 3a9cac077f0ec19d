import type { Pod } from './kinds.ts';

/** How the containers of a pod behave, from its annotations. */
export interface Behaviour {
  /** From being on a node to running. */
  readonly startSeconds: number;
  /** From running to ready. */
  readonly readySeconds: number;
  /** Never ready, although running. */
  readonly isUnready: boolean;
  /** Each run ends after this with `exitCode`; undefined for never. */
  readonly crashAfterSeconds: number | undefined;
  /** A pod that is meant to end does so after this; undefined for pods that are not. */
  readonly runSeconds: number | undefined;
  /** Undefined where the pod says nothing: 1 for a crash, 0 for an end. */
  readonly exitCode: number | undefined;
  /** How long the containers take to stop when they are asked to. */
  readonly stopSeconds: number;
  /** Lines written when a container starts. */
  readonly logLines: number;
  /** A further line each time this has passed; undefined for none. */
  readonly logEverySeconds: number | undefined;
}

/** A behaviour, and what is wrong with the annotations it was read from. */
export interface ReadBehaviour {
  readonly behaviour: Behaviour;
  readonly problems: readonly string[];
}

/** What all annotations of the simulator begin with. */
export const PREFIX = 'simulator.flotilla.dev/';

const RUN_SECONDS = 1;
const LOG_LINES = 3;
const MOST_LOG_LINES = 10_000;

/** Reads the annotations of a pod; those that make no sense are told and count as absent. */
export function readBehaviour({ metadata, spec }: Pod): ReadBehaviour {
  const { annotations = {} } = metadata;
  const problems: string[] = [];
  const textOf = (name: string): string | undefined => annotations[`${PREFIX}${name}`];
  const reject = (name: string, wanted: string): undefined => {
    problems.push(`Cannot use annotation ${PREFIX}${name} "${textOf(name)}": it must be ${wanted}`);
    return undefined;
  };
  const seconds = (name: string): number | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    return /^\d+(\.\d+)?$/.test(text) ? Number(text) : reject(name, 'a number of seconds');
  };
  const integer = (name: string, most: number): number | undefined => {
    const text = textOf(name);
    if (text === undefined) return undefined;
    const isFine = /^\d+$/.test(text) && Number(text) <= most;
    return isFine ? Number(text) : reject(name, `a whole number up to ${most}`);
  };
  const flag = (name: string): boolean => {
    const text = textOf(name);
    if (text === undefined || text === 'false') return false;
    return text === 'true' || (reject(name, 'true or false') ?? false);
  };
  // Only pods that may end do so by themselves.
  const runSeconds =
    seconds('run-seconds') ??
    ((spec.restartPolicy ?? 'Always') === 'Always' ? undefined : RUN_SECONDS);
  const logEvery = seconds('log-every-seconds');
  return {
    behaviour: {
      startSeconds: seconds('start-seconds') ?? 0,
      readySeconds: seconds('ready-seconds') ?? 0,
      isUnready: flag('unready'),
      crashAfterSeconds: seconds('crash-after-seconds'),
      runSeconds,
      exitCode: integer('exit-code', 255),
      stopSeconds: seconds('stop-seconds') ?? 0,
      logLines: integer('log-lines', MOST_LOG_LINES) ?? LOG_LINES,
      logEverySeconds: logEvery === 0 ? reject('log-every-seconds', 'more than 0') : logEvery,
    },
    problems,
  };
}
