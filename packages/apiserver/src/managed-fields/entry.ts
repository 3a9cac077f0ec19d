import { encodeJson, goQuote, type KubeObject, ParseError } from '@flotilla/machinery';
import { type FieldSet, type OwnedFields, parseFieldsV1 } from '@flotilla/machinery/apply';

/** One line of metadata.managedFields: what one manager owns through one kind of request. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: unknown;
  readonly subresource?: string;
}

/** What tells two entries apart. Those that apply are the same whatever version they speak. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
}

/** The managers of an object, and when each of them last changed something. */
export interface Managed {
  readonly managers: ReadonlyMap<string, OwnedFields>;
  readonly times: ReadonlyMap<string, string | undefined>;
}

/** An object nobody has told anything about. */
export const NOBODY: Managed = { managers: new Map(), times: new Map() };

/** An identity as one text, which sorts as upstream's does. */
export function identifierOf(identity: ManagerIdentity): string {
  const { manager, operation, apiVersion, subresource } = identity;
  return encodeJson({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' || apiVersion === '' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

/** The identity behind an identifier, without a version where it does not tell entries apart. */
export function identityOf(identifier: string): ManagerIdentity {
  return {
    manager: '',
    apiVersion: '',
    subresource: '',
    ...(JSON.parse(identifier) as Pick<ManagerIdentity, 'operation'>),
  };
}

/** The entries of an object; undefined when it has no such list at all. */
export function entriesOf(object: KubeObject): readonly ManagedFieldsEntry[] | undefined {
  // The empty object of a custom kind has no metadata.
  const { metadata } = object as Partial<KubeObject>;
  return metadata?.managedFields as readonly ManagedFieldsEntry[] | undefined;
}

/** Reads entries this server wrote. */
export function decodeStoredEntries(entries: readonly ManagedFieldsEntry[]): Managed {
  return collect(entries, (entry) => (entry.fieldsV1 ?? {}) as FieldSet);
}

/** Reads entries a client sent. Throws ParseError when they are not what upstream accepts. */
export function decodeSentEntries(entries: readonly ManagedFieldsEntry[]): Managed {
  for (const [index, entry] of entries.entries()) checkEntry(entry, index);
  return collect(entries, ({ fieldsV1 }) => parseFieldsV1(fieldsV1));
}

function checkEntry(
  { operation, apiVersion, fieldsType }: ManagedFieldsEntry,
  index: number,
): void {
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ParseError('operation must be `Apply` or `Update`');
  }
  if ((apiVersion ?? '') === '') throw new ParseError('apiVersion must not be empty');
  if ((fieldsType ?? '') === '') {
    throw new ParseError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== 'FieldsV1') {
    throw new ParseError(
      `invalid fieldsType ${goQuote(fieldsType ?? '')} in managed fields entry ${index}`,
    );
  }
}

function collect(
  entries: readonly ManagedFieldsEntry[],
  fieldsOf: (entry: ManagedFieldsEntry) => FieldSet,
): Managed {
  const managers = new Map<string, OwnedFields>();
  const times = new Map<string, string | undefined>();
  for (const entry of entries) {
    const applied = entry.operation === 'Apply';
    const identifier = identifierOf({
      manager: entry.manager ?? '',
      operation: applied ? 'Apply' : 'Update',
      apiVersion: entry.apiVersion ?? '',
      subresource: entry.subresource ?? '',
    });
    managers.set(identifier, { fields: fieldsOf(entry), version: entry.apiVersion ?? '', applied });
    times.set(identifier, entry.time);
  }
  return { managers, times };
}

/** The list as it is stored: appliers first, then by time, then by name. Undefined when nobody owns anything. */
export function encodeEntries({ managers, times }: Managed): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const entries = [...managers].map(([identifier, owned]) => {
    const { manager, operation, subresource } = identityOf(identifier);
    const time = times.get(identifier);
    return {
      ...(manager === '' ? {} : { manager }),
      operation: owned.applied ? 'Apply' : operation,
      apiVersion: owned.version,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: owned.fields,
      ...(subresource === '' ? {} : { subresource }),
    };
  });
  return entries.length === 1 ? entries : entries.sort(compareEntries);
}

function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    order(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    order(a.manager, b.manager) ||
    order(a.apiVersion, b.apiVersion) ||
    order(a.subresource, b.subresource)
  );
}

function order(a = '', b = ''): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A time as upstream compares them: whole seconds, and none before all others. */
export function secondsOf(time: string | undefined): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}
