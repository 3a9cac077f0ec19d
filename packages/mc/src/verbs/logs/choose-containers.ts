import type { Pod } from '@flotilla/client';
import { goQuote } from '@flotilla/machinery';
import { Absent } from '../../fan-out/answer-errors.ts';
import type { LogPlan } from './log-plan.ts';
import { containersOf, type PodContainers } from './pod-facts.ts';

/** Which containers of a pod are meant. */
export interface ChosenContainers {
  readonly names: readonly string[];
  /** What the user is told about the choice, in kubectl's words. */
  readonly notes: readonly string[];
}

const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Chooses as kubectl does: the one that is named, all of them, the pod's default, or the first. */
export function chooseContainers(
  pod: Pod,
  { container, allContainers }: Pick<LogPlan, 'container' | 'allContainers'>,
): ChosenContainers {
  const all = containersOf(pod);
  const known = [...all.init, ...all.regular, ...all.ephemeral];
  if (allContainers) return { names: known, notes: [] };
  if (container !== undefined) {
    if (!known.includes(container)) throw invalid(container, pod);
    return { names: [container], notes: [] };
  }
  const preset = pod.metadata.annotations?.[DEFAULT_CONTAINER] ?? '';
  if (preset !== '' && known.includes(preset)) return { names: [preset], notes: [] };
  const notes =
    preset === ''
      ? []
      : [`Default container name ${goQuote(preset)} not found in pod ${pod.metadata.name}`];
  const [first] = all.regular;
  if (first === undefined) throw new TypeError(`pod ${pod.metadata.name} has no containers`);
  if (known.length > 1) {
    notes.push(`Defaulted container ${goQuote(first)} out of: ${listed(all)}`);
  }
  return { names: [first], notes };
}

function listed({ regular, ephemeral, init }: PodContainers): string {
  return [
    ...regular,
    ...ephemeral.map((name) => `${name} (ephem)`),
    ...init.map((name) => `${name} (init)`),
  ].join(', ');
}

/** Clusters whose pods have no such container simply do not have what is asked for. */
function invalid(container: string, { metadata }: Pod): Absent {
  return new Absent(
    `container ${container} is not valid for pod ${metadata.name}`,
    'NoSuchContainer',
  );
}
