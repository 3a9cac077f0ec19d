import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from '@flotilla/machinery';
import { setInConfig } from './edit-config.ts';

const FILE = `# Mine, do not touch
kind: Config
execution:
  # Our proxy allows no more
  maxConcurrency: 5   # ask the network people
  timeout: 30s
selection:
  exclude:
  - a   # old
  - b
`;

test('a value is changed in its line, and all comments stay', () => {
  assert.equal(
    setInConfig(FILE, ['execution', 'maxConcurrency'], 50),
    FILE.replace('maxConcurrency: 5 ', 'maxConcurrency: 50 '),
  );
});

test('a key is added to its section, a section to the end', () => {
  assert.equal(
    setInConfig(FILE, ['execution', 'retries'], 2),
    FILE.replace('  maxConcurrency', '  retries: 2\n  maxConcurrency'),
  );
  assert.equal(
    setInConfig(FILE, ['output', 'colorize'], 'never'),
    `${FILE}output:\n  colorize: never\n`,
  );
});

test('a value of several lines is replaced at the price of comments, but of no other value', () => {
  const text = setInConfig(FILE, ['selection', 'exclude'], ['c', 'd']);
  assert.ok(text.startsWith('# Mine, do not touch\n'));
  assert.deepEqual(parseYaml(text).value, {
    kind: 'Config',
    execution: { maxConcurrency: 5, timeout: '30s' },
    selection: { exclude: ['c', 'd'] },
  });
});

test('texts that YAML would take for something else stay texts', () => {
  for (const value of ['yes', '1', 'a: b', '# x', '']) {
    const text = setInConfig(FILE, ['hub', 'context'], value);
    assert.deepEqual((parseYaml(text).value as { hub: unknown }).hub, { context: value }, value);
  }
  const group = setInConfig(FILE, ['groups', 'a.b: c'], ['x']);
  assert.deepEqual((parseYaml(group).value as { groups: unknown }).groups, { 'a.b: c': ['x'] });
});

test('files of one line, of JSON and empty ones are written, too', () => {
  for (const source of [
    'execution: {retries: 1}\n',
    '{"execution": {"retries": 1}}',
    'execution:\n',
  ]) {
    const { value } = parseYaml(setInConfig(source, ['execution', 'timeout'], '5s'));
    assert.equal((value as { execution: { timeout: string } }).execution.timeout, '5s', source);
  }
  assert.equal(
    setInConfig('', ['execution', 'retries'], 2),
    'apiVersion: kubectl-mc.k8s.io/v1alpha1\nkind: Config\nexecution:\n  retries: 2\n',
  );
});
