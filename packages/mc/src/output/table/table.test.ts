import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_COLOURS } from '../../text/colour.ts';
import { parseSortPath, sortKeyOf } from '../sort/sort-key.ts';
import { decorateColumns, decorateRow } from './decorate.ts';
import { Layout } from './layout.ts';
import { mergeColumns } from './merge-columns.ts';
import { printTables } from './print-tables.ts';
import { StreamTable } from './stream-table.ts';
import type { TableOptions } from './table-options.ts';
import type { Column, TableGroup, TablePart } from './table-part.ts';

const OPTIONS: TableOptions = {
  isWide: false,
  hasHeaders: true,
  clusterColumn: 'after-name',
  showKind: false,
  colours: NO_COLOURS,
};

function column(name: string, changes: Partial<Column> = {}): Column {
  return { name, isName: name === 'Name', priority: 0, ...changes };
}

function part(cluster: string, columns: readonly Column[], ...rows: unknown[][]): TablePart {
  return { cluster, columns, rows: rows.map((cells) => ({ cells })) };
}

async function printed(
  groups: readonly (readonly TablePart[])[],
  options: Partial<TableOptions> = {},
): Promise<string> {
  const chunks: string[] = [];
  const all: TableGroup[] = groups.map((parts, index) => ({ kindPrefix: `kind${index}/`, parts }));
  await printTables(all, { ...OPTIONS, ...options }, async (text) => {
    chunks.push(text);
  });
  return chunks.join('');
}

describe('columns of several servers', () => {
  const names = (...lists: string[][]) =>
    mergeColumns(lists.map((list) => list.map((name) => column(name)))).columns.map(
      ({ name }) => name,
    );

  test('keep the order they have at each', () => {
    assert.deepEqual(names(['A', 'B', 'C'], ['A', 'B', 'C']), ['A', 'B', 'C']);
    assert.deepEqual(names(['A', 'C'], ['A', 'B', 'C', 'D']), ['A', 'B', 'C', 'D']);
    assert.deepEqual(names(['A', 'B'], ['C', 'A']), ['C', 'A', 'B']);
    assert.deepEqual(names([], ['A']), ['A']);
    assert.deepEqual(names(['Age'], ['AGE']), ['Age']);
  });

  test('of one name are one, and two of one table are two', () => {
    const { columns, places } = mergeColumns([
      [column('A'), column('X'), column('X')],
      [column('X'), column('A')],
    ]);

    assert.deepEqual(
      columns.map(({ name }) => name),
      ['A', 'X', 'X'],
    );
    assert.deepEqual(places[0], [0, 1, 2]);
    assert.deepEqual(places[1], [1, 0, -1]);
  });

  test('are shown where one of them shows them', () => {
    const { columns } = mergeColumns([[column('A', { priority: 1 })], [column('A')]]);

    assert.equal(columns[0]?.priority, 0);
  });
});

describe('a table', () => {
  const columns = [column('Name'), column('Age'), column('IP', { priority: 1 })];

  test('has a column for clusters behind the name, first or not at all', async () => {
    const parts = [
      part('c1', columns, ['web', '5m', '10.0.0.1']),
      part('c22', columns, ['api', '1h', null]),
    ];

    assert.equal(
      await printed([parts]),
      'NAME   CLUSTER   AGE\nweb    c1        5m\napi    c22       1h\n',
    );
    assert.equal(
      await printed([parts], { clusterColumn: 'first', isWide: true }),
      'CLUSTER   NAME   AGE   IP\nc1        web    5m    10.0.0.1\nc22       api    1h    \n',
    );
    assert.equal(
      await printed([parts], { clusterColumn: 'none', hasHeaders: false }),
      'web   5m\napi   1h\n',
    );
  });

  test('without a name begins with the cluster', async () => {
    const events = [column('Last Seen'), column('Reason')];

    assert.equal(
      await printed([[part('c1', events, ['5m', 'Failed'])]]),
      'CLUSTER   LAST SEEN   REASON\nc1        5m          Failed\n',
    );
  });

  test('shows <none> where a server has no such column', async () => {
    const parts = [
      part('c1', [column('Name'), column('Age')], ['web', '5m']),
      part('c2', [column('Name'), column('Ready'), column('Age')], ['api', '1/1', '1h']),
    ];

    assert.equal(
      await printed([parts]),
      'NAME   CLUSTER   READY    AGE\nweb    c1        <none>   5m\napi    c2        1/1      1h\n',
    );
  });

  test('of nothing is nothing, not even a header', async () => {
    assert.equal(await printed([[part('c1', columns)]]), '');
    assert.equal(
      await printed([[part('c1', columns)]], { isHeaderKept: true }),
      'NAME   CLUSTER   AGE\n',
    );
  });

  test('of several types has kinds before names, and a blank line between', async () => {
    const groups = [
      [part('c1', columns, ['a', '1s'])],
      [part('c1', columns)],
      [part('c1', columns, ['b', '2s'])],
    ];

    assert.equal(
      await printed(groups),
      'NAME      CLUSTER   AGE\nkind0/a   c1        1s\n\nNAME      CLUSTER   AGE\nkind2/b   c1        2s\n',
    );
    assert.equal(
      await printed(groups, { hasHeaders: false }),
      'kind0/a   c1    1s\nkind2/b   c1    2s\n',
    );
  });

  test('shows cells of every kind, and lets none of them steer a terminal', async () => {
    const cells = ['web', '\u001b[31mx', 5, 1.5, true, null, ['a', 'b'], 'one\ntwo'];
    const many = cells.map((_, index) => column(index === 0 ? 'Name' : `C${index}`));

    assert.equal(
      await printed([[part('c\u001b1', many, cells)]], { hasHeaders: false }),
      'web   c^[1   ^[[31mx   5     1.5   true         [a b]   one...\n',
    );
  });

  test('is sorted over all clusters, ties by cluster', async () => {
    const path = parseSortPath('.v');
    const rows = (cluster: string, ...values: unknown[]): TablePart => ({
      cluster,
      columns: [column('Name')],
      rows: values.map((v) => ({ cells: [`v${String(v)}`], key: sortKeyOf({ v }, path) })),
    });
    const parts = [rows('c1', '2Gi', '500Mi', '1'), rows('c2', '1', undefined, '1Ti')];

    assert.equal(
      await printed([parts], { sortPath: path, hasHeaders: false }),
      'vundefined   c2\nv1           c1\nv1           c2\nv500Mi       c1\nv2Gi         c1\nv1Ti         c2\n',
    );
  });

  test('is written in large chunks', async () => {
    const sizes: number[] = [];
    const rows = Array.from({ length: 5_000 }, (_, row) => [
      `a-name-that-is-not-short-${row}`,
      '5m',
    ]);

    await printTables(
      [{ kindPrefix: '', parts: [part('c1', columns, ...rows)] }],
      OPTIONS,
      async (text) => {
        sizes.push(text.length);
      },
    );

    assert.ok(sizes.length > 2);
    assert.ok(sizes.slice(0, -1).every((size) => size >= 64 * 1_024));
  });
});

describe('lines', () => {
  const lay = (layout: Layout, lines: string[][]) => {
    for (const line of lines) layout.measure(line);
    return lines.map((line) => layout.line(line));
  };

  test('line up by code points, six columns at least', () => {
    assert.deepEqual(
      lay(new Layout(), [
        ['a', 'b'],
        ['⛵⛵⛵⛵', 'b'],
        ['😀', 'a long last cell'],
      ]),
      ['a      b', '⛵⛵⛵⛵   b', '😀      a long last cell'],
    );
  });

  test('with fewer cells end a column, and the next is never narrower', () => {
    assert.deepEqual(
      lay(new Layout(), [['long-cell', 'x'], ['alone'], ['s', 'y'], ['a-longer-cell', 'z']]),
      ['long-cell   x', 'alone', 's               y', 'a-longer-cell   z'],
    );
  });

  test('of a later batch are as wide as those before', () => {
    const layout = new Layout();
    lay(layout, [['a-long-name', 'x']]);

    assert.deepEqual(lay(layout, [['b', 'y']]), ['b             y']);
    assert.deepEqual(lay(layout, [['an-even-longer-name', 'z']]), ['an-even-longer-name   z']);
  });
});

test('a stream has one header, and another when there are new columns', async () => {
  let text = '';
  const table = new StreamTable(OPTIONS, '', async (more) => {
    text += more;
  });
  const columns = [column('Name'), column('Age')];

  await table.add(part('c1', columns, ['a-long-name', '5m']));
  await table.add(part('c2', columns, ['b', '1h']));
  await table.add(part('c3', columns));
  await table.add(part('c4', [column('Name'), column('Ready'), column('Age')], ['c', '1/1', '2h']));
  await table.add(part('c5', columns, ['d', '3h']));

  assert.equal(
    text,
    `NAME          CLUSTER   AGE
a-long-name   c1        5m
b             c2        1h
NAME          CLUSTER   READY   AGE
c             c4        1/1     2h
d             c5        <none>  3h
`.replace('<none>  3h', '<none>   3h'),
  );
});

describe('decoration', () => {
  const table = {
    columnDefinitions: [
      { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
      { name: 'IP', type: 'string', format: '', description: '', priority: 1 },
    ],
  };
  const row = {
    cells: ['web', '10.0.0.1'],
    object: {
      apiVersion: 'meta.k8s.io/v1',
      kind: 'PartialObjectMetadata',
      metadata: { namespace: 'shop', labels: { app: 'web', 'example.com/tier': 'front' } },
    },
  };

  test('adds what flags ask for, and takes nothing else of objects', () => {
    const decoration = {
      namespace: () => 'shop',
      labelColumns: ['example.com/tier', 'none'],
      showLabels: true,
    };

    assert.deepEqual(
      decorateColumns(table, decoration).map(({ name, isName }) => [name, isName]),
      [
        ['Namespace', false],
        ['Name', true],
        ['IP', false],
        ['tier', false],
        ['none', false],
        ['Labels', false],
      ],
    );
    assert.deepEqual(decorateRow(row, decoration), {
      cells: ['shop', 'web', '10.0.0.1', 'front', '', 'app=web,example.com/tier=front'],
    });
    assert.deepEqual(decorateRow({ cells: ['x'] }, { ...decoration, namespace: () => '' }).cells, [
      '',
      'x',
      '',
      '',
      '<none>',
    ]);
  });

  test('keeps the cells as they are where nobody asks for more', () => {
    assert.equal(decorateRow(row, { labelColumns: [], showLabels: false }).cells, row.cells);
  });
});
