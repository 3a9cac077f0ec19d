import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Access,
  type AskDirectly,
  type Client,
  ConfigMaps,
  createClient,
  createInformers,
  Namespaces,
} from '@flotilla/client';
import { eventually } from './eventually.ts';
import { FAULTS, faultProxy } from './fault-proxy/fault-proxy.ts';
import { createMap, keyOf, listMaps, paintMap } from './testing/config-maps.ts';
import { connectClient, directTransportTo, transportTo } from './testing/connect-client.ts';
import { assertHolds, follow } from './testing/followed.ts';
import { hastyClock } from './testing/hasty-clock.ts';
import { runInformers } from './testing/run-informers.ts';

/** A server to run the cases on. */
export interface InformerCasesServer extends AsyncDisposable {
  readonly access: Access;
  /** Of servers in this process. */
  readonly ask?: AskDirectly;
}

/** Registers what an informer must do with any server: the same cases run on ours and on a real one. */
export function informerCases(
  startServer: () => Promise<InformerCasesServer>,
  /** `isDirect` asks a server in this process without a socket. */
  { isDirect = false }: { readonly isDirect?: boolean } = {},
): void {
  let server: InformerCasesServer;
  let client: Client;
  before(async () => {
    server = await startServer();
    client = createClient(isDirect ? directTransportTo(server) : transportTo(server));
  });
  after(async () => {
    await client?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  describe('informer on any server', () => {
    test('has what the server has, as it has it, and follows', async () => {
      await using run = runInformers();
      await createMap(client, 'before');
      const all = follow(run.start({ client }));
      const chosen = follow(run.start({ client, selection: { labelSelector: 'color=red' } }));
      await all.informer.synced(AbortSignal.timeout(10_000));
      await chosen.informer.synced(AbortSignal.timeout(10_000));
      await eventually(async () => assertHolds(all, await listMaps(client)), passed);
      assertHolds(chosen, []);

      await createMap(client, 'red', { labels: { color: 'red' } });
      await paintMap(client, 'before', 'red');
      await eventually(() => assert.equal(chosen.informer.list().length, 2), passed);
      await paintMap(client, 'red', 'blue');
      await client.delete(ConfigMaps, keyOf('before'));

      await eventually(async () => assertHolds(all, await listMaps(client)), passed);
      await eventually(() => assertHolds(chosen, []), passed);
      assert.equal(all.informer.get(keyOf('before')), undefined);
      assert.equal(all.informer.get(keyOf('red'))?.metadata.labels?.['color'], 'blue');
      assert.deepEqual(run.reported, [], 'a stream of the first list is what servers of 1.34 have');
    });

    test('keeps the metadata alone where that is asked for', async () => {
      await using run = runInformers();
      await createMap(client, 'one', {
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', note: 'kept' },
      });
      const informer = run.start({ client, mode: 'metadata', selection: { namespace: 'default' } });
      await informer.synced(AbortSignal.timeout(10_000));

      const object = informer.get(keyOf('one'));
      assert.deepEqual(Object.keys(object ?? {}).sort(), ['apiVersion', 'kind', 'metadata']);
      assert.equal(object?.kind, 'ConfigMap');
      assert.deepEqual(object?.metadata.annotations, { note: 'kept' });
      assert.equal(object?.metadata.managedFields, undefined);
      await paintMap(client, 'one', 'red');
      await eventually(() => informer.get(keyOf('one'))?.metadata.labels?.['color'] === 'red');
      await client.delete(ConfigMaps, keyOf('one'));
      await eventually(() => informer.get(keyOf('one')) === undefined);
    });

    for (const fault of FAULTS) {
      test(`has what the server has after a fault: ${fault}`, async () => {
        await using proxy = await faultProxy(server.access, { seed: 1 });
        await using distant = connectClient(proxy.access, {
          connectMs: 2_000,
          totalMs: 2_000,
          pingAfterMs: 200,
          pingWithinMs: 300,
        });
        await using run = runInformers();
        const followed = follow(run.start({ client: distant, idleMs: 1_000 }));
        await followed.informer.synced(AbortSignal.timeout(10_000));

        proxy.strike(fault);
        if (fault === 'refuse') proxy.strike('drop');
        await createMap(client, `after-${fault}`);

        await eventually(async () => assertHolds(followed, await listMaps(client)), passed);
        await eventually(() => proxy.struck[fault] > 0);
      });
    }

    test('is shared by all who ask for the same', async () => {
      const ending = new AbortController();
      const informers = createInformers({ client, clock: hastyClock(10), random: () => 0.5 });
      const first = informers.for(ConfigMaps);
      const running = informers.start(ending.signal);

      assert.equal(informers.for(ConfigMaps, { selection: {} }), first);
      assert.notEqual(informers.for(ConfigMaps, { mode: 'metadata' }), first);
      assert.notEqual(informers.for(ConfigMaps, { selection: { namespace: 'x' } }), first);
      const late = informers.for(Namespaces);
      await informers.synced(AbortSignal.timeout(10_000));
      assert.ok(late.get({ name: 'default' }) !== undefined);

      ending.abort();
      await running;
    });
  });
}

/** For checks that say what is wrong by throwing. */
const passed = (): boolean => true;
