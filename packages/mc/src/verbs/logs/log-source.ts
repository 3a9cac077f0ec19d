import type { Clock } from '@flotilla/machinery';
import type { Glob } from '../../selection/glob.ts';
import type { ContainerState } from './pod-facts.ts';

/** One container whose log is wanted. */
export interface LogSource {
  readonly namespace: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
  readonly state: ContainerState;
}

/** A place where pods are looked for, now and, when following, from now on. */
export interface PodSearch {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly glob?: Glob | undefined;
}

/** What looking needs beside the member: its own end, and time. */
export interface Looking {
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'wait'>;
}
