import type { Claim, Condition } from './condition.ts';
import { type ConditionSet, gatesReady, isSkipped, typesOf } from './condition-set.ts';

/** How a pass came to its end, as far as the summary is concerned. */
export type Ending =
  | { readonly how: 'done' }
  | { readonly how: 'suspended' }
  | { readonly how: 'failed'; readonly message: string }
  | { readonly how: 'waiting' | 'stalled'; readonly reason: string; readonly message: string };

/** What Ready says when all is well; a spec may have words of its own for it. */
export interface ReadyText {
  /** @default 'Succeeded' */
  readonly reason?: string;
  /** @default 'Reconciled' */
  readonly message?: string;
}

/** The three conditions that kstatus and every reader of a fleet look at; undefined ones are absent. */
export interface Summary {
  readonly ready: Claim;
  readonly reconciling: Claim | undefined;
  readonly stalled: Claim | undefined;
}

/**
 * One rule for every kind: Ready is what the first condition in declared order says that is False, or Unknown without
 * the spec having asked for it; otherwise it is True. Reconciling and Stalled exist only while they are True, and never
 * both.
 */
export function summarize(
  set: ConditionSet,
  get: (type: string) => Condition | undefined,
  { ending, text = {} }: { readonly ending: Ending; readonly text?: ReadyText },
): Summary {
  const ready = readyClaim(firstObstacle(set, get), ending, text);
  const { message } = ready;
  if (ready.status === 'True' || ending.how === 'suspended') {
    return { ready, reconciling: undefined, stalled: undefined };
  }
  if (ending.how === 'stalled') {
    const { reason } = ending;
    const stalled: Claim = { type: 'Stalled', status: 'True', reason, message: ending.message };
    return { ready, reconciling: undefined, stalled };
  }
  const reason = ending.how === 'failed' ? 'ProgressingWithRetry' : 'Progressing';
  const reconciling: Claim = { type: 'Reconciling', status: 'True', reason, message };
  return { ready, reconciling, stalled: undefined };
}

function readyClaim(obstacle: Condition | undefined, ending: Ending, text: ReadyText): Claim {
  const type = 'Ready';
  if (ending.how === 'suspended') {
    return { type, status: 'Unknown', reason: 'Suspended', message: 'spec.suspend is true' };
  }
  if (ending.how === 'failed') {
    return { type, status: 'False', reason: 'Failed', message: ending.message };
  }
  if (obstacle !== undefined) {
    const { status, reason, message } = obstacle;
    return { type, status, reason, message };
  }
  // A pass may wait for something that only informs; it is not over all the same.
  if (ending.how !== 'done') {
    return { type, status: 'False', reason: ending.reason, message: ending.message };
  }
  const { reason = 'Succeeded', message = 'Reconciled' } = text;
  return { type, status: 'True', reason, message };
}

function firstObstacle(
  set: ConditionSet,
  get: (type: string) => Condition | undefined,
): Condition | undefined {
  for (const type of typesOf(set)) {
    const condition = gatesReady(set, type) ? get(type) : undefined;
    if (condition === undefined || condition.status === 'True') continue;
    if (isSkipped(set, condition)) continue;
    return condition;
  }
  return undefined;
}
