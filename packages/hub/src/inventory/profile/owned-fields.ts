import type { KubeObject } from '@flotilla/machinery';
import { FIELD_MANAGER } from '../names.ts';

/** What of a profile the server says we applied. */
export interface OwnedFields {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
  /** By their key. */
  readonly conditions: readonly string[];
  readonly properties: readonly string[];
  readonly accessProviders: readonly string[];
  readonly hasVersion: boolean;
}

type Fields = { readonly [name: string]: Fields };

interface Entry {
  readonly manager?: string;
  readonly operation?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Fields;
}

/** Reads which fields are ours, to find those we want no more. */
export function ownedFields({ metadata }: KubeObject): OwnedFields {
  const entries = (metadata.managedFields ?? []) as readonly Entry[];
  const ours = entries.filter(isOurs);
  const main = ours.find(({ subresource = '' }) => subresource === '')?.fieldsV1 ?? {};
  const status = ours.find(({ subresource }) => subresource === 'status')?.fieldsV1?.['f:status'];
  return {
    labels: names(main['f:metadata']?.['f:labels']),
    annotations: names(main['f:metadata']?.['f:annotations']),
    conditions: keys(status?.['f:conditions'], 'type'),
    properties: keys(status?.['f:properties'], 'name'),
    accessProviders: keys(status?.['f:accessProviders'], 'name'),
    hasVersion: names(status?.['f:version']).length > 0,
  };
}

/** Keeps what `ownedFields` reads, which is little of what a profile with several writers has. */
export function onlyOurEntries<T extends KubeObject>(object: T): T {
  const { managedFields } = object.metadata;
  if (managedFields !== undefined) {
    object.metadata.managedFields = (managedFields as Entry[]).filter(isOurs);
  }
  return object;
}

function isOurs({ manager, operation }: Entry): boolean {
  return manager === FIELD_MANAGER && operation === 'Apply';
}

function names(fields: Fields | undefined): string[] {
  return Object.keys(fields ?? {}).flatMap((field) =>
    field.startsWith('f:') ? [field.slice(2)] : [],
  );
}

/** Of a list whose items are told apart by a field: `k:{"name":"x"}`. */
function keys(fields: Fields | undefined, key: string): string[] {
  return Object.keys(fields ?? {}).flatMap((field) => {
    if (!field.startsWith('k:')) return [];
    const value: unknown = (JSON.parse(field.slice(2)) as Record<string, unknown>)[key];
    return typeof value === 'string' ? [value] : [];
  });
}
