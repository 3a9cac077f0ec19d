import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { connectToPod, forwardPort } from './port-forward.ts';
import { type Peer, startSocketServer } from './testing/socket-server.ts';

const key = { namespace: 'a', name: 'b' };
const DATA = 0;
const ERROR = 1;

test('each connection has its own way, and carries bytes both ways', async () => {
  await using server = await startSocketServer('v4.channel.k8s.io');
  await using forward = await forwardPort(server, key, { port: 8080 });

  for (const number of [0, 1]) {
    const socket = connect(forward.port, '127.0.0.1');
    const peer = await server.accept();
    assert.equal(peer.path, '/api/v1/namespaces/a/pods/b/portforward?ports=8080');
    open(peer, 8080);
    peer.send(DATA, 'hello');
    const [greeting] = (await once(socket, 'data')) as [Buffer];
    socket.write(`it is ${number}`);
    assert.equal(String(greeting), 'hello');
    assert.equal(String(await peer.next()), `\0it is ${number}`);
  }

  assert.equal(forward.connections(), 2);
});

test('what the kubelet says went wrong breaks the connection', async () => {
  await using server = await startSocketServer('v4.channel.k8s.io');
  const [stream, peer] = await Promise.all([
    connectToPod(server, key, { port: 80 }),
    server.accept(),
  ]);

  open(peer, 80);
  peer.send(ERROR, 'nobody listens');
  peer.socket.close();

  await assert.rejects(text(stream), { message: 'nobody listens' });
});

test('a server that opens another port is not trusted', async () => {
  await using server = await startSocketServer('v4.channel.k8s.io');
  const [stream, peer] = await Promise.all([
    connectToPod(server, key, { port: 80 }),
    server.accept(),
  ]);

  open(peer, 81);

  await assert.rejects(text(stream), { message: 'Cannot use port 80: the server opened another' });
});

test('after our end the other side may answer, until it is silent', async () => {
  await using server = await startSocketServer('v4.channel.k8s.io');
  const clock = new ManualClock();
  const [stream, peer] = await Promise.all([
    connectToPod(server, key, { port: 80, clock }),
    server.accept(),
  ]);
  open(peer, 80);

  stream.end('question');
  await peer.next();
  await clock.advance(4_000);
  peer.send(DATA, 'answer');
  const [answer] = (await once(stream, 'data')) as [Buffer];
  const closed = once(peer.socket, 'close');
  await clock.advance(4_000);
  assert.equal(stream.readableEnded, false);
  await clock.advance(1_000);
  await closed;

  assert.equal(String(answer), 'answer');
});

test('stopping to forward hangs up everywhere', async () => {
  await using server = await startSocketServer('v4.channel.k8s.io');
  const forward = await forwardPort(server, key, { port: 80 });
  const socket = connect(forward.port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  const peer = await server.accept();
  open(peer, 80);
  const hungUp = Promise.all([once(socket, 'close'), once(peer.socket, 'close')]);

  await forward[Symbol.asyncDispose]();

  await hungUp;
});

function open(peer: Peer, port: number): void {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(port);
  peer.send(DATA, bytes);
  peer.send(ERROR, bytes);
}
