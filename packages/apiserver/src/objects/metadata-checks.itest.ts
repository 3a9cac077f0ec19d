import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const BAD = { labels: { l: 'not ok' }, finalizers: ['x'] };
const IN_DEFAULT = '/namespaces/default';

// The counts are those of kube-apiserver 1.34; conformance/cases/metadata-checks.yaml has all kinds.
describe('bad metadata', () => {
  const updates: readonly [path: string, spec: Record<string, unknown>, told: string][] = [
    [`/api/v1${IN_DEFAULT}/configmaps`, {}, 'lllflf'],
    [`/api/v1${IN_DEFAULT}/secrets`, {}, 'lllflf'],
    [`/api/v1${IN_DEFAULT}/limitranges`, { spec: { limits: [] } }, 'lllf'],
    [`/apis/rbac.authorization.k8s.io/v1${IN_DEFAULT}/roles`, { rules: [] }, 'lllflflf'],
    [`/apis/coordination.k8s.io/v1${IN_DEFAULT}/leases`, { spec: {} }, 'lll'],
    [`/apis/policy/v1${IN_DEFAULT}/poddisruptionbudgets`, { spec: { minAvailable: 1 } }, 'll'],
  ];
  for (const [path, spec, told] of updates) {
    test(`of an update is told as often as upstream looks at it: ${path}`, async () => {
      await using server = await startInMemory();
      const made = await server.send(`POST ${path}`, {
        body: { metadata: { name: 'a' }, ...spec },
      });
      assert.equal(made.status, 201, made.text());

      const answer = await server.send(`PATCH ${path}/a`, {
        body: JSON.stringify({ metadata: BAD }),
        headers: MERGE,
      });

      assert.equal(fieldsOf(answer), told);
    });
  }

  test('of a new PodDisruptionBudget is told when nothing else is wrong', async () => {
    await using server = await startInMemory();
    const path = `/apis/policy/v1${IN_DEFAULT}/poddisruptionbudgets`;
    const create = (spec: Record<string, unknown>) =>
      server.send(`POST ${path}`, { body: { metadata: { name: 'a', ...BAD }, spec } });

    assert.equal(fieldsOf(await create({ minAvailable: -1 })), '(spec.minAvailable)');
    assert.equal(fieldsOf(await create({ minAvailable: 1 })), 'l');
  });

  test('does not come with the status of kinds that take no metadata there', async () => {
    await using server = await startInMemory();
    const path = '/apis/storage.k8s.io/v1/volumeattachments';
    const spec = { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } };
    await server.send(`POST ${path}`, { body: { metadata: { name: 'a' }, spec } });

    const answer = await server.send(`PATCH ${path}/a/status`, {
      body: JSON.stringify({ metadata: BAD }),
      headers: MERGE,
    });

    assert.equal(answer.status, 200, answer.text());
    assert.equal(answer.json().metadata.labels, undefined);
    assert.equal(answer.json().metadata.finalizers, undefined);
  });
});

function fieldsOf(answer: Awaited<ReturnType<TestServer['send']>>): string {
  assert.equal(answer.status, 422, answer.text());
  const causes: { field: string }[] = answer.json().details.causes;
  return causes.map(({ field }) => letterOf(field)).join('');
}

/** `l` for labels, `f` for finalizers, any other field in brackets. */
function letterOf(field: string): string {
  if (field === 'metadata.labels') return 'l';
  return field.startsWith('metadata.finalizers') ? 'f' : `(${field})`;
}
