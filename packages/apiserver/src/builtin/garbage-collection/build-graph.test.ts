import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../objects/engine.ts';
import { DamagedRecord, type Entry, type Snapshot } from '../../storage/store.ts';
import { buildGraph } from './build-graph.ts';
import { OwnershipGraph } from './ownership-graph.ts';

test('a record that cannot be read costs itself and nothing else', async () => {
  const damaged = key(700);
  const reported: unknown[] = [];
  const graph = new OwnershipGraph();

  await buildGraph({
    engine: engineWith(1_500, damaged),
    lookup: { byKind: () => undefined, byKey: () => undefined },
    tenant: 'root',
    graph,
    report: (error) => reported.push(error),
  });

  assert.equal(graph.size, 1_499);
  assert.equal(graph.dependent(damaged), undefined);
  assert.deepEqual(
    reported.map((error) => error instanceof DamagedRecord && error.key),
    [damaged],
  );
});

function key(index: number): string {
  return `core/configmaps/default/c-${String(index).padStart(5, '0')}`;
}

/** A store of dependents, one of which is damaged. */
function engineWith(count: number, damaged: string): Engine {
  const entries: Entry[] = Array.from({ length: count }, (_, index) => ({
    key: key(index),
    revision: 1,
    value: Buffer.from(
      JSON.stringify({
        metadata: {
          uid: `u-${index}`,
          ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' }],
        },
      }),
    ),
  }));
  const snapshot: Pick<Snapshot, 'range'> & Disposable = {
    range: (_prefix, { after, limit }) => {
      const found = entries.filter((entry) => after === undefined || entry.key > after);
      const slice = found.slice(0, limit);
      if (slice.some((entry) => entry.key === damaged)) throw new DamagedRecord(damaged);
      return slice;
    },
    [Symbol.dispose]: () => {},
  };
  return { store: { snapshot: () => snapshot, read: () => undefined } } as unknown as Engine;
}
