import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allKinds, crdOf } from '../../packages/api/src/index.ts';
import { parseYaml } from '../../packages/machinery/src/index.ts';
import { generateCrds, generatePages } from './kinds.ts';

test('every kind has a CRD file that reads back as its CRD', () => {
  const files = generateCrds();

  assert.deepEqual(
    [...files].map(([name, content]) => [name, parseYaml(String(content)).value]),
    allKinds.map((kind) => {
      const crd = crdOf(kind);
      return [`${crd.metadata.name}.yaml`, crd];
    }),
  );
});

test('a page names every field, default, rule, condition and column of its kind', () => {
  const page = String(generatePages().get('clusterregistration.md'));

  for (const part of [
    '`credentialSource.secretRef.key` | string | `"kubeconfig"`',
    '`config.heartbeatInterval` | string | `"5m"`',
    '`credentialSource` | object | required',
    'must not be "local": that is the hub itself',
    '`CredentialValid`',
    'ENDPOINT (wide)',
    '`conditions[].type`',
    '`"cluster-gateway"`',
  ]) {
    assert.ok(page.includes(part), part);
  }
});

test('a bar in a rule does not end its cell', () => {
  const page = String(generatePages().get('clusterregistration.md'));

  const widths = page
    .split('\n')
    .filter((line) => line.startsWith('| `spec'))
    .map((line) => line.replaceAll('\\|', '').split('|').length);
  assert.deepEqual(new Set(widths), new Set([5]));
});

test('a page of a kind that is not ours says whose CRD counts, and has no empty table', () => {
  const page = String(generatePages().get('clusterprofile.md'));

  assert.match(page, /for hubs without SIG-Multicluster's own/);
  assert.doesNotMatch(page, /`kubectl get `|## Columns/);
});
