import type { KubeObject } from '@flotilla/machinery';
import type { Engine, UserInfo } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Change, Tenant } from '../../storage/store.ts';

/** Signers whose certificates this server itself believes in, and the one for what kubelets serve. */
export const SIGNERS = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
} as const;

/** A CertificateSigningRequest as far as its controllers look at it. */
export interface SigningRequest extends KubeObject {
  readonly spec: {
    /** PEM in base64. */
    readonly request: string;
    readonly signerName: string;
    readonly expirationSeconds?: number;
    readonly usages?: readonly string[];
    readonly username?: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
  readonly status?: {
    readonly conditions?: readonly RequestCondition[];
    readonly certificate?: string;
  };
}

/** What was decided about a request. */
export interface RequestCondition {
  readonly type: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string | null;
}

/** The PEM text of a request. */
export function requestPem({ spec }: SigningRequest): string {
  return Buffer.from(spec.request, 'base64').toString('latin1');
}

/** True when a condition of that type is there, whatever it says. */
export function hasCondition({ status }: SigningRequest, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type);
}

/** True once a certificate was issued. */
export function isIssued({ status }: SigningRequest): boolean {
  return (status?.certificate ?? '') !== '';
}

/** Who asked, as the server knew them when they did. */
export function requesterOf({ spec }: SigningRequest): UserInfo {
  return {
    name: spec.username ?? '',
    groups: spec.groups ?? [],
    ...(spec.uid === undefined ? {} : { uid: spec.uid }),
    ...(spec.extra === undefined ? {} : { extra: spec.extra }),
  };
}

/** The names of all requests of a tenant. */
export function requestNames(engine: Engine, def: ResourceDef, tenant: Tenant): string[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(def.prefix, { limit: Number.MAX_SAFE_INTEGER })
    .map(({ key }) => key.slice(def.prefix.length));
}

/** The name of the request that a change wrote. */
export function changedRequest(def: ResourceDef, { key, value }: Change): string[] {
  return value !== undefined && key.startsWith(def.prefix) ? [key.slice(def.prefix.length)] : [];
}
