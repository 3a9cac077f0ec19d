import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { attachToPod, execInPod } from './exec.ts';
import { exitCode } from './remote-process.ts';
import { startSocketServer } from './testing/socket-server.ts';

const key = { namespace: 'a', name: 'b' };
const STDOUT = 1;
const STDERR = 2;
const ERROR = 3;
const CLOSE = 255;
const success = JSON.stringify({ status: 'Success' });

describe('a process', () => {
  test('gets its command, its input and its end, and is heard to the end', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const [remote, peer] = await Promise.all([
      execInPod(server, key, { command: ['sh', '-c', 'a & b'], stdin: true, container: 'c' }),
      server.accept(),
    ]);
    assert.equal(
      peer.path,
      '/api/v1/namespaces/a/pods/b/exec?command=sh&command=-c&command=a+%26+b&container=c&stdin=true&stdout=true&stderr=true',
    );

    remote.stdin.write('hello');
    remote.stdin.end();
    assert.equal(String(await peer.next()), '\0hello');
    assert.deepEqual(await peer.next(), Buffer.of(CLOSE, 0));
    assert.equal(remote.canEndInput, true);
    peer.send(STDOUT, 'out');
    peer.send(STDERR, 'err');
    peer.send(ERROR, nonZero('3'));
    peer.socket.close(1000);

    assert.deepEqual(await Promise.all([text(remote.stdout), text(remote.stderr)]), ['out', 'err']);
    assert.equal(await remote.exit, 3);
  });

  test('cannot be told of the end of its input in v4, and is not cut off for it', async () => {
    await using server = await startSocketServer('v4.channel.k8s.io');
    const [remote, peer] = await Promise.all([
      execInPod(server, key, { command: ['cat'], stdin: true }),
      server.accept(),
    ]);

    remote.stdin.end('x');
    await peer.next();
    await remote.resize({ columns: 80, rows: 24 });

    assert.equal(String(await peer.next()), '\u0004{"Width":80,"Height":24}');
    assert.equal(remote.canEndInput, false);
    peer.send(ERROR, success);
    peer.socket.close();
    assert.equal(await remote.exit, 0);
  });

  test('that is cut off did not end', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const [remote, peer] = await Promise.all([attachToPod(server, key), server.accept()]);

    peer.send(STDOUT, 'half');
    await once(remote.stdout, 'readable');
    peer.socket.terminate();

    await assert.rejects(remote.exit, { fault: 'closed' });
    await assert.rejects(text(remote.stdout));
  });

  test('that nobody listens to holds back its server, and is heard when someone does', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const [remote, peer] = await Promise.all([attachToPod(server, key), server.accept()]);
    const piece = 'x'.repeat(64 << 10);
    const pieces = 1_000;

    for (let sent = 0; sent < pieces; sent++) peer.send(STDOUT, piece);
    peer.send(ERROR, success);
    peer.socket.close();
    await once(remote.stdout, 'readable');

    assert.ok(remote.stdout.readableLength < 2 << 20);
    let length = 0;
    for await (const chunk of remote.stdout) length += (chunk as Buffer).length;
    assert.equal(length, piece.length * pieces);
    assert.equal(await remote.exit, 0);
  });

  test('whose one output is dropped is still heard on the other', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const [remote, peer] = await Promise.all([attachToPod(server, key), server.accept()]);

    remote.stderr.destroy();
    for (let sent = 0; sent < 100; sent++) peer.send(STDERR, 'x'.repeat(64 << 10));
    peer.send(STDOUT, 'heard');
    peer.send(ERROR, success);
    peer.socket.close();

    assert.equal(await text(remote.stdout), 'heard');
  });

  test('is pinged, and given up after a minute of silence', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const clock = new ManualClock();
    const [remote, peer] = await Promise.all([
      attachToPod(server, key, { clock }),
      server.accept(),
    ]);
    const pinged = once(peer.socket, 'ping');
    await clock.advance(5_000);
    await pinged;

    peer.socket.pause();
    await clock.advance(120_000);

    await assert.rejects(remote.exit, { fault: 'timeout' });
    assert.equal(clock.waiting, 0);
  });

  test('of a server that chooses another protocol is not spoken to', async () => {
    await using server = await startSocketServer('v1.channel.k8s.io');

    await assert.rejects(attachToPod(server, key), { fault: 'malformed' });
  });

  test('is left without a trace', async () => {
    await using server = await startSocketServer('v5.channel.k8s.io');
    const clock = new ManualClock();
    const [remote, peer] = await Promise.all([
      attachToPod(server, key, { clock }),
      server.accept(),
    ]);
    const closed = once(peer.socket, 'close');

    remote[Symbol.dispose]();

    assert.equal((await closed)[0], 1000);
    assert.equal(await remote.exit, 0);
  });
});

test('exit codes are read from the Status that ends a process', () => {
  assert.equal(exitCode(Buffer.alloc(0)), 0);
  assert.equal(exitCode(Buffer.from(success)), 0);
  assert.equal(exitCode(Buffer.from(nonZero('137'))), 137);
  assert.throws(() => exitCode(Buffer.from(nonZero('many'))), { message: 'failed' });
  const refused = { status: 'Failure', reason: 'InternalError', message: 'no such container' };
  assert.throws(() => exitCode(Buffer.from(JSON.stringify(refused))), {
    name: 'StatusError',
    reason: 'InternalError',
    message: 'no such container',
  });
});

function nonZero(code: string): string {
  const causes = [{ reason: 'ExitCode', message: code }];
  const reason = 'NonZeroExitCode';
  return JSON.stringify({ status: 'Failure', message: 'failed', reason, details: { causes } });
}
