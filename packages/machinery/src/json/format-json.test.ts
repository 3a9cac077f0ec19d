import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyJson, seeded } from '../testing/seeded.ts';
import { formatJson } from './format-json.ts';

test('keys are in the order of their bytes, as Go writes maps', () => {
  const keys = ['b', '10', '2', 'a', 'B', '\u{1f600}', '\uffee', 'é', ''];
  const object = Object.fromEntries(keys.map((key, index) => [key, index]));

  assert.equal(
    formatJson(object),
    '{"":8,"10":1,"2":2,"B":4,"a":3,"b":0,"é":7,"\uffee":6,"\u{1f600}":5}',
  );
});

test('indented text has the form of kubectl', () => {
  assert.equal(
    formatJson({ b: [1, [], {}, { c: null }], a: '<&>' }, 4),
    `{
    "a": "\\u003c\\u0026\\u003e",
    "b": [
        1,
        [],
        {},
        {
            "c": null
        }
    ]
}`,
  );
});

test('what has no value is left out, numbers beyond 2^53 are exact', () => {
  assert.equal(
    formatJson({ a: undefined, b: 2n ** 63n, c: {} }),
    '{"b":9223372036854775808,"c":{}}',
  );
  assert.equal(formatJson({ a: undefined }, 4), '{}');
});

test('what is written is read back the same', () => {
  const random = seeded(7);
  for (let round = 0; round < 300; round++) {
    const original = { a: anyJson(random) };
    const readers = [formatJson(original), formatJson(original, 4)].map((text) => JSON.parse(text));
    for (const read of readers)
      assert.equal(formatJson(read), formatJson(JSON.parse(formatJson(original))));
  }
});
