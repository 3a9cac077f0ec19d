import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  badRequest,
  defineKind,
  expired,
  type KubeObject,
  StatusError,
  tooManyRequests,
} from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import type { WatchEvent } from '../client.ts';
import { TransportError } from '../transport-error.ts';
import { createInformer } from './create-informer.ts';
import type { Informer } from './informer.ts';
import { type ScriptedClient, scriptedClient } from './testing/scripted-client.ts';

const Things = defineKind({
  group: 'example.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
});

describe('reflector', () => {
  test('takes all objects from the beginning of a watch, and follows the same watch on', async () => {
    const client = scriptedClient([
      {
        watch: [
          added(thing('a', 3)),
          added(thing('b', 1)),
          endOfList(5),
          modified(thing('b', 6)),
          deleted(thing('a', 7)),
          'stay',
        ],
      },
    ]);
    await using run = await runInformer(client);

    assert.deepEqual(versions(run.informer), { b: '6' });
    assert.deepEqual(run.told, ['+a@3', '+b@1', 'b@1>6', '-a@7']);
    assert.equal(run.informer.lastResourceVersion, '7');
    assert.equal(client.asked.length, 1);
    const { watch } = client.asked[0] as { watch: object };
    assert.deepEqual(
      pick(watch, ['sendInitialEvents', 'resourceVersionMatch', 'resourceVersion']),
      {
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
        resourceVersion: '',
      },
    );
    assert.deepEqual(pick(watch, ['allowWatchBookmarks', 'idleMs', 'timeoutSeconds']), {
      allowWatchBookmarks: true,
      idleMs: 150_000,
      timeoutSeconds: 450,
    });
  });

  test('has nothing to show before the list is whole', async () => {
    const client = scriptedClient([{ watch: [added(thing('a', 3)), bookmark(4), 'stay'] }]);
    await using run = await runInformer(client);

    assert.equal(run.informer.hasSynced, false);
    assert.deepEqual(run.informer.list(), []);
  });

  for (const code of [400, 422]) {
    test(`lists in pages where a server answers ${code} to sendInitialEvents, and never asks again`, async () => {
      const refusal = new StatusError(
        code,
        code === 400 ? 'BadRequest' : 'Invalid',
        'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      );
      const client = scriptedClient([
        { watch: [refusal] },
        { list: { version: '9', pages: [[thing('a', 3)], [thing('b', 4)]] } },
        { watch: [added(thing('c', 10)), expired('too old')] },
        { list: { version: '20', pages: [[thing('c', 10)]] } },
      ]);
      await using run = await runInformer(client);

      await run.clock.advance(1_200);

      assert.deepEqual(versions(run.informer), { c: '10' });
      assert.deepEqual(run.told, ['+a@3', '+b@4', '+c@10', '-a@3?', '-b@4?']);
      assert.deepEqual(
        client.asked.map((each) =>
          'list' in each
            ? `list by ${each.list.pageSize}`
            : `watch from ${each.watch.resourceVersion}`,
        ),
        ['watch from ', 'list by 500', 'watch from 9', 'list by 500', 'watch from 20'],
      );
    });
  }

  test('lists in pages where twice a stream ended before the list did', async () => {
    const broken = new TransportError('closed', 'gone');
    const client = scriptedClient([
      { watch: [added(thing('a', 3)), broken] },
      { watch: [added(thing('a', 3))] },
      { list: { version: '9', pages: [[thing('a', 3)]] } },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200);
    await run.clock.advance(2_400);

    assert.deepEqual(versions(run.informer), { a: '3' });
    assert.deepEqual(run.reported, [broken]);
  });

  test('goes on at once and where it was when a working watch breaks or ends', async () => {
    const client = scriptedClient([
      { watch: [endOfList(5), added(thing('a', 6)), new TransportError('closed', 'gone')] },
      { watch: [bookmark(8)] },
      { watch: [added(thing('b', 9)), 'stay'] },
    ]);
    await using run = await runInformer(client);

    assert.deepEqual(watchedFrom(client), ['', '6', '8']);
    assert.deepEqual(versions(run.informer), { a: '6', b: '9' });
    assert.deepEqual(run.reported, []);
  });

  test('waits 0.8 s, then twice as long each time up to 30 s, and as much again by chance', async () => {
    const refused = new TransportError('unreachable', 'refused');
    const client = scriptedClient([
      { watch: [endOfList(5)] },
      ...Array.from({ length: 8 }, () => ({ watch: [refused] })),
    ]);
    await using run = await runInformer(client, { random: () => 0.5 });

    const waits: number[] = [];
    for (let asked = client.asked.length; asked < 9; asked = client.asked.length) {
      let ms = 0;
      for (; client.asked.length === asked && ms < 60_000; ms += 100) await run.clock.advance(100);
      waits.push(ms);
    }

    assert.deepEqual(waits, [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 45_000]);
    assert.deepEqual(new Set(watchedFrom(client).slice(1)), new Set(['5']));
  });

  test('waits as long as a server asks for', async () => {
    const client = scriptedClient([
      { watch: [endOfList(5)] },
      { watch: [tooManyRequests('slow down', 7)] },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(6_900);
    assert.deepEqual(watchedFrom(client), ['', '5']);
    await run.clock.advance(200);

    assert.deepEqual(watchedFrom(client), ['', '5', '5']);
  });

  test('keeps its place while it may not watch, and gives it up when the kind is gone', async () => {
    const client = scriptedClient([
      { watch: [endOfList(5)] },
      { watch: [new StatusError(401, 'Unauthorized', 'Unauthorized')] },
      { watch: [new StatusError(403, 'Forbidden', 'no')] },
      { watch: [new StatusError(404, 'NotFound', 'what?')] },
      { watch: [endOfList(9), 'stay'] },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200 + 2_400 + 4_800);

    assert.deepEqual(
      client.asked.map((each) => ('watch' in each ? each.watch.sendInitialEvents : 'list')),
      [true, undefined, undefined, undefined, true],
    );
    assert.equal(run.informer.lastResourceVersion, '9');
  });

  test('fetches everything again when its place is gone, at least as new as what it has', async () => {
    const client = scriptedClient([
      { watch: [added(thing('a', 3)), added(thing('b', 4)), endOfList(5), expired('too old')] },
      { watch: [added(thing('b', 4)), added(thing('c', 11)), endOfList(12), 'stay'] },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200);

    assert.deepEqual(watchedFrom(client), ['', '5']);
    assert.deepEqual(run.told, ['+a@3', '+b@4', '-a@3?', '+c@11']);
    assert.deepEqual(versions(run.informer), { b: '4', c: '11' });
  });

  test('takes what is newest from a server that does not know its place at all', async () => {
    const tooLarge = new StatusError(504, 'Timeout', 'Too large resource version: 5, current: 2', {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    });
    const client = scriptedClient([
      { watch: [added(thing('a', 3)), endOfList(5), expired('too old')] },
      { watch: [tooLarge] },
      { watch: [added(thing('z', 1)), endOfList(2), 'stay'] },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200);
    await run.clock.advance(2_400);

    assert.deepEqual(watchedFrom(client), ['', '5', '']);
    assert.deepEqual(versions(run.informer), { z: '1' });
    assert.equal(run.informer.lastResourceVersion, '2');
  });

  test('asks for all pages at once when a list expired between two of them', async () => {
    const client = scriptedClient([
      { watch: [badRequest('no such option')] },
      { list: expired('The provided continue parameter is too old') },
      { list: { version: '9', pages: [[thing('a', 3)]] } },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200);

    assert.deepEqual(
      client.asked.flatMap((each) => ('list' in each ? [each.list.pageSize] : [])),
      [500, 0],
    );
    assert.equal(run.informer.hasSynced, true);
  });

  test('fetches everything again after a stream that made no sense', async () => {
    const client = scriptedClient([
      { watch: [endOfList(5), added(thing('a', 6)), new TransportError('malformed', 'what?')] },
      { watch: [endOfList(7), 'stay'] },
    ]);
    await using run = await runInformer(client);

    await run.clock.advance(1_200);

    assert.deepEqual(versions(run.informer), {});
    assert.deepEqual(run.told, ['+a@6', '-a@6?']);
  });

  test('ends with the signal while it waits for a server, an event, or its turn', async () => {
    for (const script of [
      [],
      [{ watch: [endOfList(5), 'stay' as const] }],
      [{ watch: [new TransportError('unreachable', 'refused')] }],
    ]) {
      const run = await runInformer(scriptedClient(script));

      await run[Symbol.asyncDispose]();

      assert.equal(run.clock.waiting, 0);
    }
  });
});

interface Run extends AsyncDisposable {
  readonly informer: Informer;
  readonly clock: ManualClock;
  readonly told: string[];
  readonly reported: unknown[];
}

async function runInformer(
  client: ScriptedClient,
  { random = () => 0.5 }: { random?: () => number } = {},
): Promise<Run> {
  const clock = new ManualClock();
  const reported: unknown[] = [];
  const informer = createInformer({
    client,
    kind: Things,
    clock,
    random,
    report: (error) => reported.push(error),
  });
  const told: string[] = [];
  informer.subscribe({
    added: (object) => void told.push(`+${at(object)}`),
    updated: (object, before) =>
      void told.push(`${at(before)}>${object.metadata.resourceVersion ?? ''}`),
    deleted: (object, { isFinalStateUnknown }) =>
      void told.push(`-${at(object)}${isFinalStateUnknown ? '?' : ''}`),
  });
  const ending = new AbortController();
  const running = informer.start(ending.signal);
  await clock.advance(0);
  await clock.advance(0);
  return {
    informer,
    clock,
    told,
    reported,
    [Symbol.asyncDispose]: async () => {
      ending.abort(new Error('over'));
      await running;
    },
  };
}

function thing(name: string, version: number, uid = `uid-${name}`): KubeObject {
  const metadata = { namespace: 'ns', name, uid, resourceVersion: String(version) };
  return { apiVersion: 'example.dev/v1', kind: 'Thing', metadata };
}

const added = (object: KubeObject): WatchEvent => ({ type: 'ADDED', object });
const modified = (object: KubeObject): WatchEvent => ({ type: 'MODIFIED', object });
const deleted = (object: KubeObject): WatchEvent => ({ type: 'DELETED', object });

function bookmark(version: number, annotations: Record<string, string> = {}): WatchEvent {
  const metadata = { resourceVersion: String(version), annotations };
  return { type: 'BOOKMARK', object: { apiVersion: 'example.dev/v1', kind: 'Thing', metadata } };
}

const endOfList = (version: number): WatchEvent =>
  bookmark(version, { 'k8s.io/initial-events-end': 'true' });

const at = ({ metadata }: KubeObject): string =>
  `${metadata.name ?? ''}@${metadata.resourceVersion ?? ''}`;

function versions(informer: Informer): Record<string, string> {
  return Object.fromEntries(
    informer
      .list()
      .map(({ metadata }): [string, string] => [
        metadata.name ?? '',
        metadata.resourceVersion ?? '',
      ]),
  );
}

function watchedFrom(client: ScriptedClient): (string | undefined)[] {
  return client.asked.flatMap((each) => ('watch' in each ? [each.watch.resourceVersion] : []));
}

function pick(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}
