import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyJson, seeded } from '../testing/seeded.ts';
import { parseYaml, parseYamlDocuments } from './parse-yaml.ts';
import { toYaml } from './to-yaml.ts';

const value = (text: string) => parseYaml(text).value;

test('plain scalars mean what they mean to kubectl', () => {
  const cases: [string, unknown][] = [
    ['y', true],
    ['Yes', true],
    ['ON', true],
    ['n', false],
    ['off', false],
    ['tRue', 'tRue'],
    ['~', null],
    ['', null],
    ['0777', 511],
    ['08', 8],
    ['0o17', 15],
    ['0x1F', 31],
    ['-0b11', -3],
    ['1_000', 1000],
    ['_1', '_1'],
    ['+5', 5],
    ['1e3', 1000],
    ['.5', 0.5],
    ['1e400', '1e400'],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['18446744073709551616', 2 ** 64],
    ['12:30', '12:30'],
    ['2020-01-01', '2020-01-01'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['"yes"', 'yes'],
    ["'0777'", '0777'],
    ['!!str 5', '5'],
    ['!!int "5"', 5],
    ['!!float 5', 5],
    ['!custom x', 'x'],
    ['!!binary aGk=', 'hi'],
  ];
  for (const [text, expected] of cases) {
    assert.deepEqual(value(`a: ${text}`), { a: expected }, text);
  }
});

test('keys become texts', () => {
  assert.deepEqual(value('1: a\nyes: b\n1.5: c\n1e6: d\n"x": e'), {
    1: 'a',
    true: 'b',
    '1.5': 'c',
    '1e+06': 'd',
    x: 'e',
  });
  assert.throws(() => value('~: a'), { name: 'ParseError', message: /^unsupported map key/ });
  assert.throws(() => value('? [a]\n: b'), { name: 'ParseError' });
});

test('JSON is YAML', () => {
  const text = '{"a":[1,"yes",true,null,{"b":"\\u00e9"}]}';
  assert.deepEqual(value(text), JSON.parse(text));
});

test('aliases copy, merges fill in', () => {
  const merged = value('a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\nc: *x\n') as Record<
    string,
    object
  >;
  assert.deepEqual(merged, { a: { p: 1, q: 2 }, b: { p: 1, q: 3 }, c: { p: 1, q: 2 } });
  assert.notEqual(merged['a'], merged['c']);
  assert.deepEqual(value('a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}'), {
    a: { p: 1 },
    b: { p: 2, q: 2 },
    c: { p: 1, q: 2 },
  });
  assert.throws(() => value('a: *none'), { message: "yaml: unknown anchor 'none' referenced" });
  assert.throws(() => value('a: &x [*x]'), { message: "yaml: anchor 'x' value contains itself" });
  assert.throws(() => value('<<: 1'), {
    message: 'yaml: map merge requires map or sequence of maps as the value',
  });
});

test('a bomb of aliases is defused', () => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
  for (let i = 1; i < 10; i++) {
    lines.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(',')}]`);
  }
  assert.throws(() => value(lines.join('\n')), {
    message: 'yaml: document contains excessive aliasing',
  });
});

test('keys that stand twice are reported by line, and the last one counts', () => {
  const parsed = parseYaml('a: 1\nb:\n  c: 1\n  c: 2\na:\n  d: 1\n');
  assert.deepEqual(parsed.value, { a: { d: 1 }, b: { c: 2 } });
  assert.equal(
    parsed.strictError,
    'yaml: unmarshal errors:\n  line 4: key "c" already set in map\n  line 6: key "a" already set in map',
  );
  assert.equal(parseYaml('a: 1').strictError, undefined);
});

test('documents are read one by one', () => {
  const text = '# nothing\n---\na: 1\n---\n---\nb: |\n  ---x\n...\n';
  assert.deepEqual(
    parseYamlDocuments(text).map((document) => document.value),
    [{ a: 1 }, null, { b: '---x\n' }],
  );
  assert.deepEqual(value('a: 1\n---\nb: 2\n'), { a: 1 });
  assert.equal(value(''), null);
  assert.equal(value('\ufeffa'), 'a');
});

test('what cannot be read is refused, however deep', () => {
  assert.throws(() => value('a: b: c'), { name: 'ParseError', message: /^yaml: line 1: / });
  assert.throws(() => value('a: [1'), { name: 'ParseError', message: /^yaml: / });
  assert.throws(() => value('['.repeat(1_000_000)), { name: 'ParseError', message: /maxDepth/ });
  assert.throws(() => value('a: .inf'), { message: 'json: unsupported value: +Inf' });
  assert.throws(() => value('a: !!int x'), {
    message: 'yaml: cannot decode !!str `x` as a !!int',
  });
  assert.throws(() => parseYaml(new Uint8Array([0x61, 0xff])), {
    message: 'yaml: invalid leading UTF-8 octet',
  });
});

test('__proto__ is an ordinary key', () => {
  const parsed = value('__proto__: {polluted: 1}') as object;
  assert.deepEqual(Object.keys(parsed), ['__proto__']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

test('objects are written in the form of kubectl', () => {
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: {}, finalizers: [] },
    data: { a10: 'x', a2: 'y', B: 'two\nlines\n', 'x: y': '# no comment', empty: '' },
    list: [{ name: 'one', ports: [1, 2n ** 60n] }, ['nested'], null, true, 1.5],
  };
  assert.equal(
    toYaml(object),
    `apiVersion: v1
data:
  B: |
    two
    lines
  a2: "y"
  a10: x
  empty: ""
  'x: y': '# no comment'
kind: ConfigMap
list:
- name: one
  ports:
  - 1
  - 1152921504606846976
- - nested
- null
- true
- 1.5
metadata:
  finalizers: []
  labels: {}
  name: a
`,
  );
});

test('texts that would be read as something else are quoted', () => {
  const texts = ['yes', 'n', 'null', '~', '', '0777', '1_000', '0o17', '12:30:00', '1e3', '.5'];
  const more = [
    '2020-01-01',
    '=',
    '<<',
    '- a',
    'a: b',
    ' x',
    'x ',
    '---',
    '@a',
    '*a',
    'a #b',
    '\t',
  ];
  for (const text of [...texts, ...more, 'a\nb', 'a\n', '\na', 'é', '\u0000', '\ud83d\ude00']) {
    assert.deepEqual(value(toYaml({ [text]: text, list: [text] })), { [text]: text, list: [text] });
  }
  for (const text of texts) assert.equal(toYaml({ a: text }), `a: "${text}"\n`);
});

test('texts have the form that kubectl gives them, to the byte', () => {
  const words = 'some words that fill a line and go on beyond the width of eighty columns of it';
  const cases: [unknown, string][] = [
    [
      words.repeat(2),
      `a: some words that fill a line and go on beyond the width of eighty columns of itsome
  words that fill a line and go on beyond the width of eighty columns of it
`,
    ],
    [
      `# ${words} end`,
      `a: '# some words that fill a line and go on beyond the width of eighty columns of
  it end'
`,
    ],
    [
      `\t ${words} end`,
      `a: "\\t some words that fill a line and go on beyond the width of eighty columns of
  it end"
`,
    ],
    [
      `${words}\n${words} end`,
      `a: |-
  ${words}
  ${words} end
`,
    ],
    ['one\n', 'a: |\n  one\n'],
    ['one\n\n', 'a: |+\n  one\n\n'],
    ['\n', 'a: |2+\n\n'],
    ['  one\ntwo', 'a: |2-\n    one\n  two\n'],
    ['one \ntwo', 'a: "one \\ntwo"\n'],
    ['a\u00a0b', 'a: a\u00a0b\n'],
    ['\u{1f600}', 'a: "\\U0001F600"\n'],
    ['\ufeffx', 'a: "\\uFEFF\\x78"\n'],
    ['=', 'a: =\n'],
    [' ', "a: ' '\n"],
    [':x', 'a: :x\n'],
    [{ 'one\ntwo': ['x'] }, 'a:\n  ? |-\n    one\n    two\n  : - x\n'],
    [
      { [`${words}${words}`]: 1 },
      `a:
  ? some words that fill a line and go on beyond the width of eighty columns of itsome
    words that fill a line and go on beyond the width of eighty columns of it
  : 1
`,
    ],
  ];
  for (const [given, written] of cases) assert.equal(toYaml({ a: given }), written);
});

test('a key that merges mappings is quoted, where kubectl writes what it could not read', () => {
  assert.equal(toYaml({ '<<': 'x' }), '"<<": x\n');
});

test('values nested deeper than the stack are refused', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];

  assert.throws(() => toYaml(deep), {
    message: 'Cannot write YAML: the value is nested too deeply',
  });
});

test('what is written is read back the same', () => {
  const random = seeded(41);
  for (let round = 0; round < 500; round++) {
    const original = { a: anyJson(random) };
    assert.deepEqual(value(toYaml(original)), original);
  }
});

test('aliases may be limited in number', () => {
  const text = 'a: &a 1\nb: [*a, *a]';

  assert.deepEqual(parseYamlDocuments(text, { maxAliases: 2 })[0]?.value, { a: 1, b: [1, 1] });
  assert.throws(() => parseYamlDocuments(text, { maxAliases: 1 }), {
    message: 'yaml: document contains more than 1 aliases',
  });
});

test('lines in quotes and brackets may stand as far to the left as they like', () => {
  const cases: [string, unknown][] = [
    ['a:\n  b: "one\ntwo"\n', { a: { b: 'one two' } }],
    ["a:\n  b: 'one\n two\n\n three'\nc: 1\n", { a: { b: 'one two\nthree' }, c: 1 }],
    ['a: {\n  b: c\n}\n', { a: { b: 'c' } }],
    ['a:\n  args: [\n  "x",\n  z\n]\nb: 1\n', { a: { args: ['x', 'z'] }, b: 1 }],
    ['- - a: "x\n y"\n- z\n', [[{ a: 'x y' }], 'z']],
    ['a:\n  b: "one\\\ntwo"\n', { a: { b: 'onetwo' } }],
    ['a:\n  b: [plain\nwords, z]\n', { a: { b: ['plain words', 'z'] } }],
    ['a: "x\r\ny"\r\nb: [\r\n]\r\n', { a: 'x y', b: [] }],
    ['a:\n  b: "one\n# two"\n', { a: { b: 'one # two' } }],
    ['a:\n  b: [\n# two\n1]\n', { a: { b: [1] } }],
    ['a:\n  b: {c: "one\ntwo"\n}\n', { a: { b: { c: 'one two' } } }],
    ['a:\n  b: "one\n\ttwo"\n', { a: { b: 'one two' } }],
  ];
  for (const [text, expected] of cases) assert.deepEqual(value(text), expected, text);
});

test('a text that does nothing but stand too far to the left is given up, not read for ever', () => {
  const text = `a:\n  b: "${'\nx'.repeat(500_000)}"\n`;
  assert.throws(() => parseYaml(text), /^ParseError: yaml: line \d+: deficient indentation$/);
});
