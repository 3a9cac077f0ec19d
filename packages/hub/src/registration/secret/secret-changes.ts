import type { Secret } from '@flotilla/client';
import { deepEqual, type Json, type OwnerReference } from '@flotilla/machinery';
import { isSameEndpoint } from '../../cluster-secret/cluster-endpoint.ts';
import {
  ALIAS_ANNOTATION,
  APPLIED_LABELS_ANNOTATION,
  SECRET_KEYS,
} from '../../cluster-secret/names.ts';
import { APPLIED_ALIAS_ANNOTATION, type WantedSecret } from './wanted-secret.ts';

/** What has to change about a cluster Secret, as members of one merge patch. */
export interface SecretChanges {
  /** Undefined where the metadata is right. */
  readonly metadata: Json | undefined;
  /** Undefined where the credential is right. */
  readonly data: Readonly<Record<string, string | null>> | undefined;
}

const { endpoint, ca, oldCa, certificate, key } = SECRET_KEYS;
const PEM_KEYS = new Set<string>([ca, oldCa, certificate, key]);

/**
 * Compares a cluster Secret with what it has to be. Labels and annotations of others stay; of ours, those that are no
 * longer wanted go; the data is ours as a whole, so that a credential never stands beside the remains of another.
 */
export function secretChanges(existing: Secret, wanted: WantedSecret): SecretChanges {
  const { labels = {}, annotations = {}, ownerReferences = [] } = existing.metadata;
  const metadata: Json = {};
  const labelChange = {
    ...differing(labels, wanted.labels),
    ...gone(labels, staleLabels(annotations, wanted)),
  };
  if (Object.keys(labelChange).length > 0) metadata['labels'] = labelChange;
  const wasAliasOurs = annotations[APPLIED_ALIAS_ANNOTATION] === 'true';
  const staleAlias =
    wasAliasOurs && !wanted.hasAlias ? [ALIAS_ANNOTATION, APPLIED_ALIAS_ANNOTATION] : [];
  const annotationChange = {
    ...differing(annotations, wanted.annotations),
    ...gone(annotations, staleAlias),
  };
  if (Object.keys(annotationChange).length > 0) metadata['annotations'] = annotationChange;
  const owners = withOwner(ownerReferences, wanted);
  if (!deepEqual(owners, ownerReferences)) metadata['ownerReferences'] = owners;
  return {
    metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
    data: wanted.data === undefined ? undefined : dataChange(existing, wanted.data),
  };
}

function staleLabels(
  annotations: Readonly<Record<string, string>>,
  wanted: WantedSecret,
): string[] {
  return appliedLabelsIn(annotations).filter((label) => !wanted.appliedLabels.includes(label));
}

/** The label keys that a cluster Secret says are ours. */
export function appliedLabelsIn(annotations: Readonly<Record<string, string>>): string[] {
  try {
    const list: unknown = JSON.parse(annotations[APPLIED_LABELS_ANNOTATION] ?? '[]');
    return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}

function withOwner(
  references: readonly OwnerReference[],
  { owner, ownerReference }: WantedSecret,
): readonly OwnerReference[] {
  const others = references.filter(({ uid }) => uid !== owner.uid);
  if (ownerReference === undefined)
    return others.length === references.length ? references : others;
  const ours = references.find(({ uid }) => uid === owner.uid);
  return deepEqual(ours, ownerReference) ? references : [...others, ownerReference];
}

function dataChange(
  existing: Secret,
  wanted: Readonly<Record<string, string>>,
): Record<string, string | null> | undefined {
  const complete = withTypeKeys(existing, wanted);
  const data = existing.data ?? {};
  if (isSameData(data, complete)) return undefined;
  return {
    ...complete,
    ...gone(
      data,
      Object.keys(data).filter((each) => !(each in complete)),
    ),
  };
}

/** The type of a Secret cannot be changed, and this one insists on having both keys. */
function withTypeKeys(
  { type }: Secret,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return type === 'kubernetes.io/tls' ? { [certificate]: '', [key]: '', ...wanted } : wanted;
}

/** Differences that the gateway does not see are none: a Secret that somebody else wrote well is left as it is. */
function isSameData(
  data: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  const { [oldCa]: old, ...rest } = data;
  const seen = old === undefined || ca in data ? data : { ...rest, [ca]: old };
  const keys = Object.keys(wanted);
  return (
    Object.keys(seen).length === keys.length &&
    keys.every((each) => each in seen && isSameValue(each, seen[each] ?? '', wanted[each] ?? ''))
  );
}

function isSameValue(name: string, some: string, other: string): boolean {
  if (some === other) return true;
  const texts = [some, other].map((value) => Buffer.from(value, 'base64').toString()) as [
    string,
    string,
  ];
  if (name === endpoint) return isSameEndpoint(...texts);
  return PEM_KEYS.has(name) && texts[0].trim() === texts[1].trim();
}

function differing(
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(to).filter(([name, value]) => from[name] !== value));
}

function gone(
  from: Readonly<Record<string, string>>,
  names: readonly string[],
): Record<string, null> {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, null]));
}
