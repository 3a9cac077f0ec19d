import { createHash } from 'node:crypto';
import { formatTime, type KubeObject } from '@flotilla/machinery';
import type { StandingObject } from './builtin/standing-objects.ts';
import { trackedSince } from './builtin/token-tracking.ts';
import { encodeObject } from './codec/encode.ts';
import { readData } from './data-files.ts';
import { baseEntries } from './managed-fields/base-entries.ts';
import type { ManagedFieldsEntry } from './managed-fields/entry.ts';
import type { Registry } from './resources/registry.ts';
import { keyOf, type ResourceDef } from './resources/resource.ts';
import type { BaseEntry } from './storage/layered.ts';

/** What the generated objects cannot know of the server that shows them. */
export interface Site {
  readonly serviceCidr: string;
  /** Where clients inside the cluster reach the server; undefined when only this machine can. */
  readonly advertised: { readonly address: string; readonly port: number } | undefined;
}

/** Objects that depend on the machine they were generated on, or are made by our own controllers. */
const LEFT_OUT = new Set(['IPAddress']);

/** The default policy, system namespaces and what else a fresh API server has. */
export function baseObjects(registry: Registry, site: Site): BaseEntry[] {
  const objects = [
    ...readData<KubeObject[]>('bootstrap-objects.json'),
    ...readData<KubeObject[]>('rbac-policy.json'),
  ].filter(({ kind }) => !LEFT_OUT.has(kind));
  return objects.map((object) => baseObject(registry, atSite(object, site)));
}

/** The base objects that come back when they are deleted: system namespaces and the way to this server. */
export function standingObjects(registry: Registry, site: Site): StandingObject[] {
  return readData<KubeObject[]>('bootstrap-objects.json')
    .filter(
      ({ kind, metadata }) =>
        kind === 'Namespace' ||
        (metadata.namespace === 'default' && metadata.name === 'kubernetes'),
    )
    .map((object) => ({ def: definitionOf(registry, object), object: atSite(object, site) }));
}

/** The stand-ins in the generated objects: where the real server listened while they were read. */
const STAND_IN = { address: '192.0.2.1', port: 6443 };

/** Puts this server's own addresses in the place of the stand-ins. */
function atSite(object: KubeObject, { serviceCidr, advertised }: Site): KubeObject {
  if (object.kind === 'ServiceCIDR') return { ...object, spec: { cidrs: [serviceCidr] } };
  if (object.metadata.name !== 'kubernetes' || object.metadata.namespace !== 'default') {
    return object;
  }
  // Endpoints may not be loopback addresses, so a server on loopback has none to show.
  if (advertised === undefined && object.kind === 'Endpoints') return { ...object, subsets: [] };
  if (advertised === undefined && object.kind === 'EndpointSlice') {
    return { ...object, endpoints: [], ports: [] };
  }
  const text = JSON.stringify(object)
    .replaceAll(`"${STAND_IN.address}"`, JSON.stringify(advertised?.address ?? ''))
    .replaceAll(`:${STAND_IN.port}`, `:${advertised?.port ?? STAND_IN.port}`);
  return JSON.parse(text) as KubeObject;
}

function definitionOf(registry: Registry, object: KubeObject): ResourceDef {
  const slash = object.apiVersion.indexOf('/');
  const group = slash < 0 ? '' : object.apiVersion.slice(0, slash);
  const version = object.apiVersion.slice(slash + 1);
  const resource = registry.groupVersions
    .find((gv) => gv.group === group && gv.version === version)
    ?.resources.find(({ name, kind }) => kind === object.kind && !name.includes('/'));
  const def = resource && registry.find(group, version, resource.name);
  if (def === undefined) {
    throw new Error(`Cannot start with a ${object.kind}: "${object.apiVersion}" does not have it`);
  }
  return def;
}

function baseObject(registry: Registry, object: KubeObject): BaseEntry {
  const def = definitionOf(registry, object);
  const { namespace = '', name = '' } = object.metadata;
  const key = keyOf(def, namespace, name);
  // Who owns what is the same for all tenants; only the time is not.
  let entries: readonly ManagedFieldsEntry[] | undefined;
  const entriesAt = (time: string): ManagedFieldsEntry[] => {
    entries ??= baseEntries(def, def.canonicalize(withTimes(object, time)), time) ?? [];
    return entries.map((entry) => ({ ...entry, time }));
  };
  return {
    key,
    value: ({ uid, createdAt, revision }) =>
      encodeObject(
        def.canonicalize({
          ...withTimes(object, formatTime(new Date(createdAt))),
          metadata: {
            ...object.metadata,
            uid: nameBasedUuid(uid, key),
            resourceVersion: '0',
            ...(def.behaviour.generation === 'spec' || object.kind === 'PriorityClass'
              ? { generation: 1 }
              : {}),
            creationTimestamp: formatTime(new Date(createdAt)),
            managedFields: entriesAt(formatTime(new Date(createdAt))),
          },
        }),
        { revision },
      ),
  };
}

/** Conditions hold since the tenant exists, and so long the use of its tokens has been watched. */
function withTimes(object: KubeObject, since: string): KubeObject {
  if (object.kind === 'ConfigMap') return { ...object, data: trackedSince(since) };
  const status = object['status'] as { conditions?: object[] } | undefined;
  if (status?.conditions === undefined) return object;
  const conditions = status.conditions.map((each) => ({ ...each, lastTransitionTime: since }));
  return { ...object, status: { ...status, conditions } };
}

/** The same object of the same tenant has the same uid whenever its bytes are made anew (UUID version 5). */
function nameBasedUuid(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
