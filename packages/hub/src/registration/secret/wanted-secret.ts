import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { controllerReference } from '@flotilla/runtime';
import { clusterSecretData } from '../../cluster-secret/cluster-secret-data.ts';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import {
  ALIAS_ANNOTATION,
  APPLIED_LABELS_ANNOTATION,
  CREDENTIAL_REVISION_ANNOTATION,
  CREDENTIAL_TYPE_LABEL,
  DELETION_POLICY_ANNOTATION,
  HEALTHY_ANNOTATION,
  HEALTHY_REASON_ANNOTATION,
  MANAGED_LABEL,
  OUR_PREFIX,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
  VERSION_ANNOTATION,
} from '../../cluster-secret/names.ts';
import { credentialRevision } from '../../cluster-secret/revision.ts';
import type { MemberVersion } from '../member/member-version.ts';
import type { SeenRegistration } from '../types.ts';

/** The name a cluster Secret had when we wrote it: a copy under another name is not ours to delete. */
export const REGISTERED_AS_ANNOTATION = `${OUR_PREFIX}/registered-as`;

/** Whether it was we who gave a cluster Secret its name; on a copy our marks have the name that it was copied from. */
export function isWrittenAs({ metadata }: Pick<Secret, 'metadata'>, name: string): boolean {
  return metadata.annotations?.[REGISTERED_AS_ANNOTATION] === name;
}

/** `true` where the alias is ours, and goes when the spec has none. */
export const APPLIED_ALIAS_ANNOTATION = `${OUR_PREFIX}/applied-alias`;

/** Every annotation that is about us and nobody else. */
export const OUR_ANNOTATIONS = [
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
  DELETION_POLICY_ANNOTATION,
  APPLIED_LABELS_ANNOTATION,
  CREDENTIAL_REVISION_ANNOTATION,
  REGISTERED_AS_ANNOTATION,
  APPLIED_ALIAS_ANNOTATION,
] as const;

/** A cluster Secret as a registration wants it. */
export interface WantedSecret {
  readonly namespace: string;
  readonly name: string;
  readonly owner: { readonly key: string; readonly uid: string };
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Put onto a Secret that is new to us, and then left to whoever writes them. */
  readonly firstAnnotations: Readonly<Record<string, string>>;
  /** The label keys of users among `labels`. */
  readonly appliedLabels: readonly string[];
  readonly hasAlias: boolean;
  /** base64; undefined leaves the credential as it is. */
  readonly data: Readonly<Record<string, string>> | undefined;
  readonly ownerReference: ReturnType<typeof controllerReference> | undefined;
}

/** What a cluster Secret is made of. */
export interface SecretParts {
  readonly namespace: string;
  readonly name: string;
  /** Undefined: whatever credential is there stays. */
  readonly member: MemberAccess | undefined;
  /** What the credential is where it stays as it is, so that a label which somebody took away comes back. */
  readonly credentialType?: string | undefined;
  readonly version: MemberVersion | undefined;
  /** Whether the member has just answered. @default false */
  readonly isHealthy?: boolean;
}

/** Says what the cluster Secret of a registration has to be. */
export function wantedSecret(registration: SeenRegistration, parts: SecretParts): WantedSecret {
  const { metadata, spec } = registration;
  const { member, version } = parts;
  const { uid = '', namespace = '', name = '' } = metadata;
  const credentialType = member?.credential.type ?? parts.credentialType;
  const userLabels = spec.labels ?? {};
  const appliedLabels = Object.keys(userLabels).sort();
  const hasAlias = spec.alias !== undefined && spec.alias !== '';
  // Across namespaces it would make the garbage collector delete the Secret, and an orphan must not be collected.
  const isOwned = namespace === parts.namespace && spec.deletionPolicy === 'Detach';
  return {
    namespace: parts.namespace,
    name: parts.name,
    owner: { key: `${namespace}/${name}`, uid },
    labels: {
      ...userLabels,
      ...(credentialType === undefined ? {} : { [CREDENTIAL_TYPE_LABEL]: credentialType }),
      [MANAGED_LABEL]: 'true',
    },
    annotations: {
      [OWNER_ANNOTATION]: `${namespace}/${name}`,
      [OWNER_UID_ANNOTATION]: uid,
      [DELETION_POLICY_ANNOTATION]: spec.deletionPolicy,
      [APPLIED_LABELS_ANNOTATION]: JSON.stringify(appliedLabels),
      [REGISTERED_AS_ANNOTATION]: parts.name,
      ...(member === undefined
        ? {}
        : { [CREDENTIAL_REVISION_ANNOTATION]: credentialRevision(member) }),
      ...(hasAlias
        ? { [ALIAS_ANNOTATION]: spec.alias ?? '', [APPLIED_ALIAS_ANNOTATION]: 'true' }
        : {}),
      ...(version === undefined ? {} : { [VERSION_ANNOTATION]: versionText(version) }),
    },
    firstAnnotations: parts.isHealthy === true ? healthAnnotations(true) : {},
    appliedLabels,
    hasAlias,
    data: member === undefined ? undefined : clusterSecretData(member),
    ownerReference: isOwned
      ? controllerReference(ClusterRegistrations, registration as ClusterRegistration)
      : undefined,
  };
}

/** What `kubectl get clustergateways` shows of a member's health; the gateway's own prober writes the same. */
export function healthAnnotations(isHealthy: boolean, reason = ''): Record<string, string> {
  return { [HEALTHY_ANNOTATION]: String(isHealthy), [HEALTHY_REASON_ANNOTATION]: reason };
}

/** The exact JSON that KubeVela writes, in its order of fields. */
function versionText({ major, minor, gitVersion, platform }: MemberVersion): string {
  return JSON.stringify({ major, minor, gitVersion, platform });
}
