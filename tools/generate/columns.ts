import type { Ask } from './real-server.ts';
import { type GroupVersionRow, listPaths } from './resources.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

const AS_TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The columns of every listable resource by `group/version/resource`, without their descriptions. */
export async function readColumns(
  ask: Ask,
  resources: readonly GroupVersionRow[],
): Promise<Record<string, Column[]>> {
  const columns: Record<string, Column[]> = {};
  for (const { key, path } of listPaths(resources)) {
    const table = (await ask(`${path}?limit=1`, AS_TABLE)) as { columnDefinitions: Column[] };
    columns[key] = table.columnDefinitions.map(({ name, type, format, priority }) => ({
      name,
      type,
      format,
      priority,
    }));
  }
  return columns;
}
