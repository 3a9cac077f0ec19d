import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseColours } from './colour.ts';

const terminal = { out: true, err: true, in: true };

test('MC-79 what is piped has no colour, nor has a terminal under NO_COLOR or TERM=dumb', () => {
  const piped = { out: false, err: true, in: false };
  assert.equal(chooseColours('auto', { terminal: piped, env: {} }).out.isOn, false);
  assert.equal(chooseColours('auto', { terminal: piped, env: {} }).err.isOn, true);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    const { out, err } = chooseColours('auto', { terminal, env });
    assert.equal(out.cluster('c1'), 'c1');
    assert.equal(err.error('bad'), 'bad');
    assert.equal(err.warning('hm'), 'hm');
  }
  assert.equal(chooseColours('never', { terminal, env: {} }).out.isOn, false);
});

test('an empty NO_COLOR does not count, and who asks for colours gets them anywhere', () => {
  assert.equal(chooseColours('auto', { terminal, env: { NO_COLOR: '' } }).out.isOn, true);
  const nowhere = { terminal: { out: false, err: false, in: false }, env: { NO_COLOR: '1' } };
  assert.equal(chooseColours('always', nowhere).out.isOn, true);
});

test('a cluster has one colour, whatever is shown of it, and neighbours differ', () => {
  const { out } = chooseColours('auto', { terminal, env: {} });
  const code = (text: string) => /\[(\d+)m/.exec(text)?.[1];
  assert.equal(code(out.cluster('prod-eu-1')), code(out.cluster('prod-eu-1', 'prod-eu-1   ')));
  assert.notEqual(code(out.cluster('prod-eu-1')), code(out.cluster('prod-eu-2')));
  const used = new Set(Array.from({ length: 100 }, (_, at) => code(out.cluster(`c${at}`))));
  assert.equal(used.size, 8);
  assert.equal(used.has('31'), false);
});

test('errors are red, line by line, and the text inside is untouched', () => {
  const { err } = chooseColours('auto', { terminal, env: {} });
  assert.equal(err.error('one\ntwo\n'), '\u001b[31mone\u001b[0m\n\u001b[31mtwo\u001b[0m\n');
});
