import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { CERT } from '../credentials/testing/certificates.ts';
import { inClusterAccess } from './in-cluster.ts';
import { resolveAccess } from './resolve-access.ts';

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

function pod(files: Record<string, string>) {
  return {
    env: { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
    clock: new ManualClock(),
    readFile: async (path: string) => {
      const content = files[path];
      if (content === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
      return Buffer.from(content);
    },
  };
}

const files = () => ({
  [`${FOLDER}/token`]: 'first\n',
  [`${FOLDER}/ca.crt`]: CERT,
  [`${FOLDER}/namespace`]: 'team\n',
});

test('a pod reaches its cluster with the token of its service account, which is renewed', async () => {
  const disk: Record<string, string> = files();
  const machine = pod(disk);
  const access = await inClusterAccess(machine);

  assert.equal(access.server, 'https://10.0.0.1:443');
  assert.equal(access.tls.ca, CERT);
  assert.equal(access.namespace, 'team');
  assert.deepEqual(await access.credential.present(), { authorization: 'Bearer first' });
  disk[`${FOLDER}/token`] = 'second';
  await machine.clock.advance(60_000);
  assert.deepEqual(await access.credential.present(), { authorization: 'Bearer second' });
});

test('an IPv6 address stands in brackets, POD_NAMESPACE counts first', async () => {
  const machine = pod(files());
  const env = { ...machine.env, KUBERNETES_SERVICE_HOST: 'fd00::1', POD_NAMESPACE: 'mine' };
  const access = await inClusterAccess({ ...machine, env });

  assert.equal(access.server, 'https://[fd00::1]:443');
  assert.equal(access.namespace, 'mine');
});

test('outside of a pod it says so', async () => {
  await assert.rejects(inClusterAccess({ env: {} }), {
    message:
      'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined',
  });
});

test('without an authority it warns and trusts those Node knows', async () => {
  const warnings: string[] = [];
  const access = await inClusterAccess({
    ...pod({ [`${FOLDER}/token`]: 'x' }),
    warn: (message) => warnings.push(message),
  });

  assert.deepEqual(access.tls, {});
  assert.equal(access.namespace, 'default');
  assert.equal(warnings.length, 1);
});

test('a kubeconfig that is empty means the cluster of the pod; one that is not means itself, in the pod’s namespace', async () => {
  const empty = {
    currentContext: '',
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
    files: [],
    missing: [],
  };
  const other = {
    ...empty,
    currentContext: 'x',
    contexts: new Map([['x', { cluster: 'c' }]]),
    clusters: new Map([['c', { server: 'https://other' }]]),
  };

  assert.equal((await resolveAccess(empty, pod(files()))).server, 'https://10.0.0.1:443');
  const byDefault = await resolveAccess(empty, {
    ...pod(files()),
    defaultServer: 'http://localhost:8080',
    namespace: 'asked',
    userFields: { token: 'flag' },
  });
  assert.equal(byDefault.server, 'https://10.0.0.1:443');
  assert.equal(byDefault.namespace, 'asked');
  assert.deepEqual(await byDefault.credential.present(), { authorization: 'Bearer flag' });
  const access = await resolveAccess(other, pod(files()));
  assert.equal(access.server, 'https://other');
  assert.equal(access.namespace, 'team');
});
