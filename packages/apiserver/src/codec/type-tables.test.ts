import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJson } from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import { createTypeTables, type TypeFile } from './type-tables.ts';

const files: Record<string, TypeFile> = {
  'shop.v1': {
    package: 'shop/v1',
    types: {
      Order: {
        fields: [
          ['', 'meta/v1.TypeMeta', 0, ''],
          ['name', 'string', 1, ''],
          ['', 'shop/v1.Source', 2, ''],
          ['tags', 'shop/v1.Tags', 3, 'e'],
          ['parent', '*shop/v1.Order', 4, 'e'],
          ['total', 'float64', 5, 'z'],
          ['source', 'shop/v1.Source', 6, 'z'],
          ['made', 'meta/v1.Duration', 7, ''],
          ['any', 'any', 0, 'e'],
        ],
      },
      Source: {
        fields: [
          ['name', 'string', 1, 'e'],
          ['shop', 'string:shop/v1.Shop', 2, 'e'],
        ],
      },
      Tags: { kind: 'list', of: 'string' },
      Shop: { kind: 'string' },
    },
  },
  'meta.v1': {
    package: 'meta/v1',
    types: {
      TypeMeta: {
        fields: [
          ['kind', 'string', 1, 'e'],
          ['apiVersion', 'string', 2, 'e'],
        ],
      },
    },
  },
};

function shop() {
  const read: string[] = [];
  const tables = createTypeTables({
    types: (file) => {
      read.push(file);
      return files[file]!;
    },
    kinds: () => {
      read.push('kinds');
      return [{ group: 'shop', version: 'v1', kind: 'Order', type: 'shop/v1.Order' }];
    },
  });
  return { tables, read };
}

test('a file is read when one of its types is first used, and once', () => {
  const { tables, read } = shop();
  assert.deepEqual(read, []);
  const order = tables.kind({ group: 'shop', version: 'v1', kind: 'Order' });
  assert.deepEqual(read, ['kinds', 'shop.v1']);
  canonicalize(order!, {});
  canonicalize(order!, { parent: {} });
  assert.deepEqual(read, ['kinds', 'shop.v1', 'meta.v1']);
  assert.equal(tables.kind({ group: 'shop', version: 'v1', kind: 'Order' }), order);
});

test('kinds and versions that no table has are told apart', () => {
  const { tables } = shop();
  assert.equal(tables.kind({ group: 'shop', version: 'v2', kind: 'Order' }), undefined);
  assert.equal(tables.hasVersion({ group: 'shop', version: 'v1' }), true);
  assert.equal(tables.hasVersion({ group: 'shop', version: 'v2' }), false);
  assert.throws(() => tables.struct('shop/v1.Nothing'), /no table has it/);
  assert.throws(() => tables.struct('shop/v1.Tags'), /not a struct/);
  assert.throws(() => tables.type('int128'), /not a scalar/);
});

test('inlined fields stand among the others, and outer names win', () => {
  const order = shop().tables.struct('shop/v1.Order');
  assert.deepEqual(
    order.fields().map(({ name }) => name),
    ['kind', 'apiVersion', 'name', 'shop', 'tags', 'parent', 'total', 'source', 'made', 'any'],
  );
});

test('omitzero leaves out zero numbers and zero structs', () => {
  const order = shop().tables.struct('shop/v1.Order');
  const text = (raw: unknown) => encodeJson(canonicalize(order, raw));
  assert.equal(text({ total: 0, source: { name: '' } }), '{"name":"","made":"0s"}');
  assert.equal(
    text({ total: 0.5, source: { name: 'x' }, made: '90m' }),
    '{"name":"","total":0.5,"source":{"name":"x"},"made":"1h30m0s"}',
  );
});
