import { badRequest, goQuote, humanDuration, type KubeObject } from '@flotilla/machinery';
import type { Cell, RowCondition } from '../kinds/behaviour.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { partialMetadata } from './partial-metadata.ts';

/** What a table's rows carry beside their cells. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** Reads `includeObject`; tables carry the metadata of their objects unless told otherwise. */
export function includeObject(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  if (value === '') return 'Metadata';
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${goQuote(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

/** How a table is to be written. */
export interface TableOptions {
  readonly version: 'v1' | 'v1beta1';
  readonly includeObject: IncludeObject;
  readonly now: Date;
}

interface Row {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly RowCondition[];
  readonly object: unknown;
}

/** A Table of the given objects, as `kubectl get` prints it. */
export function table(
  def: ResourceDef,
  objects: readonly KubeObject[],
  options: TableOptions & { metadata: Record<string, unknown>; withColumns?: boolean },
): Record<string, unknown> {
  const columns = def.columns();
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${options.version}`,
    metadata: options.metadata,
    columnDefinitions:
      options.withColumns === false
        ? null
        : columns.map((column) => ({ description: '', ...column })),
    // Kinds without a printer of their own say null where others say [].
    rows:
      objects.length === 0 && columns[1]?.name === 'Created At'
        ? null
        : objects.map((object) => row(def, object, options)),
  };
}

function row(def: ResourceDef, object: KubeObject, options: TableOptions): Row {
  const cells = def.behaviour.cells?.(object, { now: options.now }) ?? plainCells(object, options);
  const conditions = def.behaviour.rowConditions?.(object);
  const base = { cells, ...(conditions === undefined ? {} : { conditions }) };
  switch (options.includeObject) {
    case 'None':
      return { ...base, object: null };
    case 'Metadata':
      return {
        ...base,
        object: partialMetadata(def, object, options.version),
      };
    case 'Object':
      return { ...base, object };
  }
}

/** Kinds without a printer of their own show name and creation time, as upstream does. */
function plainCells(object: KubeObject, { now }: TableOptions): Cell[] {
  return [object.metadata.name ?? '', age(object.metadata.creationTimestamp, now)];
}

/** `5m`, `3d4h`, or `<unknown>`, as the AGE column shows it. */
export function age(timestamp: string | undefined, now: Date): string {
  if (timestamp === undefined) return '<unknown>';
  return humanDuration(now.getTime() - new Date(timestamp).getTime());
}
