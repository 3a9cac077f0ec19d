import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import type { ApiResponse, Sink } from './exchange.ts';
import { get, h1, h2, open, raw, received, testListener, until } from './testing.ts';

const ok: ApiResponse = { status: 200, headers: {}, body: Buffer.from('ok') };

describe('drain', () => {
  test('requests under way finish, watches are told, new connections are refused', async () => {
    const waiting: (() => void)[] = [];
    const sinks: Sink[] = [];
    const listener = await testListener(async (request) => {
      if (request.path === '/watch') {
        return { ...ok, body: { start: (sink) => void sinks.push(sink) } };
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
      return ok;
    });
    // As a watch handler does: a last event, then the end.
    listener.draining.addEventListener('abort', () => {
      for (const sink of sinks) {
        sink.write(Buffer.from('bookmark'));
        sink.end();
      }
    });
    const session = h2(listener);
    const goaway = new Promise((resolve) => session.once('goaway', resolve));
    const slow = get(session, { ':path': '/slow' });
    const watch = get(session, { ':path': '/watch?watch=1' });
    const overH1 = h1(listener, '/slow', { headers: { connection: 'keep-alive' } });
    const idle = await raw(listener);
    const idleGone = received(idle);
    await until(() => waiting.length === 2 && sinks.length === 1, 'requests to arrive');

    const drained = listener.drain();
    process.stderr.write('step 1 '+(performance.now()|0)+'\n');
    await goaway;
    process.stderr.write('step 2 '+(performance.now()|0)+'\n');
    await idleGone;
    process.stderr.write('step 3 '+(performance.now()|0)+'\n');
    assert.equal(String((await watch).body), 'bookmark');
    process.stderr.write('step 4 '+(performance.now()|0)+'\n');
    assert.equal(await refused(listener.port), true);
    process.stderr.write('step 5 '+(performance.now()|0)+'\n');
    assert.equal(listener.counts().requests, 2);
    process.stderr.write('step 6 '+(performance.now()|0)+'\n');
    for (const finish of waiting) finish();
    process.stderr.write('step 7 '+(performance.now()|0)+'\n');

    assert.equal((await slow).status, 200);
    process.stderr.write('step 8 '+(performance.now()|0)+'\n');
    const last = await overH1;
    process.stderr.write('step 9 '+(performance.now()|0)+'\n');
    assert.deepEqual([last.status, last.headers.connection], [200, 'close']);
    process.stderr.write('step 10 '+(performance.now()|0)+'\n');
    await drained;
    process.stderr.write('step 11 '+(performance.now()|0)+'\n');
    assert.deepEqual(listener.counts(), { requests: 0, longRunning: 0, connections: 0 });
    process.stderr.write('step 12 '+(performance.now()|0)+'\n');
  });
    process.stderr.write('step 13 '+(performance.now()|0)+'\n');

  test('after the grace what still runs is cut off, and its signal aborts', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    let signal: AbortSignal | undefined;
    const listener = await testListener(
      (request) => {
        signal = request.signal;
        return new Promise(() => {});
      },
      { clock },
    );
    const session = h2(listener);
    const stuck = get(session, { ':path': '/' }).catch((error: Error) => error);
    await until(() => signal !== undefined, 'the request to arrive');

    const drained = listener.drain({ graceMs: 10_000 });
    clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1000);
    await drained;

    await stuck;
    await until(() => signal?.aborted === true, 'the signal');
    assert.equal(listener.counts().requests, 0);
  });

  test('connections are taken until the delay is over', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    const listener = await testListener(async () => ok, { clock });

    const drained = listener.drain({ delayMs: 5000 });
    assert.equal((await h1(listener, '/', { agent: false })).status, 200);
    clock.advance(5000);
    await drained;

    assert.equal(await refused(listener.port), true);
  });

  test('an answer can ask its HTTP/2 client to leave, as upstream does for strangers', async () => {
    await using listener = await testListener(async () => ({
      ...ok,
      headers: { connection: 'close' },
    }));
    const session = h2(listener);
    const goaway = new Promise((resolve) => session.once('goaway', resolve));

    assert.equal((await get(session, { ':path': '/' })).status, 200);
    await goaway;
    await until(() => listener.counts().connections === 0, 'the connection to go');
  });

  test('closing at once leaves nothing open', async () => {
    const listener = await testListener(async () => ({ ...ok, body: { start: () => {} } }));
    const session = h2(listener);
    await open(session, { ':path': '/?watch=1' });

    await listener.close();

    await until(() => listener.counts().requests === 0, 'the watch to end');
    assert.equal(listener.counts().connections, 0);
  });
});

function refused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(true));
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
  });
}
