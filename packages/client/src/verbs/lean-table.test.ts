import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readLeanTable } from './lean-table.ts';

interface RowParts {
  readonly cells: readonly unknown[];
  readonly metadata?: object;
}

/** A Table as Go writes it. */
function written(rows: readonly RowParts[], head: object = {}): string {
  return JSON.stringify({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '5' },
    columnDefinitions: [{ name: 'Name', type: 'string', format: 'name' }],
    ...head,
    rows: rows.map(({ cells, metadata = {} }) => ({
      cells,
      object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
    })),
  });
}

function read(text: string) {
  return readLeanTable(Buffer.from(text)) as
    | { rows: { cells: unknown[]; object: { metadata: { namespace: string } } }[] }
    | undefined;
}

test('cells and namespaces are what they are, whatever else is in the objects', () => {
  const tricky = {
    annotations: { a: '"namespace":"fake"', b: '},{"cells":["fake"]', c: '"rows":[' },
    labels: { namespace: 'label' },
    managedFields: [{ fieldsV1: { 'f:metadata': { 'f:namespace': {} } } }],
  };
  const rows = [
    { cells: ['a', 1, null, true], metadata: { name: 'a', namespace: 'one', ...tricky } },
    { cells: ['"],"', '{"cells":['], metadata: { name: 'b', generateName: 'b', namespace: 'two' } },
    { cells: ['Größe ⛵', 1.5, ''], metadata: { name: 'c' } },
  ];

  const table = read(`${written(rows)}\n`);

  assert.deepEqual(
    table?.rows.map(({ cells }) => cells),
    rows.map(({ cells }) => cells),
  );
  assert.deepEqual(
    table?.rows.map(({ object }) => object.metadata.namespace),
    ['one', 'two', ''],
  );
  assert.deepEqual(read(written([]))?.rows, []);
});

test('rows of any length are read, wherever their namespace stands', () => {
  const lengths = Array.from({ length: 700 }, (_, length) => length);
  const rows = lengths.map((length) => ({
    cells: [`n${'x'.repeat(length)}`, length],
    metadata: {
      name: 'x'.repeat(length),
      ...(length % 3 === 0 ? {} : { namespace: `s${length % 5}` }),
    },
  }));

  const table = read(written(rows));

  assert.deepEqual(
    table?.rows.map(({ cells, object }) => [...cells, object.metadata.namespace]),
    rows.map(({ cells, metadata }) => [...cells, metadata.namespace ?? '']),
  );
});

describe('a table in another form is left to others', () => {
  for (const [what, text] of [
    ['no table', '{"kind":"PodList","items":[]}'],
    ['spaces between', JSON.stringify(JSON.parse(written([{ cells: ['a'] }])), null, 1)],
    [
      'labels before the namespace',
      written([{ cells: ['a'], metadata: { labels: { namespace: 'x' }, namespace: 'y' } }]),
    ],
    [
      'integers that fit no double',
      written([{ cells: ['a'] }]).replace('["a"]', '["a",9007199254740993]'),
    ],
    [
      'a namespace that is none',
      written([{ cells: ['a'], metadata: { name: 'a', namespace: 'a b' } }]),
    ],
    ['lists within cells', written([{ cells: [['a'], 'b'] }])],
    [
      'objects before cells',
      written([{ cells: ['a'] }]).replace('{"cells":["a"],', '{"x":1,"cells":["a"],'),
    ],
    ['a body that is cut', written([{ cells: ['a'] }]).slice(0, -3)],
    ['nothing', ''],
  ] as const) {
    test(what, () => {
      assert.equal(read(text), undefined);
    });
  }
});
