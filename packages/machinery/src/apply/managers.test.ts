import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exceptFields } from './field-filter.ts';
import { setOf } from './field-set.ts';
import { DEDUCED } from './merge-schema.ts';
import { run, type Step, schemaOf, yaml } from './testing.cases.ts';

const LEAVES = schemaOf(
  '{number: {type: number}, text: {type: string}, other: {type: string}, flag: {type: boolean}}',
);
const SETS = schemaOf(
  '{list: {type: array, x-kubernetes-list-type: set, items: {type: string}}, also: {type: array, x-kubernetes-list-type: set, items: {type: integer}}}',
);
const KEYED = schemaOf(`
list:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items: {type: object, properties: {name: {type: string}, value: {type: number}, more: {type: string}}}
`);
const NESTED = schemaOf(`
struct: {type: object, properties: {name: {type: string}, value: {type: number}, inner: {type: object, properties: {a: {type: string}, b: {type: string}}}}}
map: {type: object, additionalProperties: {type: string}}
mapOfMaps: {type: object, additionalProperties: {type: object, additionalProperties: {type: string}}}
mapOfStructs: {type: object, additionalProperties: {type: object, properties: {name: {type: string}, value: {type: number}}}}
mapOfLists: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}
listOfLists: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, properties: {name: {type: string}, value: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}
wholeList: {type: array, items: {type: string}}
wholeMap: {type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}
`);
const DEFAULTS = schemaOf(`
ports:
  type: array
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [port, protocol]
  items: {type: object, properties: {port: {type: number}, protocol: {type: string, default: TCP}, name: {type: string}}}
`);

interface Case {
  readonly title: string;
  readonly schema: typeof LEAVES;
  readonly steps: readonly Step[];
  readonly object: string;
  readonly owners: Readonly<Record<string, readonly string[]>>;
}

const cases: readonly Case[] = [
  {
    title: 'fields of one manager, applied twice',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'a', apply: '{number: 2, text: x, flag: false}' },
    ],
    object: '{number: 2, text: x, flag: false}',
    owners: { a: ['.flag', '.number', '.text'] },
  },
  {
    title: 'what is no longer applied goes',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'a', apply: '{number: 1}' },
    ],
    object: '{number: 1}',
    owners: { a: ['.number'] },
  },
  {
    title: 'what another has applied stays',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'b', apply: '{text: x}' },
      { by: 'a', apply: '{number: 1}' },
    ],
    object: '{number: 1, text: x}',
    owners: { a: ['.number'], b: ['.text'] },
  },
  {
    title: 'what another has updated is theirs, and stays',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'b', update: '{number: 1, text: w}' },
      { by: 'a', apply: '{number: 1}' },
    ],
    object: '{number: 1, text: w}',
    owners: { a: ['.number'], b: ['.text'] },
  },
  {
    title: 'another value of what another owns is a conflict',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'b', apply: '{number: 2, text: w, flag: true}', conflicts: ['a .number', 'a .text'] },
      { by: 'b', apply: '{number: 1, flag: true}' },
    ],
    object: '{number: 1, text: x, flag: true}',
    owners: { a: ['.number', '.text'], b: ['.flag', '.number'] },
  },
  {
    title: 'force takes what is in the way',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'b', apply: '{number: 2}', force: true },
      { by: 'a', apply: '{text: x}' },
    ],
    object: '{number: 2, text: x}',
    owners: { a: ['.text'], b: ['.number'] },
  },
  {
    title: 'an update that removes takes nothing over',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: x}' },
      { by: 'b', update: '{number: 1}' },
    ],
    object: '{number: 1}',
    owners: { a: ['.number'] },
  },
  {
    title: 'null is a value',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1, text: null}' },
      { by: 'b', apply: '{text: w}', conflicts: ['a .text'] },
    ],
    object: '{number: 1, text: null}',
    owners: { a: ['.number', '.text'] },
  },
  {
    title: 'numbers that are equal are the same',
    schema: LEAVES,
    steps: [
      { by: 'a', apply: '{number: 1}' },
      { by: 'b', apply: '{number: 1.0}' },
    ],
    object: '{number: 1}',
    owners: { a: ['.number'], b: ['.number'] },
  },
  {
    title: 'a set grows by what each applies, in their order',
    schema: SETS,
    steps: [
      { by: 'a', apply: '{list: [a, c]}' },
      { by: 'b', apply: '{list: [b, c, d]}' },
      { by: 'a', apply: '{list: [a]}' },
    ],
    object: '{list: [a, b, c, d]}',
    owners: { a: ['.list[="a"]'], b: ['.list[="b"]', '.list[="c"]', '.list[="d"]'] },
  },
  {
    title: 'an applied order wins over the live one',
    schema: SETS,
    steps: [
      { by: 'a', apply: '{list: [a, b, c, d]}' },
      { by: 'b', apply: '{list: [d, x, a]}' },
    ],
    object: '{list: [b, c, d, x, a]}',
    owners: {
      a: ['.list[="a"]', '.list[="b"]', '.list[="c"]', '.list[="d"]'],
      b: ['.list[="a"]', '.list[="d"]', '.list[="x"]'],
    },
  },
  {
    title: 'the last item of a set goes with its list',
    schema: SETS,
    steps: [
      { by: 'a', apply: '{list: [a], also: [1]}' },
      { by: 'a', apply: '{also: [1]}' },
    ],
    object: '{also: [1]}',
    owners: { a: ['.also[=1]'] },
  },
  {
    title: 'items are told apart by their key',
    schema: KEYED,
    steps: [
      { by: 'a', apply: '{list: [{name: x, value: 1}, {name: w, value: 2}]}' },
      { by: 'b', apply: '{list: [{name: w, more: m}, {name: z}]}' },
      { by: 'a', apply: '{list: [{name: x, value: 1}]}' },
    ],
    object: '{list: [{name: x, value: 1}, {name: w, more: m}, {name: z}]}',
    owners: {
      a: ['.list[name="x"]', '.list[name="x"].name', '.list[name="x"].value'],
      b: [
        '.list[name="w"]',
        '.list[name="w"].more',
        '.list[name="w"].name',
        '.list[name="z"]',
        '.list[name="z"].name',
      ],
    },
  },
  {
    title: 'an item goes with its only applier, and what others had set inside it too',
    schema: KEYED,
    steps: [
      { by: 'a', apply: '{list: [{name: x}, {name: w}]}' },
      { by: 'c', update: '{list: [{name: x}, {name: w, value: 5}]}' },
      { by: 'a', apply: '{list: [{name: x}]}' },
    ],
    object: '{list: [{name: x}]}',
    owners: { a: ['.list[name="x"]', '.list[name="x"].name'] },
  },
  {
    title: 'structs are nobody’s, their fields are',
    schema: NESTED,
    steps: [
      { by: 'a', apply: '{struct: {name: x, inner: {a: 1a}}}' },
      { by: 'b', apply: '{struct: {value: 1, inner: {b: 1b}}}' },
      { by: 'a', apply: '{}' },
    ],
    object: '{struct: {value: 1, inner: {b: 1b}}}',
    owners: { b: ['.struct.inner.b', '.struct.value'] },
  },
  {
    title: 'a struct goes with the last of its fields',
    schema: NESTED,
    steps: [
      { by: 'a', apply: '{struct: {name: x, inner: {a: 1a}}, map: {k: v}}' },
      { by: 'a', apply: '{map: {k: v}}' },
    ],
    object: '{map: {k: v}}',
    owners: { a: ['.map.k'] },
  },
  {
    title: 'keys of maps belong to those who set them',
    schema: NESTED,
    steps: [
      { by: 'a', apply: '{map: {a: 1x, b: 2x}, mapOfMaps: {m: {a: 1x}}, mapOfLists: {l: [x]}}' },
      {
        by: 'b',
        apply: '{map: {c: 3x}, mapOfMaps: {m: {b: 2x}, o: {c: 3x}}, mapOfLists: {l: [w]}}',
      },
      { by: 'a', apply: '{map: {b: 2x}}' },
    ],
    object: '{map: {b: 2x, c: 3x}, mapOfMaps: {m: {b: 2x}, o: {c: 3x}}, mapOfLists: {l: [w]}}',
    owners: {
      a: ['.map.b'],
      b: [
        '.map.c',
        '.mapOfLists.l',
        '.mapOfLists.l[="w"]',
        '.mapOfMaps.m',
        '.mapOfMaps.m.b',
        '.mapOfMaps.o',
        '.mapOfMaps.o.c',
      ],
    },
  },
  {
    title: 'lists in lists',
    schema: NESTED,
    steps: [
      { by: 'a', apply: '{listOfLists: [{name: x, value: [a, b]}]}' },
      { by: 'b', apply: '{listOfLists: [{name: x, value: [b, c]}]}' },
      { by: 'a', apply: '{listOfLists: [{name: x}]}' },
    ],
    object: '{listOfLists: [{name: x, value: [b, c]}]}',
    owners: {
      a: ['.listOfLists[name="x"]', '.listOfLists[name="x"].name'],
      b: [
        '.listOfLists[name="x"]',
        '.listOfLists[name="x"].name',
        '.listOfLists[name="x"].value[="b"]',
        '.listOfLists[name="x"].value[="c"]',
      ],
    },
  },
  {
    title: 'what is one value is owned as one, and goes as one',
    schema: NESTED,
    steps: [
      { by: 'a', apply: '{wholeList: [a, b], wholeMap: {a: b}}' },
      {
        by: 'b',
        apply: '{wholeList: [b], wholeMap: {a: c}}',
        conflicts: ['a .wholeList', 'a .wholeMap'],
      },
      { by: 'b', apply: '{wholeList: [b]}', force: true },
      { by: 'a', apply: '{}' },
    ],
    object: '{wholeList: [b]}',
    owners: { b: ['.wholeList'] },
  },
  {
    title: 'a key that is not given is its default',
    schema: DEFAULTS,
    steps: [
      { by: 'a', apply: '{ports: [{port: 80, name: one}]}' },
      {
        by: 'b',
        apply: '{ports: [{port: 80, protocol: TCP, name: two}]}',
        conflicts: ['a .ports[port=80,protocol="TCP"].name'],
      },
      { by: 'b', apply: '{ports: [{port: 80, protocol: UDP, name: two}]}' },
    ],
    object: '{ports: [{port: 80, name: one}, {port: 80, protocol: UDP, name: two}]}',
    owners: {
      a: [
        '.ports[port=80,protocol="TCP"]',
        '.ports[port=80,protocol="TCP"].name',
        '.ports[port=80,protocol="TCP"].port',
      ],
      b: [
        '.ports[port=80,protocol="UDP"]',
        '.ports[port=80,protocol="UDP"].name',
        '.ports[port=80,protocol="UDP"].port',
        '.ports[port=80,protocol="UDP"].protocol',
      ],
    },
  },
  {
    title: 'items that stand twice are one to their manager, and an apply makes them one',
    schema: SETS,
    steps: [
      { by: 'u', update: '{list: [a, a, b]}' },
      { by: 'a', apply: '{list: [a]}', conflicts: ['u .list[="a"]'] },
      { by: 'a', apply: '{list: [a]}', force: true },
    ],
    object: '{list: [a, b]}',
    owners: { u: ['.list', '.list[="b"]'], a: ['.list[="a"]'] },
  },
  {
    title: 'without a schema maps merge and lists do not',
    schema: DEDUCED,
    steps: [
      { by: 'a', apply: '{m: {a: 1, l: [1, 2]}, s: x}' },
      { by: 'b', apply: '{m: {b: {c: 1}, l: [2]}}', conflicts: ['a .m.l'] },
      { by: 'b', apply: '{m: {b: {c: 1}}, s: {now: map}}', force: true },
      { by: 'a', apply: '{m: {a: 1}}' },
    ],
    object: '{m: {a: 1, b: {c: 1}}, s: {now: map}}',
    owners: { a: ['.m', '.m.a'], b: ['.m', '.m.b', '.m.b.c', '.s', '.s.now'] },
  },
];

describe('managers', () => {
  for (const { title, schema, steps, object, owners } of cases) {
    test(title, async () => {
      const state = await run(schema, steps);

      assert.deepEqual(state, { object: yaml(object), owners });
    });
  }

  test('what a request cannot change is neither taken nor owned', async () => {
    const deps = { filter: () => exceptFields(setOf(['f:text'])) };

    const state = await run(
      LEAVES,
      [
        { by: 'a', apply: '{number: 1, text: x}' },
        { by: 'b', update: '{number: 2, text: w}' },
      ],
      deps,
    );

    assert.deepEqual(state.owners, { b: ['.number'] });
  });

  test('entries of a version that is gone go, and what they owned is free', async () => {
    const state = await run(LEAVES, [
      { by: 'a', apply: '{number: 1, text: x}', version: 'v1' },
      { by: 'b', apply: '{number: 2}', version: 'v2' },
    ]);

    assert.deepEqual(state.owners, { b: ['.number'] });
  });

  test('managers of two versions meet in each other’s', async () => {
    const schema = LEAVES;
    // In v2 the text is called other.
    const convert = ({ value, version }: { value: unknown; version: string }, to: string) => {
      const { text, other, ...rest } = value as Record<string, unknown>;
      const named = version === 'v1' ? text : other;
      const renamed = named === undefined ? {} : { [to === 'v1' ? 'text' : 'other']: named };
      return { value: { ...rest, ...renamed }, schema, version: to };
    };
    const deps = { convert };

    const state = await run(
      schema,
      [
        { by: 'a', apply: '{text: x}', version: 'v1' },
        { by: 'c', update: '{other: x, flag: true}', version: 'v2' },
        { by: 'b', apply: '{other: w}', version: 'v2', conflicts: ['a .text'] },
      ],
      deps,
    );

    assert.deepEqual(state.owners['a'], ['.text']);
  });
});
