import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PrinterCell, printerCells, readableColumns } from './printer-columns.ts';
import { selectableField } from './selectable-field.ts';

const now = new Date('2026-01-02T03:04:05Z');
const object = {
  metadata: { creationTimestamp: '2026-01-02T03:00:00Z', labels: { 'a.b/c': 'dotted' } },
  spec: {
    n: 5,
    f: 1.5,
    tiny: 0.00001,
    yes: true,
    text: 'x',
    nothing: null,
    map: { b: 1, a: [true] },
    list: ['p', 'q', 'r'],
    big: 2n ** 60n,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', rank: 2 },
      { type: 'Stalled', status: 'False', rank: 1 },
    ],
  },
};

/** Path, type of the column, and the cell the real server shows. */
const rows: readonly (readonly [string, string, PrinterCell])[] = [
  ['.spec.text', 'string', 'x'],
  ['.spec.n', 'integer', 5],
  ['.spec.n', 'string', '5'],
  ['.spec.f', 'integer', 1],
  ['.spec.f', 'number', 1.5],
  ['.spec.tiny', 'string', '1e-05'],
  ['.spec.yes', 'boolean', true],
  ['.spec.yes', 'string', 'true'],
  ['.spec.text', 'integer', null],
  ['.spec.nothing', 'string', '<no value>'],
  ['.spec.nothing', 'integer', null],
  ['.spec.absent', 'string', null],
  ['.spec.absent.deeper', 'string', null],
  ['.spec.map', 'string', '{"a":[true],"b":1}'],
  ['.spec.list', 'string', '["p","q","r"]'],
  ['.spec.list[0]', 'string', 'p'],
  ['.spec.list[-1]', 'string', 'r'],
  ['.spec.list[-1:]', 'string', 'r'],
  ['.spec.list[7]', 'string', null],
  ['.spec.list[*]', 'string', 'p'],
  ['.spec.list[1:3]', 'string', 'q'],
  ['.spec.list[1,2]', 'string', 'q'],
  ["['spec']['text']", 'string', 'x'],
  ['.metadata.labels.a\\.b/c', 'string', 'dotted'],
  ['.metadata.creationTimestamp', 'date', '4m5s'],
  ['.spec.text', 'date', '<invalid>'],
  ['.status.conditions[?(@.type=="Ready")].status', 'string', 'True'],
  ["$.status.conditions[?(@.type=='Stalled')].status", 'string', 'False'],
  ['.status.conditions[?(@.rank>1)].type', 'string', 'Ready'],
  ['.status.conditions[?(@.rank<=1)].type', 'string', 'Stalled'],
  ['.status.conditions[?(@.absent)].type', 'string', null],
  ['.status.conditions[?(@.type==1)].type', 'string', null],
  ['.status..type', 'string', 'Ready'],
  ['.spec.*', 'string', '5'],
  ['.spec.big', 'string', '1152921504606846976'],
];

describe('printer columns', () => {
  for (const [jsonPath, type, cell] of rows) {
    test(`show ${String(cell)} for ${jsonPath} as ${type}`, () => {
      assert.deepEqual(printerCells([{ name: 'C', type, jsonPath }])(object, now), [cell]);
    });
  }

  test('end before the first path that cannot be read', () => {
    const paths = ['.spec.n', '.spec.list[', '.spec.text'];
    const columns = paths.map((jsonPath) => ({ name: 'C', type: 'string', jsonPath }));

    assert.equal(readableColumns(columns).length, 1);
    assert.deepEqual(printerCells(columns)(object, now), ['5']);
  });

  test('give up on a path that multiplies its results', () => {
    const inner = Array.from({ length: 400 }, () => 1);
    const wide = { a: Array.from({ length: 400 }, () => ({ b: inner })) };
    const column = { name: 'C', type: 'string', jsonPath: '.a[*].b[*]' };

    assert.deepEqual(printerCells([column])(wide, now), [null]);
  });
});

test('selectable fields are read as text, and absent ones as nothing', () => {
  assert.equal(selectableField('.spec.n').name, 'spec.n');
  assert.deepEqual(
    ['.spec.n', '.spec.yes', '.spec.absent', '.spec.nothing'].map((path) =>
      selectableField(path).read(object),
    ),
    ['5', 'true', '', ''],
  );
});
