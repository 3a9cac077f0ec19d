import {
  badRequest,
  getOwn,
  internalError,
  type Json,
  type KubeObject,
  setOwn,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../kinds/behaviour.ts';

/** The paths a CRD's scale subresource names. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** Reads and writes the replicas of a custom object at the paths its CRD names. */
export function scaleView(paths: ScalePaths): NonNullable<KindBehaviour['scale']> {
  const spec = split(paths.specReplicasPath);
  const status = split(paths.statusReplicasPath);
  const selector = split(paths.labelSelectorPath ?? '');
  return {
    replicas: (object) => integer(object, spec) ?? 0,
    statusReplicas: (object) => integer(object, status) ?? 0,
    selector: (object) => (paths.labelSelectorPath ? text(object, selector) : ''),
    setReplicas: (object, replicas) => set(object, spec, replicas),
    replicasPath: spec,
    missing: (object, reading) => {
      if (integer(object, spec) !== undefined) return undefined;
      const field = `the spec replicas field "${paths.specReplicasPath}"`;
      return reading
        ? internalError(`${field} does not exist`)
        : badRequest(`${field} cannot be empty`);
    },
  };
}

function split(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

function find(object: KubeObject, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = getOwn(value, name);
  }
  return value;
}

/** Validation sees to it that nothing else than numbers is stored there. */
function integer(object: KubeObject, path: readonly string[]): number | undefined {
  const value = find(object, path);
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function text(object: KubeObject, path: readonly string[]): string {
  const value = find(object, path);
  return typeof value === 'string' ? value : '';
}

function set(object: KubeObject, path: readonly string[], replicas: number): void {
  let at: Json = object;
  for (const name of path.slice(0, -1)) {
    const below = getOwn(at, name);
    if (typeof below === 'object' && below !== null) at = below as Json;
    else {
      const made: Json = {};
      setOwn(at, name, made);
      at = made;
    }
  }
  setOwn(at, path.at(-1) ?? '', replicas);
}
