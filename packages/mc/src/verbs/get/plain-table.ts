import type { Table } from '@flotilla/client';
import { humanDuration, type KubeObject } from '@flotilla/machinery';

const COLUMNS: Table['columnDefinitions'] = [
  { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
  { name: 'Age', type: 'string', format: '', description: '', priority: 0 },
];

/** Objects as kubectl prints them where no server does: name and age. */
export function plainTable(objects: readonly KubeObject[], now: () => number): Table {
  return {
    metadata: {},
    columnDefinitions: COLUMNS,
    isFromServer: false,
    rows: objects.map((object) => {
      const { name = '', creationTimestamp = '' } = object.metadata;
      const born = Date.parse(creationTimestamp);
      const age = Number.isNaN(born) ? '<unknown>' : humanDuration(now() - born);
      return { cells: [name, age], object };
    }),
  };
}

/** The same for pages of a list. */
export async function* plainTables(
  pages: AsyncIterable<{ readonly items: readonly KubeObject[] }>,
  now: () => number,
): AsyncGenerator<Table> {
  for await (const { items } of pages) yield plainTable(items, now);
}
