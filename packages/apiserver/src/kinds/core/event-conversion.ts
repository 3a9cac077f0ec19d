import type { Json, KubeObject, ObjectMeta } from '@flotilla/machinery';

/** What an event is about. */
export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

/** An event that happened more than once. */
export interface EventSeries {
  count?: number;
  lastObservedTime?: string | null;
}

interface EventSource {
  component?: string;
  host?: string;
}

/** An event of the core group. */
export interface CoreEvent extends KubeObject {
  metadata: ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source: EventSource;
  firstTimestamp: string | null;
  lastTimestamp: string | null;
  count?: number;
  type?: string;
  eventTime: string | null;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent: string;
  reportingInstance: string;
}

/** The same event in the group events.k8s.io, where the old fields are called deprecated. */
export interface EventsEvent extends KubeObject {
  metadata: ObjectMeta;
  eventTime: string | null;
  series?: EventSeries;
  reportingController?: string;
  reportingInstance?: string;
  action?: string;
  reason?: string;
  regarding: ObjectReference;
  related?: ObjectReference;
  note?: string;
  type?: string;
  deprecatedSource: EventSource;
  deprecatedFirstTimestamp: string | null;
  deprecatedLastTimestamp: string | null;
  deprecatedCount?: number;
}

/** An event of events.k8s.io/v1 as the core group shows it. */
export function coreEventOf(event: EventsEvent): CoreEvent {
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: event.metadata,
    involvedObject: event.regarding,
    ...present({ reason: event.reason, message: event.note }),
    source: event.deprecatedSource,
    firstTimestamp: event.deprecatedFirstTimestamp,
    lastTimestamp: event.deprecatedLastTimestamp,
    ...present({ count: event.deprecatedCount, type: event.type }),
    eventTime: event.eventTime,
    ...present({ series: event.series, action: event.action, related: event.related }),
    reportingComponent: event.reportingController ?? '',
    reportingInstance: event.reportingInstance ?? '',
  };
}

/** A core event as events.k8s.io/v1 shows it. */
export function eventsEventOf(event: CoreEvent): EventsEvent {
  return {
    kind: 'Event',
    apiVersion: 'events.k8s.io/v1',
    metadata: event.metadata,
    eventTime: event.eventTime,
    ...present({
      series: event.series,
      reportingController: event.reportingComponent,
      reportingInstance: event.reportingInstance,
      action: event.action,
      reason: event.reason,
    }),
    regarding: event.involvedObject,
    ...present({ related: event.related, note: event.message, type: event.type }),
    deprecatedSource: event.source,
    deprecatedFirstTimestamp: event.firstTimestamp,
    deprecatedLastTimestamp: event.lastTimestamp,
    ...present({ deprecatedCount: event.count }),
  };
}

/** The fields that are set, as canonical objects leave out empty ones. */
function present<T extends Json>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && value !== 0,
  );
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> };
}
