import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { conflict, type KubeObject, notFound, StatusError } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { silentLogger } from '@flotilla/runtime';
import { joinedSecret, registration } from '../testing/builders.ts';
import { type JanitorDeps, runJanitor, sweep } from './janitor.ts';

const signal = new AbortController().signal;
const REGISTRATIONS = { group: 'multicluster.oam.dev', resource: 'clusterregistrations' };

function marked(name: string, annotations: Record<string, string> = {}): Secret {
  const secret = joinedSecret(name, { endpoint: 'https://x:1', token: 'x' });
  secret.metadata.uid = `uid-of-${name}`;
  secret.metadata.resourceVersion = '7';
  secret.metadata.labels = {
    ...secret.metadata.labels,
    'multicluster.oam.dev/managed': 'true',
  };
  secret.metadata.annotations = {
    'multicluster.oam.dev/owner': `default/${name}`,
    'multicluster.oam.dev/owner-uid': `owner-of-${name}`,
    'multicluster.oam.dev/deletion-policy': 'Detach',
    'multicluster.oam.dev/registered-as': name,
    ...annotations,
  };
  return secret;
}

/** A hub with one Secret, as the watch and the server have it. */
function world(seen: Secret, options: Partial<World> = {}) {
  const { live = seen, owner = notFound(REGISTRATIONS, seen.metadata.name ?? '') } = options;
  const deleted: unknown[] = [];
  const deps: JanitorDeps = {
    client: {
      get: (async (kind: { kind: string }) => {
        const found: unknown = kind.kind === 'Secret' ? live : owner;
        if (found instanceof Error) throw found;
        return found;
      }) as never,
      delete: (async (
        _kind: unknown,
        _key: unknown,
        { preconditions }: { preconditions: object },
      ) => {
        if (options.deleteFails !== undefined) throw options.deleteFails;
        deleted.push(preconditions);
      }) as never,
    },
    secrets: () => [seen],
    hasRegistration: (uid) => options.known === uid,
    clock: new ManualClock(),
    logger: silentLogger,
  };
  return { deps, deleted };
}

interface World {
  readonly live: Secret | Error;
  readonly owner: KubeObject | Error;
  readonly known: string;
  readonly deleteFails: Error;
}

describe('the janitor', () => {
  test('REG-62 deletes the very version of a Secret whose owner is gone', async () => {
    const { deps, deleted } = world(marked('one'));
    assert.equal(await sweep(deps, signal), 1);
    assert.deepEqual(deleted, [{ uid: 'uid-of-one', resourceVersion: '7' }]);
  });

  test('leaves orphans, copies, Secrets of others and those whose owner it knows', async () => {
    const untouched = [
      world(marked('one', { 'multicluster.oam.dev/deletion-policy': 'Orphan' })),
      world(marked('one', { 'multicluster.oam.dev/registered-as': 'other' })),
      world(joinedSecret('one', { token: 'x' })),
      world(marked('one'), { known: 'owner-of-one' }),
    ];
    for (const { deps, deleted } of untouched) {
      assert.equal(await sweep(deps, signal), 0);
      assert.deepEqual(deleted, []);
    }
  });

  test('believes the server rather than the watch', async () => {
    const alive = registration('one') as ClusterRegistration;
    alive.metadata.uid = 'owner-of-one';
    const anew = registration('one') as ClusterRegistration;
    anew.metadata.uid = 'another';
    const taken = marked('one', { 'multicluster.oam.dev/deletion-policy': 'Orphan' });
    const untouched = [
      world(marked('one'), { owner: alive }),
      world(marked('one'), { owner: anew }),
      world(marked('one'), { live: taken }),
      world(marked('one'), { live: notFound({ group: '', resource: 'secrets' }, 'one') }),
      world(marked('one'), { owner: new StatusError(404, 'NotFound', 'no such kind') }),
      world(marked('one'), {
        deleteFails: conflict({ group: '', resource: 'secrets' }, 'one', 'x'),
      }),
    ];
    for (const { deps, deleted } of untouched) {
      assert.equal(await sweep(deps, signal), 0);
      assert.deepEqual(deleted, []);
    }
  });

  test('sweeps now and then, and ends when told to', async () => {
    const { deps, deleted } = world(marked('one'));
    const clock = deps.clock as ManualClock;
    const stop = new AbortController();
    const running = runJanitor(deps, stop.signal);
    await clock.advance(44_000);
    assert.equal(deleted.length, 0);
    await clock.advance(2_000);
    assert.equal(deleted.length, 1);
    stop.abort();
    await running;
  });
});
