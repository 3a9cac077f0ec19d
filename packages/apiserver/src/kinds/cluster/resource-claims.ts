import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameAndAge, nameCell } from '../core/cells.ts';

/** The kinds of resource.k8s.io are kept and shown; nothing here gives devices to pods. */

interface ResourceClaim extends KubeObject {
  status?: { allocation?: unknown; reservedFor?: unknown[] };
}

interface ResourceSlice extends KubeObject {
  spec: { nodeName?: string; driver: string; pool: { name: string } };
}

/** A kind of device, for claims to ask for. */
export const deviceClass: KindBehaviour = { generation: 'spec', cells: nameAndAge };

/** A wish for devices. */
export const resourceClaim: KindBehaviour<ResourceClaim> = {
  cells: (object, { now }) => [nameCell(object), claimState(object), age(object, now)],
};

/** What claims made for each pod look like. */
export const resourceClaimTemplate: KindBehaviour = { cells: nameAndAge };

/** The devices a driver has on a node. */
export const resourceSlice: KindBehaviour<ResourceSlice> = {
  generation: 'spec',
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.driver': ({ spec }) => spec.driver,
  },
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.nodeName ?? '',
    object.spec.driver,
    object.spec.pool.name,
    age(object, now),
  ],
};

function claimState({ metadata, status }: ResourceClaim): string {
  const deleted = metadata.deletionTimestamp !== undefined;
  if (status?.allocation === undefined) return deleted ? 'deleted' : 'pending';
  const states = deleted ? ['deleted', 'allocated'] : ['allocated'];
  return [...states, ...(status.reservedFor?.length ? ['reserved'] : [])].join(',');
}
