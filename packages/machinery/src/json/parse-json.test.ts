import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyJson, seeded } from '../testing/seeded.ts';
import { encodeJson } from './encode-json.ts';
import { duplicateFieldText, parseJson } from './parse-json.ts';

const value = (text: string | Uint8Array) => parseJson(text).value;

test('integers beyond 2^53 are exact up to 64 bits, then floats', () => {
  assert.equal(value('9007199254740991'), 2 ** 53 - 1);
  assert.equal(value('9007199254740993'), 9007199254740993n);
  assert.equal(value('-9223372036854775808'), -(2n ** 63n));
  assert.equal(value('18446744073709551615'), 2n ** 64n - 1n);
  assert.equal(value('18446744073709551616'), 2 ** 64);
  assert.equal(value('9007199254740993.0'), 9007199254740992);
  assert.equal(value('1e5'), 100000);
  assert.ok(Object.is(value('-0.00e1'), -0) || value('-0.00e1') === 0);
});

test('a number that does not fit is refused', () => {
  for (const text of ['1e400', '-1e400', '1'.repeat(400)]) {
    assert.throws(() => value(`{"a":${text}}`), {
      message: `json: cannot unmarshal number ${text} into Go value of type float64`,
    });
  }
});

test('keys that stand twice are reported with their paths, and the last one counts', () => {
  const parsed = parseJson(
    '{"spec":{"x":1,"x":2,"c":[{},{"n":1,"\\u006e":2}]},"spec\\t":0,"x":1,"x":3}',
  );
  assert.deepEqual(parsed.duplicates, ['spec.x', 'spec.c[1].n', 'x']);
  assert.deepEqual(parsed.value, { spec: { x: 2, c: [{}, { n: 2 }] }, 'spec\t': 0, x: 3 });
  assert.deepEqual(parseJson('[{"a":1,"a":1}]').duplicates, ['[0].a']);
  assert.deepEqual(parseJson('{"a":1,"a":2}', { strict: false }), {
    value: { a: 2 },
    duplicates: [],
  });
  assert.equal(duplicateFieldText('spec.x'), 'duplicate field "spec.x"');
});

test('equal keys of different objects are no duplicates', () => {
  const text = '{"a":{"a":1,"b":{"a":2}},"b":[{"a":1},{"a":1}],"c":"a"}';
  assert.deepEqual(parseJson(text), { value: JSON.parse(text), duplicates: [] });
});

test('a repeated key is found among many', () => {
  const keys = Array.from({ length: 1000 }, (_, i) => `"k${i}":${i}`);
  assert.deepEqual(parseJson(`{${keys.join(',')}}`).duplicates, []);
  assert.deepEqual(parseJson(`{${keys.join(',')},"k5":1,"k999":1}`).duplicates, ['k5', 'k999']);
  const nested = keys.slice(0, 40).join(',');
  assert.deepEqual(parseJson(`{"o":{${nested}},"p":{${nested},"k3":0}}`).duplicates, ['p.k3']);
});

test('at most a hundred repeats are reported', () => {
  const pairs = Array.from({ length: 150 }, (_, i) => `"k${i}":1,"k${i}":2`);
  assert.equal(parseJson(`{${pairs.join(',')}}`).duplicates.length, 100);
});

test('malformed texts are refused with the words of Go', () => {
  const cases: [string, string][] = [
    ['', 'unexpected end of JSON input'],
    ['  ', 'unexpected end of JSON input'],
    ['{"a":1', 'unexpected end of JSON input'],
    ['["a', 'unexpected end of JSON input'],
    ['x', "invalid character 'x' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['{,}', "invalid character ',' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['[1 2]', "invalid character '2' after array element"],
    ['{} {}', "invalid character '{' after top-level value"],
    ['"\n"', "invalid character '\\n' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"\\u00', "invalid character ' ' in \\u hexadecimal character escape"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['falsy', "invalid character 'y' in literal false (expecting 'e')"],
    ['nuln', "invalid character 'n' in literal null (expecting 'l')"],
    ['-', "invalid character ' ' in numeric literal"],
    ['01', "invalid character '1' after top-level value"],
    ['1.', "invalid character ' ' after decimal point in numeric literal"],
    ['1e+', "invalid character ' ' in exponent of numeric literal"],
    ["{'a':1}", "invalid character '\\'' looking for beginning of object key string"],
    ['\ufeff{}', "invalid character 'ï' looking for beginning of value"],
    ['{"a":1e400', 'unexpected end of JSON input'],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => value(text), { name: 'ParseError', message }, JSON.stringify(text));
  }
});

test('nesting stops at 10,000 levels with an error, however deep the text goes', () => {
  assert.equal(Array.isArray(value('['.repeat(10_000) + ']'.repeat(10_000))), true);
  assert.throws(() => value('['.repeat(1_000_000)), {
    message: "invalid character '[' exceeded max depth",
  });
  assert.throws(() => value('{"a":'.repeat(1_000_000)), {
    message: "invalid character '{' exceeded max depth",
  });
  assert.throws(() => parseJson('[[[]]]', { maxDepth: 2 }), /exceeded max depth/);
});

test('invalid UTF-8 becomes U+FFFD byte by byte, as in Go', () => {
  const bytes = (...parts: (string | number)[]) =>
    new Uint8Array(
      parts.flatMap((part) => (typeof part === 'number' ? [part] : [...Buffer.from(part)])),
    );
  assert.equal(value(bytes('"a', 0xff, 'b"')), 'a\ufffdb');
  assert.equal(value(bytes('"', 0xe2, 0x82, '"')), '\ufffd\ufffd');
  assert.equal(value(bytes('"', 0xed, 0xa0, 0x80, '"')), '\ufffd\ufffd\ufffd');
  assert.equal(value(bytes('"é漢😀"')), 'é漢😀');
  assert.throws(() => value(bytes('{', 0xff, '}')), {
    message: "invalid character 'ÿ' looking for beginning of object key string",
  });
});

test('halves of surrogate pairs become U+FFFD', () => {
  assert.equal(value('"\\ud83d\\ude00"'), '😀');
  assert.equal(value('"\\ud83d"'), '\ufffd');
  assert.equal(value('"\\ude00x"'), '\ufffdx');
  assert.equal(value('"\\ud83d\\u0041"'), '\ufffdA');
  assert.equal(value('"\\uD83D\\uDE00"'), '😀');
});

test('__proto__ is an ordinary key on both ways through the parser', () => {
  for (const text of ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1},"n":9007199254740993}']) {
    const parsed = value(text) as Record<string, unknown>;
    assert.equal(Object.keys(parsed)[0], '__proto__');
    assert.equal(parsed['x'], undefined);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  }
  assert.deepEqual(parseJson('{"__proto__":1,"__proto__":2}').duplicates, ['__proto__']);
});

test('what is encoded is read back the same', () => {
  const random = seeded(7);
  for (let round = 0; round < 2000; round++) {
    const original = anyJson(random);
    const text = encodeJson(original);
    const parsed = parseJson(text);
    assert.deepEqual(parsed, { value: original, duplicates: [] });
    assert.deepEqual(parseJson(new TextEncoder().encode(text)).value, original);
  }
});

test('a text cut or changed anywhere is read as the native parser reads it, or refused', () => {
  const random = seeded(8);
  for (let round = 0; round < 3000; round++) {
    const text = JSON.stringify(anyJson(random), (_, v) => (typeof v === 'bigint' ? 1 : v)) ?? '';
    const at = random.below(text.length + 1);
    const changed = random.pick([
      text.slice(0, at),
      text.slice(0, at) + random.pick(['"', '{', ',', '1', ':']) + text.slice(at),
    ]);
    let expected: unknown;
    try {
      expected = JSON.parse(changed);
    } catch {
      assert.throws(() => parseJson(changed), { name: 'ParseError' }, changed);
      continue;
    }
    assert.deepEqual(parseJson(changed).value, expected, changed);
  }
});
