import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson } from '../json/parse-json.ts';
import { SAMPLE_OBJECT } from '../testing/sample-object.ts';
import {
  findJsonPath,
  parseJsonPath,
  printJsonPath,
  printJsonPathAsJson,
  relaxedJsonPath,
} from './json-path.ts';
import {
  FAILING,
  FAILING_STRICTLY,
  PRINTED,
  PRINTED_AS_JSON,
  UNREADABLE,
} from './testing/samples.ts';

const { value: sample } = parseJson(SAMPLE_OBJECT);

describe('a template', () => {
  for (const [template, printed] of PRINTED) {
    test(`${template} prints what kubectl prints`, () => {
      assert.equal(printJsonPath(parseJsonPath(template), sample), printed);
    });
  }

  for (const [template, printed] of PRINTED_AS_JSON) {
    test(`${template} as JSON prints what kubectl prints`, () => {
      assert.equal(printJsonPathAsJson(parseJsonPath(template), sample), printed);
    });
  }

  for (const [template, message] of UNREADABLE) {
    test(`${template} cannot be read, in kubectl's words`, () => {
      assert.throws(() => parseJsonPath(template), { name: 'ParseError', message });
    });
  }

  for (const [template, message] of FAILING) {
    test(`${template} cannot be run, in kubectl's words`, () => {
      const path = parseJsonPath(template);
      assert.throws(() => printJsonPath(path, sample), { name: 'JsonPathError', message });
    });
  }

  for (const [template, message] of FAILING_STRICTLY) {
    test(`${template} fails where missing keys are not allowed`, () => {
      const path = parseJsonPath(template);
      assert.throws(() => printJsonPath(path, sample, { allowMissingKeys: false }), { message });
    });
  }
});

test('a wildcard goes through keys in order', () => {
  const path = parseJsonPath('{.*}');

  assert.deepEqual(findJsonPath(path, { b: 1, 10: 2, 2: 3, a: 4 }), [[2, 3, 4, 1]]);
});

test('recursion reaches what is nested deeper than the stack', () => {
  let deep: unknown = { id: 'bottom' };
  for (let level = 0; level < 50_000; level++) deep = { in: deep };

  assert.equal(printJsonPath(parseJsonPath('{..id}'), deep), 'bottom');
});

test("keys of prototypes are nobody's fields", () => {
  assert.equal(printJsonPath(parseJsonPath('[{.constructor}{.__proto__}]'), {}), '[]');
});

describe('the relaxed form', () => {
  for (const [text, wanted] of [
    ['a.b', '{.a.b}'],
    ['.a.b', '{.a.b}'],
    ['{a.b}', '{.a.b}'],
    ['{.a.b}', '{.a.b}'],
    ['.spec.containers[*].image', '{.spec.containers[*].image}'],
    ['', ''],
    ['{.a}{.b}', undefined],
    ['{', undefined],
  ] as const) {
    test(`${JSON.stringify(text)} is ${wanted ?? 'refused'}`, () => {
      assert.equal(relaxedJsonPath(text), wanted);
    });
  }
});
