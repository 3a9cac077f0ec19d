import type { ApiResource } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import type { RollCall } from '../../follow/roll-call.ts';
import type { Session } from '../../session.ts';
import type { WaitPlan } from './wait-plan.ts';

/** What the clusters of one wait share. */
export interface WaitRun {
  readonly plan: WaitPlan;
  readonly session: Pick<Session, 'io' | 'settings' | 'note'>;
  readonly rollCall: RollCall;
  /** Aborted when the time is up. */
  readonly end: AbortSignal;
  /** Shows an object that has met a condition. */
  readonly show: (object: KubeObject, resource: ApiResource, cluster: string) => Promise<void>;
}

/** How waiting on one cluster ended. */
export interface MemberWait {
  /** How many objects were waited for. */
  readonly count: number;
  /** What is to be said of each object that did not meet the conditions in time. */
  readonly unmet: readonly string[];
}
