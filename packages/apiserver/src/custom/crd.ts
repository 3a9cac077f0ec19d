import type { KubeObject } from '@flotilla/machinery';
import type { JsonSchemaProps, PrinterColumn } from '@flotilla/machinery/schema';

/** The names a CRD asks for, and those it was given. */
export interface CrdNames {
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
}

/** One version of a custom kind. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchemaProps };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

/** Where a webhook listens. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** Base64 of PEM. */
  readonly caBundle?: string;
}

/** How objects get from one version to another. */
export interface CrdConversion {
  readonly strategy: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[];
  };
}

/** One condition of a CRD. */
export interface CrdCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** A CustomResourceDefinition in the form it is stored in. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: CrdNames;
    readonly scope: string;
    readonly versions: readonly CrdVersion[];
    readonly conversion?: CrdConversion;
    readonly preserveUnknownFields?: boolean;
  };
  status?: {
    conditions?: CrdCondition[] | null;
    acceptedNames?: CrdNames;
    storedVersions?: string[] | null;
  };
}

/** Where CRDs are stored. */
export const CRD_PREFIX = 'apiextensions.k8s.io/customresourcedefinitions/';

/** The finalizer that keeps a CRD until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

/** A condition by its type. */
export function conditionOf(crd: CustomResourceDefinition, type: string): CrdCondition | undefined {
  return (crd.status?.conditions ?? []).find((condition) => condition.type === type);
}

/** True when the CRD has the condition and it holds. */
export function hasCondition(crd: CustomResourceDefinition, type: string): boolean {
  return conditionOf(crd, type)?.status === 'True';
}

/** True when requests for the CRD's objects are answered: from the acceptance of its names on. */
export function isServed(crd: CustomResourceDefinition): boolean {
  return hasCondition(crd, 'NamesAccepted') || hasCondition(crd, 'Established');
}

/** The version objects are stored in. */
export function storageVersion(crd: CustomResourceDefinition): string {
  return crd.spec.versions.find(({ storage }) => storage)?.name ?? '';
}

/** `Namespaced`, as opposed to `Cluster`. */
export function isNamespaced(crd: CustomResourceDefinition): boolean {
  return crd.spec.scope === 'Namespaced';
}

/** Sets a condition as upstream does: its time is that of the last change of its status. */
export function setCondition(
  conditions: readonly CrdCondition[],
  wanted: Omit<CrdCondition, 'lastTransitionTime'>,
  now: string,
): CrdCondition[] {
  const { type, status, reason, message } = wanted;
  const before = conditions.find((condition) => condition.type === type);
  const isOld = before?.status === status && typeof before.lastTransitionTime === 'string';
  const next: CrdCondition = {
    type,
    status,
    lastTransitionTime: isOld ? (before.lastTransitionTime ?? now) : now,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  if (before === undefined) return [...conditions, next];
  return conditions.map((condition) => (condition === before ? next : condition));
}
