import { encodeJson, type Json, type KubeObject } from '@flotilla/machinery';
import { canonicalize } from '../codec/canonical.ts';
import type { StructType } from '../codec/go-type.ts';
import { decodePatched } from '../codec/patched.ts';
import { strategicMergePatch } from '../codec/strategic-merge.ts';
import { typeTables } from '../codec/type-tables.ts';
import { crdDeletion } from '../custom/crd-deletion.ts';
import { readData } from '../data-files.ts';
import type { KindBehaviour } from '../kinds/behaviour.ts';
import { autoscalerV1Of, autoscalerV2Of } from '../kinds/cluster/autoscaler-conversion.ts';
import { clusterKinds } from '../kinds/cluster/index.ts';
import { coreEventOf, eventsEventOf } from '../kinds/core/event-conversion.ts';
import { coreKinds } from '../kinds/core/index.ts';
import { workloadKinds } from '../kinds/workloads/index.ts';
import { mergeSchemaOfType } from '../managed-fields/type-schema.ts';
import {
  createRegistry,
  type Form,
  type GroupVersionData,
  type Registry,
  type RegistryDeps,
} from './registry.ts';
import type { Column } from './resource.ts';

/** Kinds whose delete answers with the object rather than a Status (upstream's ReturnDeletedObject). */
const RETURN_DELETED = new Set([
  '/v1/Namespace',
  '/v1/PersistentVolume',
  '/v1/PersistentVolumeClaim',
  '/v1/Pod',
  '/v1/PodTemplate',
  '/v1/ResourceQuota',
  '/v1/Service',
  '/v1/ServiceAccount',
  'resource.k8s.io/v1/DeviceClass',
  'resource.k8s.io/v1/ResourceClaim',
  'resource.k8s.io/v1/ResourceClaimTemplate',
  'resource.k8s.io/v1/ResourceSlice',
  'storage.k8s.io/v1/CSIDriver',
  'storage.k8s.io/v1/CSINode',
  'storage.k8s.io/v1/StorageClass',
  'storage.k8s.io/v1/VolumeAttachment',
  'storage.k8s.io/v1/VolumeAttributesClass',
]);

/** Versions that are served but not stored: read and written through another. */
const conversions: RegistryDeps['conversions'] = {
  'events.k8s.io/v1/events': {
    storedAs: { group: '', resource: 'events' },
    fromStored: (object) => eventsEventOf(object as Parameters<typeof eventsEventOf>[0]),
    toStored: (object) => coreEventOf(object as Parameters<typeof coreEventOf>[0]),
  },
  'autoscaling/v1/horizontalpodautoscalers': {
    storedAs: { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
    fromStored: (object) => autoscalerV1Of(object as Parameters<typeof autoscalerV1Of>[0]),
    toStored: (object) => autoscalerV2Of(object as Parameters<typeof autoscalerV2Of>[0]),
  },
};

/** Every resource of Kubernetes itself that this server serves. */
export function builtinRegistry(): Registry {
  let columns: Record<string, readonly Column[]> | undefined;
  return createRegistry({
    groupVersions: readData<GroupVersionData[]>('resources.json'),
    behaviours: behaviours(),
    columns: () => {
      columns ??= readData<Record<string, readonly Column[]>>('columns.json');
      return columns;
    },
    formOf,
    encode: (object) => Buffer.from(encodeJson(object)),
    conversions,
  });
}

/** The type of a kind is looked up when the first object comes by, so that idle kinds cost nothing. */
function formOf(group: string, version: string, kind: string): Form {
  let found: StructType | undefined;
  const type = (): StructType => {
    found ??= typeTables().kind({ group, version, kind });
    if (found === undefined)
      throw new Error(`Cannot find the type of "${group}/${version} ${kind}"`);
    return found;
  };
  let empty: KubeObject | undefined;
  return {
    mergeSchema: () => mergeSchemaOfType(type()),
    emptyObject: () => {
      empty ??= {
        ...(type().zero() as KubeObject),
        apiVersion: group === '' ? version : `${group}/${version}`,
        kind,
      };
      return empty;
    },
    canonicalize: (object) => canonicalize(type(), object) as unknown as KubeObject,
    storedForm: (object) =>
      canonicalize(type(), object, { trusted: true, stored: true }) as unknown as KubeObject,
    decodePatched: (patched) =>
      decodePatched({ type: type(), expected: { group, version, kind }, ...patched }),
    strategicMerge: (object, patch) =>
      strategicMergePatch(type(), object as unknown as Json, patch),
  };
}

const JOB_WARNING =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning';

function behaviours(): Record<string, KindBehaviour> {
  const all: Record<string, KindBehaviour> = { ...coreKinds, ...clusterKinds, ...workloadKinds };
  for (const name of RETURN_DELETED) all[name] = { ...all[name], returnsDeletedObject: true };
  const crd = 'apiextensions.k8s.io/v1/CustomResourceDefinition';
  all[crd] = { ...all[crd], ...crdDeletion };
  all['batch/v1/Job'] = { ...all['batch/v1/Job'], deleteWarning: JOB_WARNING };
  return all;
}
