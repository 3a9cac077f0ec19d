import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadKubeconfig } from '@flotilla/client';
import { parseYaml } from '@flotilla/machinery';
import { memberKubeconfig, suggestName } from './member-kubeconfig.ts';

describe('the kubeconfig of a member', () => {
  test('has the data of the files that the original names, and one context', async () => {
    const { read } = await flattened({
      clusters: [
        {
          name: 'west',
          cluster: { server: 'https://west:6443', 'certificate-authority': 'ca.crt' },
        },
        { name: 'other', cluster: { server: 'https://other:6443' } },
      ],
      users: [{ name: 'me', user: { tokenFile: 'token', 'client-key-data': 'a2V5' } }],
      contexts: [
        { name: 'w', context: { cluster: 'west', user: 'me', namespace: 'x' } },
        { name: 'o', context: { cluster: 'other', user: 'me' } },
      ],
      'current-context': 'w',
    });
    assert.deepEqual(read, {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'west',
          cluster: { server: 'https://west:6443', 'certificate-authority-data': btoa('CA\n') },
        },
      ],
      users: [{ name: 'me', user: { 'client-key-data': 'a2V5', token: 'tok' } }],
      contexts: [{ name: 'w', context: { cluster: 'west', user: 'me' } }],
      'current-context': 'w',
    });
  });

  test('keeps the command of a credential plugin and says so', async () => {
    const { member } = await flattened({
      clusters: [{ name: 'eks', cluster: { server: 'https://eks' } }],
      users: [
        {
          name: 'me',
          user: {
            exec: {
              apiVersion: 'client.authentication.k8s.io/v1',
              command: 'aws',
              interactiveMode: 'Never',
            },
          },
        },
      ],
      contexts: [{ name: 'w', context: { cluster: 'eks', user: 'me' } }],
      'current-context': 'w',
    });
    assert.equal(member.command, 'aws');
    assert.match(member.text, /command: aws/);
  });

  for (const [title, change, message] of [
    ['no current-context', { 'current-context': '' }, /current-context is not set/],
    ['a context that is not there', { 'current-context': 'x' }, /context "x" not found/],
    ['no such cluster', { clusters: [] }, /cluster "west" not found/],
    ['no such user', { users: [] }, /user "me" not found/],
  ] as const) {
    test(`cannot be made where there is ${title}`, async () => {
      const whole = {
        clusters: [{ name: 'west', cluster: { server: 'https://west:6443' } }],
        users: [{ name: 'me', user: { token: 't' } }],
        contexts: [{ name: 'w', context: { cluster: 'west', user: 'me' } }],
        'current-context': 'w',
      };
      await assert.rejects(flattened({ ...whole, ...change }), message);
    });
  }
});

test('a name for the fleet is made from what clouds call their clusters', () => {
  assert.equal(suggestName('arn:aws:eks:us-west-2:123:cluster/Prod_West'), 'prod-west');
  assert.equal(suggestName('gke_project_zone_name'), 'gke-project-zone-name');
  assert.equal(suggestName('***'), undefined);
});

async function flattened(kubeconfig: object) {
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-join-'));
  try {
    await writeFile(join(folder, 'config'), JSON.stringify(kubeconfig));
    await writeFile(join(folder, 'ca.crt'), 'CA\n');
    await writeFile(join(folder, 'token'), 'tok\n');
    const loaded = await loadKubeconfig({ env: {}, home: folder, path: join(folder, 'config') });
    const member = await memberKubeconfig(loaded);
    return { member, read: parseYaml(member.text).value };
  } finally {
    await rm(folder, { recursive: true });
  }
}
