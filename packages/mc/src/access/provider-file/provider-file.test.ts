import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offering, testHome } from '../testing/routing.ts';
import { pluginOfProvider } from './plugin-of-provider.ts';
import { findProviderFile, readProviderFile } from './read-provider-file.ts';

const ARGS = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-args';
const ENV = 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs';
const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', args: ['base'] };

function providerWith(more: object, exec: object = {}) {
  const text = JSON.stringify({
    providers: [{ name: 'p', execConfig: { ...EXEC, ...exec }, ...more }],
  });
  const [provider] = readProviderFile(text, '/home/me/.kube/providers.json').providers;
  assert.ok(provider !== undefined);
  return provider;
}

const offer = (extensions: Record<string, unknown>) => offering('https://m', { extensions });

test('the file is JSON or YAML, its providers in order', () => {
  const yaml = `
providers:
- name: b
  execConfig: {apiVersion: client.authentication.k8s.io/v1, command: ./bin/login, env: [{name: A, value: x}]}
- name: a
  execConfig: {apiVersion: client.authentication.k8s.io/v1beta1, command: other, provideClusterInfo: true}
  profileSourcedCLIArgsPolicy: Append
`;
  const { providers } = readProviderFile(yaml, '/home/me/.kube/providers.yaml');
  assert.deepEqual(
    providers.map(({ name, exec, argsPolicy, envPolicy }) => [
      name,
      exec.command,
      argsPolicy,
      envPolicy,
    ]),
    [
      ['b', '/home/me/.kube/bin/login', 'Ignore', 'Ignore'],
      ['a', 'other', 'Append', 'Ignore'],
    ],
  );
  assert.deepEqual(providers[0]?.exec.env, [{ name: 'A', value: 'x' }]);
  assert.equal(providers[0]?.exec.interactiveMode, 'Never');
});

for (const [text, message] of [
  ['{', /Cannot use provider file "\/p": yaml: /],
  ['[]', /it is not an object with a list of providers/],
  ['{"providers": {}}', /list of providers/],
  ['{"providers": [3]}', /providers\[0\] is not an object/],
  ['{"providers": [{"execConfig": {}}]}', /providers\[0\]\.name is missing/],
  ['{"providers": [{"name": "a"}]}', /providers\[0\]\.execConfig is missing/],
  ['{"providers": [{"name": "a", "execConfig": {"command": 3}}]}', /command is not a string/],
  ['{"providers": [{"name": "a", "execConfig": {"command": "x"}}]}', /apiVersion is missing/],
  [
    `{"providers": [{"name": "a", "execConfig": ${JSON.stringify(EXEC)}, "profileSourcedCLIArgsPolicy": "Apend"}]}`,
    /profileSourcedCLIArgsPolicy is none of Ignore, Append/,
  ],
] as const) {
  test(`a provider file that cannot be meant is an error: ${text}`, () => {
    assert.throws(() => readProviderFile(text, '/p'), { name: 'UsageError', message });
  });
}

test('the usual files are used when they are there, and a named one must be', async () => {
  using home = testHome();
  assert.equal(await findProviderFile(undefined, home.folder), undefined);
  const text = JSON.stringify({ providers: [{ name: 'yaml', execConfig: EXEC }] });
  const path = home.file('.kube/clusterprofile-providers.yaml', text);
  assert.equal((await findProviderFile(undefined, home.folder))?.path, path);
  home.file('.kube/clusterprofile-providers.json', text.replace('yaml', 'json'));
  assert.equal((await findProviderFile(undefined, home.folder))?.providers[0]?.name, 'json');
  await assert.rejects(findProviderFile('/nowhere/p.json', home.folder), {
    name: 'UsageError',
    message: 'Cannot read provider file "/nowhere/p.json": no such file',
  });
});

test('what profiles add is ignored unless the file says otherwise', () => {
  const extensions = { [ARGS]: ['--more'], [ENV]: { A: 'theirs' } };
  const plugin = pluginOfProvider(providerWith({}), offer(extensions));
  assert.deepEqual(plugin.args, ['base']);
  assert.deepEqual(plugin.env, []);
});

test('MC-16 arguments of one cluster never reach another', () => {
  const provider = providerWith({
    profileSourcedCLIArgsPolicy: 'Append',
    profileSourcedEnvVarsPolicy: 'Replace',
  });
  const first = pluginOfProvider(provider, offer({ [ARGS]: ['--a'], [ENV]: { X: 'a' } }));
  const second = pluginOfProvider(provider, offer({ [ARGS]: { args: ['--b'] } }));
  const third = pluginOfProvider(provider, offer({}));

  assert.deepEqual(first.args, ['base', '--a']);
  assert.deepEqual(second.args, ['base', '--b']);
  assert.deepEqual(second.env, []);
  assert.deepEqual(third.args, ['base']);
  assert.deepEqual(provider.exec.args, ['base']);
});

test('variables are added where they are not there, or replace what is, by policy', () => {
  const exec = { env: [{ name: 'A', value: 'mine' }] };
  const extensions = { [ENV]: { A: 'theirs', B: 'new' } };
  const envWith = (profileSourcedEnvVarsPolicy: string) =>
    Object.fromEntries(
      (
        pluginOfProvider(providerWith({ profileSourcedEnvVarsPolicy }, exec), offer(extensions))
          .env ?? []
      ).map(({ name, value }) => [name, value]),
    );
  assert.deepEqual(envWith('AppendIfNotExists'), { A: 'mine', B: 'new' });
  assert.deepEqual(envWith('Replace'), { A: 'theirs', B: 'new' });
  assert.deepEqual(envWith('Ignore'), { A: 'mine' });
});

test('a null extension adds nothing', () => {
  const provider = providerWith({
    profileSourcedCLIArgsPolicy: 'Append',
    profileSourcedEnvVarsPolicy: 'AppendIfNotExists',
  });
  const plugin = pluginOfProvider(provider, offer({ [ARGS]: null, [ENV]: null }));
  assert.deepEqual([plugin.args, plugin.env], [['base'], []]);
});

for (const [extensions, expected] of [
  [{ [ARGS]: [1] }, { message: /neither a list of strings nor/ }],
  [{ [ARGS]: 'x' }, { message: /neither a list of strings nor/ }],
  [{ [ARGS]: { args: 'x' } }, { message: /neither a list of strings nor/ }],
  [{ [ENV]: ['x'] }, { message: /not an object of strings/ }],
  [{ [ENV]: { A: 1 } }, { message: /not an object of strings/ }],
  [{ [ENV]: { LD_PRELOAD: '/tmp/x' } }, { message: /sets .*LD_PRELOAD/, status: 'untrusted' }],
] as const) {
  test(`extensions that cannot be meant are refused: ${JSON.stringify(extensions)}`, () => {
    const provider = providerWith({
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'Replace',
    });
    assert.throws(() => pluginOfProvider(provider, offer(extensions)), {
      name: 'AccessError',
      ...expected,
    });
  });
}

test('what the command is told of the cluster is what kubectl would tell', () => {
  const provider = providerWith({}, { provideClusterInfo: true });
  const plugin = pluginOfProvider(provider, {
    name: 'p',
    server: 'https://m:6443',
    serverName: 'real',
    ca: 'PEM',
    proxyUrl: 'http://proxy',
    disableCompression: true,
    extensions: { 'client.authentication.k8s.io/exec': { clusterName: 'c1' } },
  });
  assert.deepEqual(plugin.cluster, {
    server: 'https://m:6443',
    'tls-server-name': 'real',
    'certificate-authority-data': Buffer.from('PEM').toString('base64'),
    'proxy-url': 'http://proxy',
    'disable-compression': true,
    config: { clusterName: 'c1' },
  });
});
