import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { clustersOfFile } from './from-file.ts';

const home = mkdtempSync(join(tmpdir(), 'flotilla-mc-file-'));
after(() => rmSync(home, { recursive: true, force: true }));

async function clusters(text: string) {
  writeFileSync(join(home, 'fleet.yaml'), text);
  return await clustersOfFile('~/fleet.yaml', { homeFolder: home, cwd: '/' });
}

const PROFILE = `
apiVersion: multicluster.x-k8s.io/v1alpha1
kind: ClusterProfile
metadata:
  name: prod-us-west-1
spec:
  clusterName: prod-us-west-1
  displayName: "Production US West"
  cloudProvider: aws
  region: us-west-2
status:
  conditions:
  - type: Ready
    status: "True"
`;

describe('a file of clusters', () => {
  test('may hold profiles of the older form, one per document', async () => {
    const [cluster, other] = await clusters(`${PROFILE}---\nmetadata: {name: b, namespace: x}\n`);

    assert.equal(cluster?.name, 'b');
    assert.equal(other?.name, 'prod-us-west-1');
    assert.deepEqual(other?.profile, {
      namespace: '',
      name: 'prod-us-west-1',
      manager: '',
      displayName: 'Production US West',
      cloudProvider: 'aws',
      region: 'us-west-2',
    });
    assert.deepEqual(other?.aliases, ['Production US West']);
  });

  test('may hold a list as kubectl prints it, in YAML or JSON', async () => {
    const items = [{ metadata: { name: 'a', namespace: 'x' } }];

    assert.equal((await clusters(JSON.stringify({ kind: 'List', items })))[0]?.name, 'a');
    assert.equal((await clusters(JSON.stringify(items)))[0]?.profile?.namespace, 'x');
    assert.deepEqual(await clusters('kind: List\nitems: []\n'), []);
    assert.deepEqual(await clusters(''), []);
  });

  test('may hold plain names of contexts, and what else is known of them', async () => {
    const found = await clusters(`
- kind-dev
- name: west
  context: eks-west
  aliases: [w]
  labels: {env: prod}
- name: east
  server: https://east
  certificate-authority-data: LS0tLS1CRUdJTiBYLS0tLS0K
`);

    assert.deepEqual(
      found.map(({ name, context, aliases, offers }) => [
        name,
        context,
        aliases,
        offers[0]?.server,
      ]),
      [
        ['east', undefined, [], 'https://east'],
        ['kind-dev', 'kind-dev', [], undefined],
        ['west', 'eks-west', ['w'], undefined],
      ],
    );
    assert.equal(found[0]?.offers[0]?.ca, '-----BEGIN X-----\n');
    assert.deepEqual(found[2]?.labels, { env: 'prod' });
  });

  test('that cannot be used says why, and where', async () => {
    const refusals: readonly (readonly [string, RegExp])[] = [
      ['- {context: x}', /^Cannot use inventory ".*fleet\.yaml": entry 1: name is missing$/],
      ['[a, 7]', /entry 2: it is neither a name nor a cluster$/],
      ['metadata: {name: A B}', /entry 1: metadata\.name is no name of a cluster$/],
      ['[a, a]', /it has two clusters "a"$/],
      ['a: [', /^Cannot read inventory ".*": /],
    ];
    for (const [text, message] of refusals) {
      await assert.rejects(clusters(text), { name: 'UsageError', message }, text);
    }
    await assert.rejects(clustersOfFile('gone.yaml', { homeFolder: home, cwd: home }), {
      message: /^Cannot read inventory ".*gone\.yaml": ENOENT/,
    });
  });
});
