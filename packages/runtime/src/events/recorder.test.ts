import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type KubeObject, notFound, StatusError } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { silentLogger } from '../observer.ts';
import type { SentEvent } from './event-series.ts';
import { createRecorder, type EventNote } from './recorder.ts';
import { transitionNotes } from './transition-notes.ts';

const NOTE: EventNote = { reason: 'Unreachable', action: 'Reachable', note: 'no', type: 'Warning' };

describe('a recorder', () => {
  test('sends an event of events.k8s.io/v1 with all that the server demands', async () => {
    const { recorder, sent } = setUp();
    recorder.record(thing('west'), NOTE);
    await recorder.flushed();

    assert.deepEqual(sent, [
      {
        verb: 'create',
        body: {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: 'west.18867251edfa0000', namespace: 'fleet' },
          eventTime: '2026-01-01T00:00:00.000000Z',
          reportingController: 'flotilla.dev/hub',
          reportingInstance: 'hub-0',
          action: 'Reachable',
          reason: 'Unreachable',
          regarding: {
            apiVersion: 'test/v1',
            kind: 'Thing',
            name: 'west',
            namespace: 'fleet',
            uid: 'u',
            resourceVersion: '7',
          },
          note: 'no',
          type: 'Warning',
        },
      },
    ]);
  });

  test('makes a series of the second, counts the rest, and tells the count when it is over', async () => {
    const { recorder, sent, clock } = setUp();
    for (let times = 0; times < 2; times++) {
      recorder.record(thing('west'), NOTE);
      await recorder.flushed();
    }
    for (let times = 0; times < 3; times++) recorder.record(thing('west'), NOTE);
    await recorder.flushed();
    assert.deepEqual(verbs(sent), ['create', 'patch']);
    assert.equal(sent.at(-1)?.body.series?.count, 2);

    await clock.advance(12 * 60_000);

    assert.deepEqual(verbs(sent), ['create', 'patch', 'patch']);
    assert.equal(sent.at(-1)?.body.series?.count, 5);
    recorder.record(thing('west'), NOTE);
    await recorder.flushed();
    assert.deepEqual(verbs(sent), ['create', 'patch', 'patch', 'create']);
  });

  test('makes an event anew that the server has forgotten', async () => {
    const { recorder, sent, server } = setUp();
    recorder.record(thing('west'), NOTE);
    await recorder.flushed();
    server.patch = notFound({ group: 'events.k8s.io', resource: 'events' }, 'x');
    recorder.record(thing('west'), NOTE);
    await recorder.flushed();

    assert.deepEqual(verbs(sent), ['create', 'patch', 'create']);
    assert.equal(sent.at(-1)?.body.series?.count, 2);
  });

  test('lets one object have twenty-five and then one in five minutes, without silencing others', async () => {
    const { recorder, sent, clock } = setUp();
    let dropped = 0;
    for (let times = 0; times < 40; times++) {
      recorder.record(thing('flaps'), { ...NOTE, reason: `R${times}` }, () => dropped++);
    }
    recorder.record(thing('quiet'), NOTE);
    await recorder.flushed();
    assert.equal(sent.length, 26);
    assert.equal(dropped, 15);

    await clock.advance(5 * 60_000);
    recorder.record(thing('flaps'), NOTE);
    await recorder.flushed();
    assert.equal(sent.length, 27);
  });

  test('tries again what did not reach the server, and not what it refused', async () => {
    const { recorder, sent, clock, server } = setUp();
    server.create = new Error('ECONNREFUSED');
    recorder.record(thing('west'), NOTE);
    await clock.advance(29_000);
    assert.equal(sent.length, 3);
    server.create = new StatusError(403, 'Forbidden', 'no');
    await clock.advance(60_000);
    assert.equal(sent.length, 4);
    await recorder.flushed();
  });

  test('ends without waiting, and leaves nothing behind', async () => {
    const { recorder, clock, server } = setUp();
    server.create = new Error('ECONNREFUSED');
    recorder.record(thing('west'), NOTE);
    await clock.advance(1);

    await recorder[Symbol.asyncDispose]();

    assert.equal(clock.waiting, 0);
  });

  test('cuts notes to what the server takes, in bytes', async () => {
    const { recorder, sent } = setUp();
    recorder.record(thing('west'), { ...NOTE, note: 'ü'.repeat(2000) });
    await recorder.flushed();

    const note = sent[0]?.body.note ?? '';
    assert.ok(Buffer.byteLength(note) <= 1024);
    assert.match(note, /^ü+…$/);
  });
});

describe('transitionNotes', () => {
  test('warns of what does not hold, and does not say a thing twice', () => {
    const after = (type: string, status: 'True' | 'False' | 'Unknown', reason: string) => ({
      before: undefined,
      after: { type, status, reason, message: 'm', lastTransitionTime: '' },
    });
    const notes = transitionNotes([
      after('Reachable', 'False', 'Unreachable'),
      after('Valid', 'Unknown', 'NotTried'),
      after('Ready', 'False', 'Unreachable'),
      after('Reconciling', 'True', 'Progressing'),
    ]);

    assert.deepEqual(
      notes.map(({ type, reason, action }) => [type, reason, action]),
      [
        ['Warning', 'Unreachable', 'Reachable'],
        ['Normal', 'NotTried', 'Valid'],
      ],
    );
    assert.equal(transitionNotes([after('Ready', 'True', 'Succeeded')]).length, 1);
  });
});

function setUp() {
  const clock = new ManualClock();
  const sent: { verb: string; body: SentEvent }[] = [];
  const server: { create?: Error; patch?: Error } = {};
  const answer = (verb: 'create' | 'patch', body: unknown) => {
    sent.push({ verb, body: body as SentEvent });
    const error = server[verb];
    return error === undefined ? Promise.resolve(body) : Promise.reject(error);
  };
  const client = {
    create: (_: unknown, object: unknown) => answer('create', object),
    patch: (_: unknown, __: unknown, { body }: { body: unknown }) => answer('patch', body),
  } as unknown as Parameters<typeof createRecorder>[0]['client'];
  const recorder = createRecorder({
    client,
    clock,
    random: () => 0,
    logger: silentLogger,
    controller: 'flotilla.dev/hub',
    instance: 'hub-0',
  });
  return { recorder, sent, clock, server };
}

const verbs = (sent: readonly { verb: string }[]) => sent.map(({ verb }) => verb);

const thing = (name: string): KubeObject => ({
  apiVersion: 'test/v1',
  kind: 'Thing',
  metadata: { name, namespace: 'fleet', uid: 'u', resourceVersion: '7' },
});
