import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCel } from './compile.ts';
import type { CelSchema } from './schema-type.ts';
import { celTypeOfSchema, nameType } from './schema-type.ts';

const STRING = { type: 'string' };
const schema: CelSchema = {
  type: 'object',
  properties: {
    list: { type: 'array', items: STRING },
    text: STRING,
    map: { type: 'object', additionalProperties: STRING },
    elements: {
      type: 'array',
      items: { type: 'object', properties: { name: STRING } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
  },
};

const numbers = Array.from({ length: 20_000 }, (_, index) => index);
const self = {
  list: numbers.map((number) => `item${number}`),
  text: 'x'.repeat(500_000),
  map: Object.fromEntries(numbers.map((number) => [`key${number}`, 'value'])),
  elements: numbers.map((number) => ({ name: `element${number}` })),
};

function outcome(expr: string): string {
  const type = celTypeOfSchema(schema);
  assert.ok(type);
  const program = compileCel(expr, { variables: [{ name: 'self', type: nameType(type, 'T') }] });
  if (!program.ok) return program.message.split('\n')[0] ?? '';
  const result = program.evaluate({ self });
  return result.ok ? 'ok' : result.kind;
}

test('loops within loops are cut off by their cost', () => {
  const loops = 'self.list.all(a, self.list.all(b, self.list.all(c, a + b + c != "")))';

  assert.equal(outcome(loops), 'cost-exceeded');
});

test('work that costs nothing by the numbers of cel-go is cut off too', () => {
  for (const expr of [
    'self.list.all(x, self == self)',
    'self.list.all(x, self.text.size() > 0)',
    'self.list.all(x, self.map.size() > 0)',
    'self.list.all(x, self.map.exists(key, true))',
    'self.list.map(x, self.elements + self.elements).size() > 0',
    'self.list.all(x, self.text.charAt(1) == "x")',
  ]) {
    assert.equal(outcome(expr), 'cost-exceeded', expr);
  }
});

test('lists and texts do not grow beyond what their cost allows', () => {
  assert.equal(outcome('self.list.map(x, self.list + self.list).size() > 0'), 'ok');
  assert.equal(outcome('self.text.replace("", self.text) == ""'), 'evaluation');
  assert.equal(outcome('self.list.join(self.text) == ""'), 'evaluation');
  assert.equal(outcome('lists.range(9223372036854775807).size() > 0'), 'cost-exceeded');
  assert.equal(outcome('lists.range(900000).distinct().size() > 0'), 'cost-exceeded');
});

test('patterns take linear time, and those that would fill memory are refused', () => {
  assert.equal(outcome('!self.text.matches("(x+x+)+y")'), 'ok');
  assert.match(outcome('"a".matches("((a{1000}){1000}){1000}")'), /invalid matches argument/);
  const nested = `${'('.repeat(2000)}a${')'.repeat(2000)}`;
  assert.match(outcome(`"a".matches("${nested}")`), /invalid matches argument/);
});

test('sources are limited in length, depth and nodes', () => {
  const deep = /expression recursion limit exceeded: 250/;

  assert.match(outcome(`${'('.repeat(5000)}1${')'.repeat(5000)}`), deep);
  assert.match(outcome(`${'['.repeat(5000)}1${']'.repeat(5000)}`), deep);
  assert.match(outcome(`1${'+1'.repeat(300)}`), deep);
  assert.match(outcome(`self${'.a'.repeat(300)}`), deep);
  assert.match(outcome('1'.padEnd(100_001)), /code point size exceeds limit: size: 100001, limit/);
  assert.match(
    outcome(`optional.of(1)${'.optMap(x, x)'.repeat(60)}`),
    /expression node limit exceeded/,
  );
});

test('a chain of logic is no depth', () => {
  assert.equal(outcome(`true${' && true'.repeat(5000)}`), 'ok');
  assert.equal(outcome(`${'!'.repeat(5000)}true`), 'ok');
});
