import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagTable } from '../flags/flag-table.ts';
import { globalFlags } from '../flags/global-flags.ts';
import { findVerb } from './find-verb.ts';

const globals = flagTable(globalFlags);
const names = ['get', 'logs', 'auth can-i', 'auth whoami', 'top'];
const find = (line: string) => findVerb(line === '' ? [] : line.split(' '), names, globals);

const cases: readonly [line: string, name: string, words: string][] = [
  ['get pods', 'get', 'pods'],
  ['--context x get pods', 'get', '--context x pods'],
  ['--context=x get pods', 'get', '--context=x pods'],
  ['-n x get pods', 'get', '-n x pods'],
  ['-nx get pods', 'get', '-nx pods'],
  ['-v get pods', 'get', '-v pods'],
  ['-v 6 get pods', 'get', '-v 6 pods'],
  ['--refresh get pods', 'get', '--refresh pods'],
  ['-A get pods', 'get', '-A pods'],
  ['-l app=x get pods', 'get', '-l app=x pods'],
  ['--clusters get get pods', 'get', '--clusters get pods'],
  ['auth can-i get pods', 'auth can-i', 'get pods'],
  ['auth -n x can-i get pods', 'auth can-i', '-n x get pods'],
  ['top pods', 'top', 'pods'],
  ['get -- pods', 'get', '-- pods'],
];
for (const [line, name, words] of cases) {
  test(`the verb of "${line}" is ${name}`, () => {
    assert.deepEqual(find(line), { name, words: words.split(' ') });
  });
}

test('words that name no verb are told apart', () => {
  assert.deepEqual(find(''), { typed: undefined, parent: undefined });
  assert.deepEqual(find('--refresh -v'), { typed: undefined, parent: undefined });
  assert.deepEqual(find('frob x'), { typed: 'frob', parent: undefined });
  assert.deepEqual(find('auth'), { typed: undefined, parent: 'auth' });
  assert.deepEqual(find('auth frob'), { typed: 'frob', parent: 'auth' });
  assert.deepEqual(find('-- get'), { typed: undefined, parent: undefined });
});
