import { isJsonObject, type Json } from '@flotilla/machinery';
import { type Compression, pack, unpack } from './compression.ts';
import type { ResourceTracker } from './kinds.ts';

/** What a tracker lists; throws where that cannot be read. */
export function trackedResources({ spec = {} }: ResourceTracker): readonly unknown[] {
  const type = compressionOf(spec);
  const data = spec.compression?.data;
  const list =
    type === undefined ? spec.managedResources : unpack(type, typeof data === 'string' ? data : '');
  // Go writes a list that was never filled as null.
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new TypeError('Cannot read a ResourceTracker: it has no list');
  return list;
}

/** The same tracker with another list, packed as it was. */
export function withTrackedResources(
  tracker: ResourceTracker,
  resources: readonly unknown[],
): ResourceTracker {
  const { spec = {} } = tracker;
  const type = compressionOf(spec);
  if (type === undefined) return { ...tracker, spec: { ...spec, managedResources: resources } };
  const compression = { ...spec.compression, data: pack(type, resources) };
  return { ...tracker, spec: { ...spec, compression } };
}

/** Whether an entry of a tracker is on a cluster; what is on the hub itself names none. */
export function isOn(resource: unknown, cluster: string): boolean {
  return isJsonObject(resource) && resource['cluster'] === cluster;
}

function compressionOf(spec: Json & { compression?: Json }): Compression | undefined {
  const type = spec.compression?.['type'] ?? '';
  if (type === '') return undefined;
  if (type === 'gzip' || type === 'zstd') return type;
  throw new TypeError('Cannot read a ResourceTracker: its compression is not known');
}
