import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Seeded, seeded } from '../testing/seeded.ts';
import { compareTyped } from './compare-typed.ts';
import { setOf, union } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { ATOMIC, DEDUCED } from './merge-schema.ts';
import { mergeTyped } from './merge-typed.ts';
import { newFields } from './new-fields.ts';
import { removeItems } from './remove-items.ts';
import { reconcileSet } from './schema-changes.ts';
import { paths, schemaOf, yaml } from './testing.cases.ts';
import { validateTyped } from './validate-typed.ts';

const SCHEMA = schemaOf(`
number: {type: integer}
text: {type: string}
time: {type: string, format: date-time}
flag: {type: boolean}
port: {x-kubernetes-int-or-string: true}
struct: {type: object, properties: {a: {type: string}, b: {type: string}}}
map: {type: object, additionalProperties: {type: string}}
whole: {type: object, x-kubernetes-map-type: atomic, properties: {a: {type: string}}}
plain: {type: array, items: {type: string}}
set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
items: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name, kind], items: {type: object, properties: {name: {type: string}, kind: {type: string, default: k}, value: {type: integer}}}}
free: {type: object, x-kubernetes-preserve-unknown-fields: true}
`);

describe('validateTyped', () => {
  const refusals: readonly [value: string, message: string][] = [
    ['{number: x}', '.number: expected numeric (int or float), got string'],
    ['{number: {}}', '.number: expected numeric (int or float), got map[string]interface {}'],
    ['{text: 5}', '.text: expected string, got &value.valueUnstructured{Value:5}'],
    [
      '{text: [a]}',
      '.text: expected string, got &value.valueUnstructured{Value:[]interface {}{"a"}}',
    ],
    ['{flag: x}', '.flag: expected boolean, got &{x}'],
    ['{time: {a: 1}}', '.time: expected any scalar, got &{map[a:1]}'],
    ['{struct: 5}', '.struct: expected map, got &{5}'],
    ['{set: {a: b}}', '.set: expected list, got &{map[a:b]}'],
    ['{nope: 1}', '.nope: field not declared in schema'],
    ['{struct: {c: x}}', '.struct.c: field not declared in schema'],
    ['{set: [a, a]}', '.set: duplicate entries for key [="a"]'],
    [
      '{set: [null]}',
      ".set: element 0: associative list without keys has an element that's an explicit null",
    ],
    [
      '{set: [{}]}',
      ".set: element 0: associative list without keys has an element that's a map type",
    ],
    ['{set: [[]]}', '.set: element 0: not supported: associative list with lists as elements'],
    [
      '{items: [null]}',
      '.items: element 0: associative list with keys may not have a null element',
    ],
    ['{items: [x]}', '.items: element 0: associative list with keys may not have non-map elements'],
    [
      '{items: [{name: a}, {name: a, kind: k}]}',
      '.items: duplicate entries for key [kind="k",name="a"]',
    ],
    [
      '{items: [{name: a, value: x}]}',
      '.items[kind="k",name="a"].value: expected numeric (int or float), got string',
    ],
    [
      '{number: x, plain: [1]}',
      'errors:\n  .number: expected numeric (int or float), got string\n  .plain[0]: expected string, got &value.valueUnstructured{Value:1}',
    ],
  ];
  for (const [value, message] of refusals) {
    test(`refuses ${value}`, () => {
      assert.throws(() => validateTyped(SCHEMA, yaml(value)), { name: 'TypedError', message });
    });
  }

  test('takes null anywhere, any scalar with a format, and unknown fields where they are kept', () => {
    validateTyped(
      SCHEMA,
      yaml('{number: null, struct: null, set: null, time: 5, port: http, free: {a: [1, {b: c}]}}'),
    );
    validateTyped(ATOMIC, yaml('{a: [1]}'));
  });

  test('takes items that stand twice where it is told to', () => {
    validateTyped(SCHEMA, yaml('{set: [a, a]}'), { allowDuplicates: true });
  });
});

describe('fieldSetOf', () => {
  const sets: readonly [value: string, paths: readonly string[]][] = [
    ['{}', []],
    ['{number: 1, text: null}', ['.number', '.text']],
    ['{struct: {a: x}}', ['.struct.a']],
    ['{struct: {}}', ['.struct']],
    ['{struct: null}', ['.struct']],
    ['{map: {a: x}}', ['.map.a']],
    ['{map: {}}', ['.map']],
    ['{whole: {a: x}, plain: [x]}', ['.plain', '.whole']],
    ['{set: []}', []],
    ['{set: [b, a]}', ['.set[="a"]', '.set[="b"]']],
    ['{set: [a, a]}', ['.set[="a"]']],
    [
      '{items: [{name: a, value: 1}]}',
      [
        '.items[kind="k",name="a"]',
        '.items[kind="k",name="a"].name',
        '.items[kind="k",name="a"].value',
      ],
    ],
    ['{free: {a: {b: [1]}}}', ['.free.a', '.free.a.b']],
  ];
  for (const [value, wanted] of sets) {
    test(`of ${value}`, () => {
      assert.deepEqual(paths(fieldSetOf(SCHEMA, yaml(value))), wanted);
    });
  }
});

describe('compareTyped', () => {
  const comparisons: readonly {
    before: string;
    after: string;
    added?: readonly string[];
    modified?: readonly string[];
    removed?: readonly string[];
  }[] = [
    { before: '{number: 1}', after: '{number: 1}' },
    { before: '{number: 1}', after: '{number: 2}', modified: ['.number'] },
    { before: '{}', after: '{number: 2}', added: ['.number'] },
    { before: '{number: 1}', after: '{}', removed: ['.number'] },
    { before: '{number: null}', after: '{number: 1}', modified: ['.number'] },
    { before: '{}', after: '{struct: {a: x}}', added: ['.struct', '.struct.a'] },
    { before: '{struct: {}}', after: '{struct: {a: x}}', added: ['.struct.a'] },
    { before: '{struct: null}', after: '{struct: {}}', modified: ['.struct'] },
    { before: '{struct: {a: x}}', after: '{struct: null}', removed: ['.struct.a'] },
    { before: '{set: [a, b]}', after: '{set: [b, a]}' },
    { before: '{set: [a]}', after: '{set: [b]}', added: ['.set[="b"]'], removed: ['.set[="a"]'] },
    { before: '{}', after: '{set: [a]}', added: ['.set', '.set[="a"]'] },
    {
      before: '{set: [a, a]}',
      after: '{set: [a]}',
      added: ['.set[="a"]'],
      removed: ['.set[="a"]'],
    },
    {
      before: '{set: [a]}',
      after: '{set: [a, a]}',
      added: ['.set[="a"]'],
      removed: ['.set[="a"]'],
    },
    { before: '{plain: [a, b]}', after: '{plain: [b, a]}', modified: ['.plain'] },
    { before: '{whole: {a: x}}', after: '{whole: {a: w}}', modified: ['.whole'] },
    {
      before: '{items: [{name: a}]}',
      after: '{items: [{name: a, kind: k}]}',
      added: ['.items[kind="k",name="a"].kind'],
    },
    {
      before: '{items: [{name: a, value: 1}, {name: b}]}',
      after: '{items: [{name: b, value: 2}]}',
      added: ['.items[kind="k",name="b"].value'],
      removed: [
        '.items[kind="k",name="a"]',
        '.items[kind="k",name="a"].name',
        '.items[kind="k",name="a"].value',
      ],
    },
    {
      before: '{free: {a: 1}}',
      after: '{free: {a: {b: 1}}}',
      added: ['.free.a.b'],
      modified: ['.free.a'],
    },
    { before: '{free: {a: [1]}}', after: '{free: {a: x}}', modified: ['.free.a'] },
  ];
  for (const { before, after, added = [], modified = [], removed = [] } of comparisons) {
    test(`${before} with ${after}`, () => {
      const found = compareTyped(SCHEMA, yaml(before), yaml(after));

      assert.deepEqual(
        {
          added: paths(found.added),
          modified: paths(found.modified),
          removed: paths(found.removed),
        },
        { added, modified, removed },
      );
    });
  }

  test('finds nothing when a value is compared with itself, and all of it when with nothing', () => {
    const random = seeded(11);
    for (let round = 0; round < 200; round += 1) {
      const value = randomValue(random);
      const same = compareTyped(SCHEMA, value, structuredClone(value));
      assert.deepEqual(same, { added: {}, modified: {}, removed: {} });
      const { added, modified } = compareTyped(SCHEMA, EMPTY, value);
      assert.deepEqual(newFields(SCHEMA, EMPTY, value), union(modified, added));
    }
  });
});

/** What is always written of the type, as Go writes some fields. */
const EMPTY = { number: 0, struct: {}, set: null };

function randomValue({ below, pick }: Seeded): Record<string, unknown> {
  const maybe = (member: object): object => (below(2) === 0 ? member : {});
  const letter = (): string => pick(['a', 'b', 'c', 'd']);
  return {
    number: below(2),
    struct: { ...maybe({ a: letter() }), ...maybe({ b: letter() }) },
    ...maybe({ text: letter() }),
    ...maybe({ map: { [letter()]: letter(), [letter()]: letter() } }),
    ...maybe({ whole: { a: letter() } }),
    ...maybe({ plain: [letter()] }),
    set: pick([null, [letter(), letter()]]),
    ...maybe({ items: [{ name: letter() }, { name: letter(), kind: letter(), value: 1 }] }),
    ...maybe({ free: { [letter()]: { [letter()]: [1] }, [letter()]: letter() } }),
  };
}

describe('mergeTyped', () => {
  const merges: readonly [live: string, applied: string, merged: string][] = [
    ['{number: 1, text: x}', '{number: 2}', '{number: 2, text: x}'],
    ['{number: 1}', '{number: null}', '{number: null}'],
    ['{struct: {a: x}}', '{struct: {b: w}}', '{struct: {a: x, b: w}}'],
    ['{plain: [a]}', '{plain: [b]}', '{plain: [b]}'],
    ['{whole: {a: x}}', '{whole: {}}', '{whole: {}}'],
    ['{set: [a, b]}', '{set: [c, b]}', '{set: [a, c, b]}'],
    ['{set: [a, b, c]}', '{set: [c, a]}', '{set: [b, c, a]}'],
    ['{set: [a, b, c]}', '{set: []}', '{set: [a, b, c]}'],
    ['{set: [a, a, b]}', '{set: [b]}', '{set: [a, a, b]}'],
    ['{set: [a, a, b]}', '{set: [a]}', '{set: [a, b]}'],
    [
      '{items: [{name: a, value: 1}]}',
      '{items: [{name: b}, {name: a, value: 2}]}',
      '{items: [{name: b}, {name: a, value: 2}]}',
    ],
    ['{free: {a: {b: 1}}}', '{free: {a: [1]}}', '{free: {a: [1]}}'],
    ['{free: {a: {b: 1}}}', '{free: {a: {c: 1}}}', '{free: {a: {b: 1, c: 1}}}'],
  ];
  for (const [live, applied, merged] of merges) {
    test(`${applied} onto ${live}`, () => {
      assert.deepEqual(mergeTyped(SCHEMA, yaml(live), yaml(applied)), yaml(merged));
    });
  }
});

describe('removeItems', () => {
  const removals: readonly [value: string, items: readonly (readonly string[])[], left: string][] =
    [
      ['{number: 1, text: x}', [['f:number']], '{text: x}'],
      ['{struct: {a: x, b: w}}', [['f:struct', 'f:a']], '{struct: {b: w}}'],
      ['{struct: {a: x}}', [['f:struct', 'f:a']], '{struct: null}'],
      ['{set: [a, b]}', [['f:set', 'v:"a"']], '{set: [b]}'],
      [
        '{items: [{name: a, value: 1}, {name: b}]}',
        [['f:items', 'k:{"kind":"k","name":"a"}', 'f:value']],
        '{items: [{name: a}, {name: b}]}',
      ],
      ['{plain: [a]}', [['f:plain', 'i:0']], '{plain: null}'],
      ['{free: {a: {b: 1, c: 2}}}', [['f:free', 'f:a', 'f:b']], '{free: {a: {c: 2}}}'],
    ];
  for (const [value, items, left] of removals) {
    test(`${JSON.stringify(items)} from ${value}`, () => {
      assert.deepEqual(removeItems(SCHEMA, yaml(value), setOf(...items)), yaml(left));
    });
  }
});

describe('reconcileSet', () => {
  const granular = setOf(['f:whole', 'f:a'], ['f:plain', 'v:"x"'], ['f:struct', 'f:a']);

  test('who owned parts of what has become one value owns it', () => {
    assert.deepEqual(
      reconcileSet(SCHEMA, granular),
      setOf(['f:whole'], ['f:plain'], ['f:struct', 'f:a']),
    );
  });

  test('leaves what has no schema as it is', () => {
    assert.equal(reconcileSet(DEDUCED, granular), granular);
  });
});
