import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameAndAge, nameCell } from '../core/cells.ts';

/** The kinds of resource.k8s.io are kept and shown; nothing here gives devices to pods. */

interface DeviceCount {
  allocationMode?: string;
  count?: number;
}

interface ClaimSpec {
  devices?: { requests: { exactly?: DeviceCount; firstAvailable?: DeviceCount[] }[] | null };
}

interface ResourceClaim extends KubeObject {
  spec: ClaimSpec;
  status?: { allocation?: unknown; reservedFor?: unknown[] };
}

interface ResourceClaimTemplate extends KubeObject {
  spec: { spec: ClaimSpec };
}

interface ResourceSlice extends KubeObject {
  spec: { nodeName?: string; driver: string; pool: { name: string } };
}

/** A kind of device, for claims to ask for. */
export const deviceClass: KindBehaviour = { generation: 'spec', cells: nameAndAge };

/** A wish for devices. */
export const resourceClaim: KindBehaviour<ResourceClaim> = {
  keepsMetadataOnStatus: true,
  defaults: ({ spec }) => defaultCounts(spec),
  cells: (object, { now }) => [nameCell(object), claimState(object), age(object, now)],
};

/** What claims made for each pod look like. */
export const resourceClaimTemplate: KindBehaviour<ResourceClaimTemplate> = {
  defaults: ({ spec }) => defaultCounts(spec.spec),
  cells: nameAndAge,
};

/** The devices a driver has on a node. */
export const resourceSlice: KindBehaviour<ResourceSlice> = {
  generation: 'spec',
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.driver': ({ spec }) => spec.driver,
  },
  unselectable: (field) =>
    `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.nodeName ?? '',
    object.spec.driver,
    object.spec.pool.name,
    age(object, now),
  ],
};

/** Who does not say how many devices wants exactly one. */
function defaultCounts({ devices }: ClaimSpec): void {
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? []) {
    for (const request of exactly === undefined ? firstAvailable : [exactly, ...firstAvailable]) {
      request.allocationMode ||= 'ExactCount';
      if (request.allocationMode === 'ExactCount') request.count ||= 1;
    }
  }
}

function claimState({ metadata, status }: ResourceClaim): string {
  const deleted = metadata.deletionTimestamp !== undefined;
  if (status?.allocation === undefined) return deleted ? 'deleted' : 'pending';
  const states = deleted ? ['deleted', 'allocated'] : ['allocated'];
  return [...states, ...(status.reservedFor?.length ? ['reserved'] : [])].join(',');
}
