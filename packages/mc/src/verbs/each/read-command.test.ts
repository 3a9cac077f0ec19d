import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { commandOf, flagsIn, readsStdin } from './command-words.ts';
import { readCommand } from './read-command.ts';

const words = (line: string): string[] => line.split(' ');
const command = (line: string) => readCommand({ args: [], rest: words(line) } as unknown as Call);

const commands: readonly [line: string, found: string | undefined][] = [
  ['get pods', 'get'],
  ['-n shop get pods', 'get'],
  ['--namespace=shop --as bob get pods', 'get'],
  ['--insecure-skip-tls-verify delete pod x', 'delete'],
  ['rollout status deploy/x', 'rollout status'],
  ['rollout -n shop restart deploy/x', 'rollout restart'],
  ['auth reconcile -f x.yaml', 'auth reconcile'],
  ['rollout --new-flag x status', undefined],
  ['--new-flag get pods', undefined],
  ['--help', undefined],
  ['-- get', undefined],
];
for (const [line, found] of commands) {
  test(`the command of "${line}" is ${found}`, () => {
    assert.equal(commandOf(words(line)), found);
  });
}

test('only what is known to change nothing is a read', () => {
  for (const line of [
    'get pods',
    'describe node x',
    'logs web -f',
    'rollout status deploy/x',
    'auth can-i create pods',
    'diff -f x.yaml',
    'wait --for=delete pod/x',
  ]) {
    assert.equal(command(line).isRead, true, line);
  }
  for (const line of [
    'delete pod x',
    'apply -f x.yaml',
    'rollout restart deploy/x',
    'auth reconcile -f x',
    'exec web -- ls',
    'config set-context x',
    'some-plugin get',
    '--new-flag get pods',
    'cp a b',
  ]) {
    assert.equal(command(line).isRead, false, line);
  }
});

test('what goes on until it is ended is known, and what waits', () => {
  for (const line of ['get pods -w', 'get pods -Aw', 'logs x -f', 'logs -pf x', 'events --watch']) {
    assert.equal(command(line).isStream, true, line);
  }
  for (const line of ['apply -f w', 'get pods -o wide', 'get pods -lw', 'exec x -- watch -w']) {
    assert.equal(command(line).isStream, false, line);
  }
  assert.equal(command('wait pod/x --for=delete').isPatient, true);
  assert.equal(command('get pods').isPatient, false);
});

test('flags that lead elsewhere are refused however they are written', () => {
  for (const line of [
    'get pods --context x',
    'get pods --context=x',
    '--kubeconfig=/x get pods',
    'get pods --cluster x',
    'get pods --server https://x',
    'get pods -s https://x',
    'get pods -s=https://x',
    'get pods -shttps://x',
    'get pods -As https://x',
    'logs web -fs https://x',
  ]) {
    assert.throws(() => command(line), UsageError, line);
  }
  for (const line of [
    'exec web -- psql --cluster x -s',
    'get pods -o custom-columns=s:.spec',
    'apply -fs.yaml',
    'get pods -lapp=s',
    'get pods --as bob --token x',
  ]) {
    assert.doesNotThrow(() => command(line), line);
  }
});

test('a command is needed, and behind --', () => {
  const read = (args: string[], rest?: string[]) => readCommand({ args, rest } as unknown as Call);
  assert.throws(() => read([]), { message: /^each needs a kubectl command behind --/ });
  assert.throws(() => read([], []), { message: /^each needs a kubectl command behind --/ });
  assert.throws(() => read(['get', 'pods']), { message: /: kubectl mc each -- get pods$/ });
});

test('standard input is wanted where a file is called so', () => {
  for (const line of [
    'apply -f -',
    'apply -f=-',
    'apply -f-',
    'apply --filename=-',
    'diff -f a,-',
  ]) {
    assert.equal(readsStdin(words(line)), true, line);
  }
  for (const line of ['apply -f x', 'logs -f', 'exec x -- cat -f -', 'apply -f a-']) {
    assert.equal(readsStdin(words(line)), false, line);
  }
});

test('short flags are told apart up to the one that takes a value', () => {
  assert.deepEqual(flagsIn(['get', '-Aosome', '-', '-n', 'x']), ['-A', '-o', '-n']);
});
