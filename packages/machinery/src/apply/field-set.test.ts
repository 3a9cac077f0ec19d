import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seeded } from '../testing/seeded.ts';
import {
  difference,
  type FieldSet,
  hasPath,
  intersection,
  leaves,
  pathsOf,
  recursiveDifference,
  sameSet,
  setOf,
  sizeOf,
  union,
} from './field-set.ts';
import { parseFieldsV1 } from './fields-v1.ts';
import { fieldElement, keyElement, pathText, valueElement } from './path-element.ts';

const A = ['f:a'];
const AB = ['f:a', 'f:b'];
const ABC = ['f:a', 'f:b', 'f:c'];
const AD = ['f:a', 'f:d'];

describe('field sets', () => {
  test('have the form FieldsV1 has in JSON', () => {
    assert.equal(JSON.stringify(setOf(AB)), '{"f:a":{"f:b":{}}}');
    assert.equal(JSON.stringify(setOf(AB, A, AD)), '{"f:a":{".":{},"f:b":{},"f:d":{}}}');
  });

  test('stand in upstream’s order: fields, keys, values, indexes; numbers as numbers', () => {
    const elements = [
      'i:2',
      'i:10',
      valueElement('b'),
      valueElement(10),
      valueElement(9),
      valueElement(true),
      keyElement({ port: 443 }),
      keyElement({ port: 80 }),
      keyElement({ name: 'a b' }),
      keyElement({ name: 'a' }),
      keyElement({ name: 'a', port: 1 }),
      fieldElement('b'),
      fieldElement('\u{10000}'),
      fieldElement('\uffff'),
      fieldElement('B'),
    ];

    assert.deepEqual(Object.keys(setOf(...elements.map((element) => [element]))), [
      'f:B',
      'f:b',
      'f:\uffff',
      'f:\u{10000}',
      'k:{"name":"a"}',
      'k:{"name":"a","port":1}',
      'k:{"name":"a b"}',
      'k:{"port":80}',
      'k:{"port":443}',
      'v:9',
      'v:10',
      'v:"b"',
      'v:true',
      'i:2',
      'i:10',
    ]);
  });

  test('know members from those that only lead to them', () => {
    const set = setOf(ABC, A);

    assert.deepEqual(
      [A, AB, ABC, AD, []].map((path) => hasPath(set, path)),
      [true, false, true, false, false],
    );
    assert.equal(sizeOf(set), 2);
  });

  test('a difference keeps what stands below what it takes away, a recursive one does not', () => {
    const set = setOf(A, AB, ABC, AD);

    assert.deepEqual(difference(set, setOf(AB)), setOf(A, ABC, AD));
    assert.deepEqual(recursiveDifference(set, setOf(AB)), setOf(A, AD));
    assert.deepEqual(difference(setOf(AB), setOf(AB)), {});
    assert.deepEqual(recursiveDifference(setOf(ABC), setOf(A)), {});
  });

  test('leaves are the members with nothing below them', () => {
    assert.deepEqual(leaves(setOf(A, AB, ABC, AD)), setOf(ABC, AD));
  });

  test('union, intersection and difference are those of sets of paths', () => {
    const { pick, some: several } = seeded(7);
    const step = (): string => `f:${pick(['a', 'b', 'c'])}`;
    const one = (): string[] => [step(), ...several(2, step)];
    const some = (): FieldSet => setOf(...several(8, one));
    const texts = (set: FieldSet): Set<string> => new Set(pathsOf(set).map(pathText));
    for (let round = 0; round < 500; round += 1) {
      const [a, b] = [some(), some()];
      const [left, right] = [texts(a), texts(b)];
      const both = [...new Set([...left, ...right])].sort();
      assert.deepEqual([...texts(union(a, b))].sort(), both);
      const common = both.filter((path) => left.has(path) && right.has(path));
      assert.deepEqual([...texts(intersection(a, b))].sort(), common);
      const only = both.filter((path) => !right.has(path));
      assert.deepEqual([...texts(difference(a, b))].sort(), only);
      assert.equal(sameSet(union(a, b), union(b, a)), true);
      assert.equal(JSON.stringify(union(a, b)), JSON.stringify(union(b, a)));
    }
  });
});

describe('parseFieldsV1', () => {
  test('reads what clients send into canonical form', () => {
    const fields = {
      'f:b': {},
      'f:a': { 'f:x': { '.': {} }, '.': {} },
      'k:{ "z": 1.0, "a": "b" }': null,
    };

    assert.equal(
      JSON.stringify(parseFieldsV1(fields)),
      '{"f:a":{".":{},"f:x":{}},"f:b":{},"k:{\\"a\\":\\"b\\",\\"z\\":1}":{}}',
    );
  });

  test('leaves out elements of kinds it does not know', () => {
    assert.deepEqual(parseFieldsV1({ 'x:new': {}, 'f:a': {} }), setOf(A));
  });

  for (const fields of [
    { a: {} },
    { nonsense: {} },
    { 'f:a': 1 },
    { 'k:[]': {} },
    { 'v:{': {} },
    { 'i:x': {} },
    [],
  ]) {
    test(`refuses ${JSON.stringify(fields)}`, () => {
      assert.throws(() => parseFieldsV1(fields), { name: 'ParseError' });
    });
  }
});
