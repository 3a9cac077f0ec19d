import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { attachToPod } from './exec.ts';
import { forwardPort } from './port-forward.ts';
import { startSocketServer } from './testing/socket-server.ts';

const key = { namespace: 'a', name: 'b' };

test('streams that ended in any way leave no socket and no timer', async () => {
  const before = open();
  {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const abort = new AbortController();
    const [left, cut, given] = [
      await attachToPod(server, key),
      await attachToPod(server, key),
      await attachToPod(server, key, { signal: abort.signal }),
    ];
    const peers = [await server.accept(), await server.accept(), await server.accept()];
    const closed = Promise.all(peers.map(({ socket }) => once(socket, 'close')));

    left[Symbol.dispose]();
    peers[1]?.socket.terminate();
    abort.abort();

    await Promise.allSettled([left.exit, cut.exit, given.exit]);
    await closed;
  }
  {
    await using server = await startSocketServer('v4.channel.k8s.io');
    const forward = await forwardPort(server, key, { port: 80 });
    const ends: Promise<unknown>[] = [];
    for (let number = 0; number < 20; number++) {
      const socket = connect(forward.port, '127.0.0.1').resume();
      socket.on('error', () => {});
      const { socket: peer } = await server.accept();
      ends.push(once(socket, 'close'), once(peer, 'close'));
      // Every other one is left to the end of forwarding.
      if (number % 2 === 0) peer.terminate();
    }
    await forward[Symbol.asyncDispose]();
    await Promise.all(ends);
  }
  // Handles go a few turns after their close was told.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);

  assert.deepEqual(open(), before);
});

function open(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
}
