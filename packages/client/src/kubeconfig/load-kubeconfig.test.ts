import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadKubeconfig } from './load-kubeconfig.ts';

/** A disk of these files, by absolute path. */
function disk(files: Readonly<Record<string, string>>) {
  return {
    env: {},
    home: '/home/me',
    cwd: '/here',
    readFile: async (path: string) => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return Buffer.from(content);
    },
  };
}

const cluster = (name: string, fields: string) =>
  `clusters: [{name: ${name}, cluster: {${fields}}}]`;

test('without KUBECONFIG the file is ~/.kube/config', async () => {
  const { files, currentContext } = await loadKubeconfig(
    disk({ '/home/me/.kube/config': 'current-context: mine' }),
  );

  assert.deepEqual(files, ['/home/me/.kube/config']);
  assert.equal(currentContext, 'mine');
});

test('of two entries with one name the first counts, and nothing of the second', async () => {
  const options = disk({
    '/a': cluster('c', 'server: https://one'),
    '/b': `${cluster('c', 'server: https://two, tls-server-name: two')}\ncurrent-context: second`,
  });
  const kubeconfig = await loadKubeconfig({ ...options, env: { KUBECONFIG: '/a:/b:/a' } });

  assert.deepEqual(kubeconfig.clusters.get('c'), { server: 'https://one', origin: '/a' });
  assert.equal(kubeconfig.currentContext, 'second');
  assert.deepEqual(kubeconfig.files, ['/a', '/b']);
});

test('missing files are skipped and named, empty names are nothing', async () => {
  const options = disk({ '/b': 'current-context: b' });
  const kubeconfig = await loadKubeconfig({ ...options, env: { KUBECONFIG: ':/a::/b:' } });

  assert.deepEqual(kubeconfig.missing, ['/a']);
  assert.equal(kubeconfig.currentContext, 'b');
});

test('a file that was asked for must exist', async () => {
  await assert.rejects(loadKubeconfig({ ...disk({}), path: 'nope.yaml' }), {
    message: 'stat nope.yaml: no such file or directory',
  });
});

test('every file that cannot be read is named', async () => {
  const options = disk({ '/a': 'users: 5', '/b': 'kind: Foo' });

  await assert.rejects(loadKubeconfig({ ...options, env: { KUBECONFIG: '/a:/b' } }), {
    problems: [
      'error loading config file "/a": json: cannot unmarshal number into Go struct field Config.users of type []v1.NamedAuthInfo',
      'error loading config file "/b": no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
    ],
  });
});

test('paths are relative to the file they stand in', async () => {
  const options = disk({
    '/here/conf/k': `${cluster('c', 'certificate-authority: ../ca.crt')}
users:
- {name: u, user: {client-certificate: a.crt, client-key: /abs/a.key, tokenFile: t/token, exec: {command: ./bin/plugin}}}
- {name: p, user: {exec: {command: plugin}}}`,
  });
  const { clusters, users } = await loadKubeconfig({ ...options, path: 'conf/k' });

  assert.equal(clusters.get('c')?.['certificate-authority'], '/here/ca.crt');
  const user = users.get('u');
  assert.equal(user?.['client-certificate'], '/here/conf/a.crt');
  assert.equal(user?.['client-key'], '/abs/a.key');
  assert.equal(user?.tokenFile, '/here/conf/t/token');
  assert.equal(user?.exec?.command, '/here/conf/bin/plugin');
  assert.equal(users.get('p')?.exec?.command, 'plugin');
});
