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

test('a page names every field, default, rule, condition and column of its kind', async () => {
  const page = String((await generatePages()).get('clusterregistration.md'));

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

test('a bar in a rule does not end its cell', async () => {
  const page = String((await generatePages()).get('clusterregistration.md'));

  const widths = page
    .split('\n')
    .filter((line) => line.startsWith('| `spec'))
    .map((line) => line.replaceAll('\\|', '').split('|').length);
  assert.deepEqual(new Set(widths), new Set([5]));
});

test('a page of a kind that is not ours says whose CRD counts, and has no empty table', async () => {
  const page = String((await generatePages()).get('clusterprofile.md'));

  assert.match(page, /for hubs without SIG-Multicluster's own/);
  assert.doesNotMatch(page, /`kubectl get `|## Columns/);
});

test('the page of kubectl mc has every verb, with its flags, and every setting', async () => {
  const page = String((await generatePages()).get('kubectl-mc.md'));

  for (const part of [
    '### get\n',
    '### auth can-i\n',
    '`-A`, `--all-namespaces`',
    '`--clusters PATTERN,...`',
    '| `execution.maxConcurrency` | `KUBECTL_MC_EXECUTION_MAXCONCURRENCY` | a whole number from 1 on |',
  ]) {
    assert.ok(page.includes(part), part);
  }
  assert.doesNotMatch(page, /__complete/);
});
