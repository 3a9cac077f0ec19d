import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messages, readTextproto, text } from './textproto.ts';

test('fields repeat, strings join and comments are skipped', () => {
  const message = readTextproto(`
    # a comment
    name: "one " 'two'
    section { name: "a" }
    section: { name: "b", values: [1, -2.5e3] }
  `);

  assert.equal(text(message, 'name'), 'one two');
  assert.deepEqual(
    messages(message, 'section').map((section) => text(section, 'name')),
    ['a', 'b'],
  );
  assert.deepEqual(messages(message, 'section')[1]?.get('values'), [
    { kind: 'scalar', text: '1' },
    { kind: 'scalar', text: '-2.5e3' },
  ]);
});

test('escapes stand for bytes', () => {
  const [value] = readTextproto(String.raw`b: "\001\xff\u00e9\n\\"`).get('b') ?? [];

  assert.deepEqual(value?.kind === 'string' && [...value.bytes], [1, 0xff, 0xc3, 0xa9, 10, 92]);
});
