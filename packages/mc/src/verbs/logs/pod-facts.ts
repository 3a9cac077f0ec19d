import type { Pod } from '@flotilla/client';
import { getOwn, isJsonObject } from '@flotilla/machinery';

/** The containers of a pod by name, in the order of its spec. */
export interface PodContainers {
  readonly init: readonly string[];
  readonly regular: readonly string[];
  readonly ephemeral: readonly string[];
}

/** What is known of one container. */
export interface ContainerState {
  /** `none` before it was ever started: there is no log. */
  readonly state: 'none' | 'running' | 'ended';
  /** Which run of the container it is. */
  readonly restarts: number;
}

/** The containers that a pod's spec lists; what makes no sense there is left out. */
export function containersOf({ spec }: Pod): PodContainers {
  return {
    init: namesIn(getOwn(spec ?? {}, 'initContainers')),
    regular: namesIn(getOwn(spec ?? {}, 'containers')),
    ephemeral: namesIn(getOwn(spec ?? {}, 'ephemeralContainers')),
  };
}

/** What a pod's status says of a container. */
export function containerState({ status }: Pod, name: string): ContainerState {
  for (const field of STATUSES) {
    const all: unknown = getOwn(status ?? {}, field);
    if (!Array.isArray(all)) continue;
    const found = all.find((each) => isJsonObject(each) && each['name'] === name) as
      | Record<string, unknown>
      | undefined;
    if (found !== undefined) return stateOf(found);
  }
  return { state: 'none', restarts: 0 };
}

/** Whether a pod's condition says that it is ready, and since when; undefined when it is not. */
export function readySince({ status }: Pod): string | undefined {
  const conditions: unknown = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  const ready = conditions.find((each) => isJsonObject(each) && each['type'] === 'Ready') as
    | Record<string, unknown>
    | undefined;
  if (ready?.['status'] !== 'True') return undefined;
  return textOf(ready['lastTransitionTime']);
}

/** How often the container that restarted most has. */
export function mostRestarts({ status }: Pod): number {
  const all: unknown = getOwn(status ?? {}, 'containerStatuses');
  if (!Array.isArray(all)) return 0;
  return Math.max(0, ...all.map((each) => (isJsonObject(each) ? restartsOf(each) : 0)));
}

const STATUSES = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];

function namesIn(containers: unknown): string[] {
  if (!Array.isArray(containers)) return [];
  return containers.flatMap((each) =>
    isJsonObject(each) && typeof each['name'] === 'string' ? [each['name']] : [],
  );
}

function stateOf(status: Record<string, unknown>): ContainerState {
  const state = isJsonObject(status['state']) ? status['state'] : {};
  const lastState = isJsonObject(status['lastState']) ? status['lastState'] : {};
  const restarts = restartsOf(status);
  if (isJsonObject(state['running'])) return { state: 'running', restarts };
  // While it waits to be started again, the log is that of its last run.
  const isEnded = isJsonObject(state['terminated']) || isJsonObject(lastState['terminated']);
  return { state: isEnded ? 'ended' : 'none', restarts };
}

function restartsOf(status: Record<string, unknown>): number {
  const count = status['restartCount'];
  return typeof count === 'number' && Number.isFinite(count) ? count : 0;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
