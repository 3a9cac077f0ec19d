import type { ResourceDef } from '../resources/resource.ts';

/**
 * How upstream looks at an object's metadata: `new` as at that of any object, `changed` beside what it was.
 * It does so once for all kinds and then in each kind's own rules, and clients see every cause as often.
 */
export type MetadataCheck = 'new' | 'changed';

interface Checks {
  /** False for kinds whose own rules do not look at metadata; what is wrong with it is told after them. */
  readonly create?: false;
  readonly update?: readonly MetadataCheck[];
  readonly status?: readonly MetadataCheck[];
}

const ROLES: Checks = { update: ['new', 'new', 'changed'] };
const BOTH: Checks = { update: ['changed', 'new'] };
const ONLY_NEW: Checks = { update: ['new'] };
const ONLY_CHANGED: Checks = { update: ['changed'] };

/** Kinds that check metadata otherwise than most, by `group/Kind`. */
const CHECKS: Readonly<Record<string, Checks>> = {
  '/Secret': BOTH,
  '/Endpoints': BOTH,
  '/LimitRange': ONLY_NEW,
  '/PersistentVolume': BOTH,
  '/PersistentVolumeClaim': { update: ['new', 'changed', 'new'] },
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': ONLY_NEW,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': ONLY_NEW,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': ONLY_NEW,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': ONLY_NEW,
  'batch/CronJob': { status: [] },
  'coordination.k8s.io/Lease': ONLY_CHANGED,
  'discovery.k8s.io/EndpointSlice': ONLY_NEW,
  'flowcontrol.apiserver.k8s.io/FlowSchema': ONLY_NEW,
  'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': ONLY_NEW,
  'networking.k8s.io/Ingress': BOTH,
  'networking.k8s.io/IngressClass': BOTH,
  'networking.k8s.io/NetworkPolicy': BOTH,
  'policy/PodDisruptionBudget': { create: false, update: [], status: [] },
  'rbac.authorization.k8s.io/ClusterRole': ROLES,
  'rbac.authorization.k8s.io/ClusterRoleBinding': ROLES,
  'rbac.authorization.k8s.io/Role': ROLES,
  'rbac.authorization.k8s.io/RoleBinding': ROLES,
  'resource.k8s.io/ResourceSlice': ONLY_CHANGED,
  'storage.k8s.io/CSIDriver': ONLY_CHANGED,
  'storage.k8s.io/CSINode': { update: ['new', 'new'] },
  'storage.k8s.io/CSIStorageCapacity': BOTH,
  'storage.k8s.io/VolumeAttachment': { update: ['new', 'new'] },
  'storage.k8s.io/VolumeAttributesClass': { update: ['new', 'changed', 'new'] },
};

/** Whether the kind's own rules for new objects begin with the metadata. */
export function checksNewMetadata(def: ResourceDef): boolean {
  return checksOf(def).create !== false;
}

/** How the kind's own rules look at the metadata of a changed object. */
export function metadataChecks(def: ResourceDef, subresource: string): readonly MetadataCheck[] {
  const { update, status } = checksOf(def);
  if (subresource === 'status') return status ?? ['changed'];
  if (subresource !== '') return ['changed'];
  return update ?? (def.behaviour.validateOnUpdate === false ? ['changed'] : ['changed', 'new']);
}

function checksOf(def: ResourceDef): Checks {
  return (def.builtIn ? CHECKS[`${def.group}/${def.kind}`] : undefined) ?? {};
}
