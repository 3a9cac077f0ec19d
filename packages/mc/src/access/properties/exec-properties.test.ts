import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readExecProperties } from './exec-properties.ts';

const read = (properties: Record<string, string>) =>
  readExecProperties(
    Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [`auth.exec.${key}`, value]),
    ),
  );

test('a profile without a command proposes none', () => {
  assert.equal(readExecProperties({}), undefined);
  assert.equal(readExecProperties({ 'cloud.provider': 'aws', 'auth.exec.args': 'x' }), undefined);
  assert.equal(read({ command: '' }), undefined);
});

test("the document's own sample is read, commas between its arguments", () => {
  assert.deepEqual(
    read({
      command: 'aws',
      args: 'eks,get-token,--cluster-name,production,--region,us-east-1',
      apiVersion: 'client.authentication.k8s.io/v1beta1',
    }),
    {
      command: 'aws',
      args: ['eks', 'get-token', '--cluster-name', 'production', '--region', 'us-east-1'],
      env: {},
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      interactiveMode: 'IfAvailable',
      installHint: undefined,
      provideClusterInfo: false,
    },
  );
});

test('MC-19 a JSON array of arguments is passed on element by element, commas untouched', () => {
  assert.deepEqual(read({ command: 'x', args: '["--scopes","a,b"]' })?.args, ['--scopes', 'a,b']);
});

test('indexed arguments are ordered by number and count before the other forms', () => {
  const proposal = read({
    command: 'x',
    args: 'ignored',
    ...Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`args.${11 - at}`, `a,${11 - at}`]),
    ),
  });
  assert.deepEqual(
    proposal?.args,
    Array.from({ length: 12 }, (_, at) => `a,${at}`),
  );
});

test('the rest of a plugin can be said, too', () => {
  const proposal = read({
    command: 'x',
    env: '{"A":"1","B":"x=y"}',
    provideClusterInfo: 'true',
    installHint: 'get it there',
    interactiveMode: 'Never',
    apiVersion: 'client.authentication.k8s.io/v1',
  });
  assert.deepEqual(proposal?.env, { A: '1', B: 'x=y' });
  assert.equal(proposal?.provideClusterInfo, true);
  assert.equal(proposal?.installHint, 'get it there');
  assert.equal(proposal?.interactiveMode, 'Never');
  assert.deepEqual(read({ command: 'x', env: 'null' })?.env, {});
});

for (const [properties, message] of [
  [{ args: '["a",1]' }, /"auth\.exec\.args" of its profile: it is not a JSON array of strings/],
  [{ args: '["a"' }, /not a JSON array/],
  [{ 'args.0': 'a', 'args.2': 'c' }, /"auth\.exec\.args\.1" of its profile: it is missing/],
  [{ env: '["A"]' }, /"auth\.exec\.env".*not a JSON object of strings/],
  [{ env: '{"A":1}' }, /not a JSON object of strings/],
  [{ env: '{"A=B":"1"}' }, /not a JSON object of strings/],
  [{ env: '{"A":"\\u0000"}' }, /not a JSON object of strings/],
  [{ interactiveMode: 'Sometimes' }, /neither Never nor IfAvailable nor Always/],
  [{ provideClusterInfo: 'yes' }, /neither true nor false/],
] as const) {
  test(`properties that cannot be meant are refused: ${JSON.stringify(properties)}`, () => {
    assert.throws(() => read({ command: 'x', ...properties }), { name: 'AccessError', message });
  });
}

test('names of inherited things are no properties', () => {
  assert.equal(readExecProperties(Object.create({ 'auth.exec.command': 'x' })), undefined);
});
