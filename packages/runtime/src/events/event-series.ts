import type { KubeEvent } from '@flotilla/client';

/** How often an event happened, beside the first time. */
export interface EventSeries {
  count: number;
  lastObservedTime: string;
}

/** An event of events.k8s.io/v1 as it is sent. */
export interface SentEvent extends KubeEvent {
  series?: EventSeries;
}

/** What was sent of events that are alike. */
export interface Series {
  readonly event: SentEvent;
  /** When the last of them happened, on the clock's `elapsed`. */
  lastAt: number;
  /** What the server knows: 1 for the event alone. */
  sentCount: number;
  /** When the server last heard of it. */
  sentAt: number;
}

/** A series is over when nothing like it happened for so long; then the server hears its final count. */
export const SERIES_END_MS = 6 * 60_000;

/** Servers forget events after an hour; a series that goes on is told again. */
export const SERIES_REFRESH_MS = 30 * 60_000;
