import type { Pod } from '@flotilla/client';
import { mostRestarts, readySince } from './pod-facts.ts';

/** Failed and succeeded ones count as running, as in kubectl. */
const PHASES: Readonly<Record<string, number>> = { Unknown: 1, Pending: 2 };

/**
 * Pods by how much their logs may tell, the best first: on a node, running, ready, ready for longest, restarted most,
 * oldest. Equals kubectl's choice.
 */
export function byLogging(one: Pod, other: Pod): number {
  return (
    truth(!isAssigned(one)) - truth(!isAssigned(other)) ||
    phaseOf(one) - phaseOf(other) ||
    compareReady(one, other) ||
    mostRestarts(other) - mostRestarts(one) ||
    compareTimes(
      one.metadata.creationTimestamp ?? undefined,
      other.metadata.creationTimestamp ?? undefined,
    )
  );
}

function isAssigned({ spec }: Pod): boolean {
  return (spec?.nodeName ?? '') !== '';
}

function phaseOf({ status }: Pod): number {
  return PHASES[status?.phase ?? ''] ?? 0;
}

function compareReady(one: Pod, other: Pod): number {
  const [first, second] = [readySince(one), readySince(other)];
  if (first === undefined || second === undefined) {
    return truth(first === undefined) - truth(second === undefined);
  }
  return compareTimes(first, second);
}

/** Earlier ones first, missing ones last. */
function compareTimes(one: string | undefined, other: string | undefined): number {
  const [first, second] = [timeOf(one), timeOf(other)];
  return first === second ? 0 : first - second;
}

function timeOf(text: string | undefined): number {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? Number.MAX_VALUE : ms;
}

function truth(value: boolean): number {
  return value ? 1 : 0;
}
