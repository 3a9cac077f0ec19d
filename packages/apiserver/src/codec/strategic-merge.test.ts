import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, StatusError } from '@flotilla/machinery';
import { strategicMergePatch } from './strategic-merge.ts';
import { typeTables } from './type-tables.ts';

const pod = typeTables().struct('core/v1.Pod');
const deployment = typeTables().struct('apps/v1.Deployment');

const names = (...list: string[]) => list.map((name) => ({ name }));
const spec = (fields: Json) => ({ spec: fields });
const mergeSpec = (original: Json, patch: Json) =>
  strategicMergePatch(pod, spec(original), spec(patch))['spec'];
const order = (original: string[], patch: Json) =>
  (
    mergeSpec({ containers: names(...original) }, patch) as { containers: { name: string }[] }
  ).containers
    .map(({ name }) => name)
    .join('');

function refusal(original: Json, patch: Json): [number, string] {
  try {
    strategicMergePatch(pod, original, patch);
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return [error.code, error.message];
  }
  return [200, ''];
}

test('objects merge, scalars are replaced and null deletes', () => {
  const original = { metadata: { labels: { a: '1', b: '2' }, name: 'x' } };
  const patch = { metadata: { labels: { b: null, c: '3', d: null } } };
  assert.deepEqual(strategicMergePatch(pod, original, patch), {
    metadata: { labels: { a: '1', c: '3' }, name: 'x' },
  });
  assert.deepEqual(original.metadata.labels, { a: '1', b: '2' });
  assert.deepEqual(patch, { metadata: { labels: { b: null, c: '3', d: null } } });
});

test('lists with a merge key merge item by item', () => {
  const original = {
    containers: [{ name: 'a', image: '1', env: [{ name: 'X', value: '1' }] }, { name: 'b' }],
  };
  const patch = { containers: [{ name: 'a', image: '2', env: [{ name: 'Y', value: '2' }] }] };
  assert.deepEqual(mergeSpec(original, patch), {
    containers: [
      {
        name: 'a',
        image: '2',
        env: [
          { name: 'Y', value: '2' },
          { name: 'X', value: '1' },
        ],
      },
      { name: 'b' },
    ],
  });
});

test('lists without one are replaced', () => {
  const original = { containers: [{ name: 'a', args: ['1'] }], tolerations: [{ key: 'a' }] };
  const patch = { containers: [{ name: 'a', args: ['2', '3'] }], tolerations: [] };
  assert.deepEqual(mergeSpec(original, patch), {
    containers: [{ name: 'a', args: ['2', '3'] }],
    tolerations: [],
  });
});

test('new items of a patch stand before those only the server has', () => {
  assert.equal(order(['a', 'b'], { containers: names('c') }), 'cab');
  assert.equal(order(['a', 'b', 'c'], { containers: names('c', 'a') }), 'bca');
  assert.equal(order(['a', 'b', 'c'], { containers: names('b', 'd') }), 'abdc');
});

test('$setElementOrder puts items where the client had them', () => {
  const ordered = (given: string[], keys: string[]) => ({
    containers: names(...given),
    '$setElementOrder/containers': names(...keys),
  });
  assert.equal(order(['a', 'b'], ordered(['c'], ['a', 'b', 'c'])), 'abc');
  assert.equal(order(['a', 'b', 'x'], ordered(['c'], ['b', 'c', 'a'])), 'bcax');
  assert.equal(order(['a', 'b'], { '$setElementOrder/containers': names('b', 'a') }), 'ba');
  const replaced = {
    containers: [{ name: 'e', $patch: 'delete' }, { name: 'a' }],
    '$setElementOrder/containers': names('e', 'a'),
  };
  assert.equal(order(['c', 'e'], replaced), 'ca');
});

test('$patch deletes an item, replaces a list, replaces an object', () => {
  assert.equal(order(['a', 'b', 'c'], { containers: [{ name: 'b', $patch: 'delete' }] }), 'ac');
  assert.equal(order(['a', 'b'], { containers: [{ name: 'c' }, { $patch: 'replace' }] }), 'c');
  assert.deepEqual(
    mergeSpec(
      { securityContext: { runAsUser: 1 } },
      { securityContext: { $patch: 'replace', fsGroup: 2 } },
    ),
    { securityContext: { fsGroup: 2 } },
  );
  assert.deepEqual(
    mergeSpec({ nodeSelector: { a: 'b' } }, { nodeSelector: { $patch: 'delete' } }),
    { nodeSelector: {} },
  );
});

test('$retainKeys clears what it does not name', () => {
  const original = {
    spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
  };
  const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } };
  assert.deepEqual(strategicMergePatch(deployment, original, patch), {
    spec: { strategy: { type: 'Recreate' } },
  });
});

test('lists of plain values merge as sets, and $deleteFromPrimitiveList takes values out', () => {
  const original = { metadata: { finalizers: ['a', 'b', 'c'] } };
  assert.deepEqual(
    strategicMergePatch(pod, original, { metadata: { finalizers: ['d', 'b'] } })['metadata'],
    { finalizers: ['d', 'a', 'b', 'c'] },
  );
  assert.deepEqual(
    strategicMergePatch(pod, original, {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['a', 'x'] },
    })['metadata'],
    { finalizers: ['b', 'c'] },
  );
});

test('a list or object that is new comes without nulls and directives', () => {
  const patch = {
    volumes: [
      { name: 'a', emptyDir: {}, hostPath: null },
      { name: 'b', $patch: 'delete' },
    ],
    affinity: { $patch: 'replace' },
  };
  assert.deepEqual(mergeSpec({}, patch), { volumes: [{ name: 'a', emptyDir: {} }] });
});

test('a patch may change a value into one of another JSON type', () => {
  assert.deepEqual(mergeSpec({ containers: names('a') }, { containers: 'x' }), { containers: 'x' });
});

test('__proto__ is a key like any other', () => {
  const patch = JSON.parse('{"metadata":{"labels":{"__proto__":"x"}}}');
  const merged = strategicMergePatch(pod, { metadata: { labels: {} } }, patch);
  assert.equal(JSON.stringify(merged), '{"metadata":{"labels":{"__proto__":"x"}}}');
});

test('a patch nested deeper than any object is refused, not a crash', () => {
  let labels: Json = {};
  for (let i = 0; i < 9000; i += 1) labels = { a: labels };
  assert.deepEqual(refusal({}, { metadata: { labels } }), [400, 'exceeded max depth']);
});

test('patches that make no sense are refused in the words of upstream', () => {
  const containers = names('a');
  const cases: [Json, number, string][] = [
    [
      { containers: [{ image: 'x' }] },
      500,
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [
      { containers: [{ name: 'a', $patch: 'x' }] },
      500,
      'unknown patch type: x in map: map[$patch:x name:a]',
    ],
    [
      { containers: [{ name: 'a', $patch: 'merge' }] },
      500,
      'merging lists cannot yet be specified in the patch',
    ],
    [{ $retainKeys: 'x' }, 400, 'invalid patch format of retainKeys'],
    [{ $retainKeys: ['a'], containers: [] }, 400, 'invalid patch format of retainKeys'],
    [
      { '$setElementOrder/containers': 'x' },
      500,
      'expected a []interface {}, but received a string',
    ],
    [{ $setElementOrderX: [] }, 400, 'invalid patch format of setElementOrder list'],
    [{ '$deleteFromPrimitiveList.x': [] }, 400, 'invalid patch format of primitive list'],
    [
      { '$setElementOrder/containers': names('b'), containers: names('a') },
      500,
      "The order in patch list:\n[map[name:a]]\n doesn't match $setElementOrder list:\n[map[name:b]]\n",
    ],
    [{ zzz: { a: 1 } }, 500, 'unable to find api field in struct PodSpec for the json field "zzz"'],
  ];
  for (const [patch, code, message] of cases) {
    const original = { spec: { containers, zzz: { a: 0 } } };
    assert.deepEqual(refusal(original, { spec: patch }), [code, message]);
  }
  assert.deepEqual(
    refusal({ metadata: { finalizers: ['a'] } }, { metadata: { finalizers: ['b', 1] } }),
    [500, 'list element types are not identical: [[a] [b 1]]'],
  );
  assert.deepEqual(
    refusal({ metadata: { finalizers: [['a']] } }, { metadata: { finalizers: ['b'] } }),
    [422, 'the server rejected our request due to an error in our request'],
  );
});
