import type { PatchType } from '../client.ts';

/** Plain objects. */
export const JSON_TYPE = 'application/json';

const META = 'g=meta.k8s.io';

/** Tables, or what the server has instead; the order kubectl asks in. */
export const TABLE_TYPES = `${JSON_TYPE};as=Table;v=v1;${META},${JSON_TYPE};as=Table;v=v1beta1;${META},${JSON_TYPE}`;

/** One object's metadata, or the whole object. */
export const PARTIAL_TYPES = `${JSON_TYPE};as=PartialObjectMetadata;${META};v=v1,${JSON_TYPE}`;

/** Metadata of many, or whole objects. */
export const PARTIAL_LIST_TYPES = `${JSON_TYPE};as=PartialObjectMetadataList;${META};v=v1,${JSON_TYPE}`;

/** What each form of patch is sent as. */
export const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** Server-side apply; JSON is YAML, too. */
export const APPLY_TYPE = 'application/apply-patch+yaml';
