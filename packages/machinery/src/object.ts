/** Who an object belongs to; deleting the last owner deletes the object. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The metadata every Kubernetes object carries. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string | undefined;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: unknown[];
}

/** Any Kubernetes object, as plain JSON data. Integers beyond 2^53 are bigints. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/** A JSON object whose fields are not known here. */
export type Json = Record<string, unknown>;

/** A resource and the group it belongs to, as errors and RBAC name it. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A kind and its group, as validation errors name it. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}
