import { formatTime, isAlreadyExists, isForbidden, isNotFound } from '@flotilla/machinery';
import { createObject } from '../objects/create-object.ts';
import type { Engine } from '../objects/engine.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

/** What an event says, and about which object. */
export interface EventNote {
  readonly about: {
    readonly apiVersion: string;
    readonly kind: string;
    /** '' for what is cluster-wide; its events stand in `default`. */
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
  };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

/** Writes an event. */
export type RecordEvent = (tenant: Tenant, note: EventNote) => Promise<void>;

/** Events as client-go's recorder writes them, without its counting of repeated ones. */
export function eventRecorder(engine: Engine, events: ResourceDef): RecordEvent {
  return async (tenant, { about, type, reason, message, component }) => {
    const now = engine.now();
    const namespace = about.namespace === '' ? 'default' : about.namespace;
    const time = formatTime(now);
    const { apiVersion, kind, name, uid } = about;
    try {
      await createObject(engine, {
        tenant,
        def: events,
        namespace,
        object: {
          kind: 'Event',
          apiVersion: 'v1',
          metadata: {
            name: `${name}.${(BigInt(now.getTime()) * 1_000_000n).toString(16)}`,
            namespace,
          },
          involvedObject: {
            kind,
            ...(about.namespace === '' ? {} : { namespace: about.namespace }),
            name,
            uid,
            apiVersion,
          },
          reason,
          message,
          source: { component },
          firstTimestamp: time,
          lastTimestamp: time,
          count: 1,
          type,
          eventTime: null,
          reportingComponent: component,
          reportingInstance: '',
        },
        user: SYSTEM_USER,
        dryRun: false,
        warn: noWarnings,
      });
    } catch (error) {
      // The namespace goes, or the same was said in the same instant: the event is no longer worth anything.
      if (!isForbidden(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
    }
  };
}
