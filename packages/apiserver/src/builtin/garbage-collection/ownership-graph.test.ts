import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OwnerReference } from '@flotilla/machinery';
import type { Ownership } from './metadata-scan.ts';
import { OwnershipGraph } from './ownership-graph.ts';

describe('the ownership graph', () => {
  test('forgets everything about objects that are gone', () => {
    const graph = new OwnershipGraph();
    for (let index = 0; index < 100; index += 1) {
      graph.set(key(index), object(index, [1000, index - 1]));
    }
    assert.equal(graph.size, 100);

    for (let index = 0; index < 100; index += 1) graph.delete(key(index), `u-${index}`);

    assert.equal(graph.size, 0);
    assert.equal(graph.isEmpty, true);
  });

  test('asks to look at a dependent until its owner is known, and again when it is gone', () => {
    const graph = new OwnershipGraph();
    assert.deepEqual(graph.set(key(1), object(1, [0])), [key(1)]);
    const [link] = graph.owner('u-0')?.links ?? [];
    assert.ok(link !== undefined);
    link.home = 'default';

    assert.deepEqual(graph.set(key(2), object(2, [0])), []);
    assert.deepEqual(graph.set('core/configmaps/other/c-3', object(3, [0])), [
      'core/configmaps/other/c-3',
    ]);
    assert.deepEqual(graph.delete(key(0), 'u-0'), [key(1), key(2), 'core/configmaps/other/c-3']);
    assert.deepEqual(graph.set(key(4), object(4, [0])), [key(4)], 'uids do not come back');
  });

  test('asks to look at an owner that waits whenever a dependent lets it go', () => {
    const graph = new OwnershipGraph();
    graph.set(key(1), object(1, [0]));
    graph.set(key(2), object(2, [0]));
    const waiting = { ...object(0, []), isDeleting: true, finalizers: ['foregroundDeletion'] };
    assert.deepEqual(graph.set(key(0), waiting), [key(0), key(1), key(2)]);
    assert.deepEqual(graph.set(key(0), waiting), [key(0)], 'once is enough for the dependents');

    assert.deepEqual(graph.delete(key(1), 'u-1'), [key(0)]);
    assert.deepEqual(graph.set(key(2), object(2, [])), [key(0)]);
    assert.equal(graph.isWaiting('u-0'), true);
    graph.delete(key(0), 'u-0');
    assert.equal(graph.isEmpty, true);
  });

  test('takes another object under the same name for another one', () => {
    const graph = new OwnershipGraph();
    graph.set(key(1), object(1, [0]));
    graph.set(key(1), { ...object(9, [8]) });

    assert.deepEqual(graph.dependentsOf('u-0'), []);
    assert.deepEqual(
      graph.dependentsOf('u-8').map(({ uid }) => uid),
      ['u-9'],
    );
  });

  test('holds an object that names an owner twice once', () => {
    const graph = new OwnershipGraph();
    const twice = object(1, [0, 0]);
    const [first, second] = twice.owners;
    assert.ok(first !== undefined && second !== undefined);
    graph.set(key(1), { ...twice, owners: [first, { ...second, blockOwnerDeletion: true }] });
    graph.set(key(1), { ...twice, owners: [first] });

    assert.equal(graph.dependentsOf('u-0').length, 1);
    graph.set(key(1), object(1, []));
    assert.equal(graph.isEmpty, true);
  });
});

function key(index: number): string {
  return `core/configmaps/default/c-${index}`;
}

function object(index: number, owners: readonly number[]): Ownership {
  return {
    uid: `u-${index}`,
    owners: owners.map(
      (owner): OwnerReference => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: `c-${owner}`,
        uid: `u-${owner}`,
      }),
    ),
    finalizers: [],
    isDeleting: false,
  };
}
