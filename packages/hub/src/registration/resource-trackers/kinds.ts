import { defineKind, type KubeObject } from '@flotilla/machinery';

/** What KubeVela remembers of what an Application deployed, and where. Cluster-scoped. */
export interface ResourceTracker extends KubeObject {
  spec?: {
    /** Empty in the stored object while `compression` has a type. */
    managedResources?: unknown;
    /** `data` is base64 of the compressed JSON of what managedResources would be. */
    compression?: { type?: unknown; data?: unknown; [field: string]: unknown };
    [field: string]: unknown;
  };
}

/** core.oam.dev/v1beta1 ResourceTrackers. */
export const ResourceTrackers = defineKind<ResourceTracker>({
  group: 'core.oam.dev',
  version: 'v1beta1',
  kind: 'ResourceTracker',
  plural: 'resourcetrackers',
  namespaced: false,
});
