import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Credential } from '@flotilla/client';
import { printsNextToken, routingIn, testHome } from '../testing/routing.ts';
import { askSocket, serveCredentials } from './credential-socket.ts';

const signal = new AbortController().signal;

function loginIn(home: ReturnType<typeof testHome>): Credential {
  home.script('bin/login', printsNextToken(home));
  return routingIn(home).credentials.ofPlugin({
    command: 'login',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    interactiveMode: 'Never',
  });
}

test('everyone gets the same credential; who asks again has had it refused and gets another', async () => {
  using home = testHome();
  const path = join(home.folder, 'socket');
  const credential = loginIn(home);
  await using _server = await serveCredentials(path, () => credential);

  const ask = (process: number) => askSocket(path, { cluster: 'c', process }, signal);
  assert.deepEqual(await Promise.all([ask(1), ask(2), ask(3)]), [
    { token: 't1' },
    { token: 't1' },
    { token: 't1' },
  ]);
  assert.deepEqual(await ask(2), { token: 't2' });
  assert.deepEqual(await ask(1), { token: 't2' });
  assert.deepEqual(await ask(4), { token: 't2' });
});

test('a cluster that is not there, nonsense and silence get no credential', async () => {
  using home = testHome();
  const path = join(home.folder, 'socket');
  const credential = loginIn(home);
  await using _server = await serveCredentials(path, (name) =>
    name === 'c' ? credential : undefined,
  );

  await assert.rejects(askSocket(path, { cluster: 'x', process: 1 }, signal), {
    message: 'there is no cluster "x"',
  });
  for (const text of ['', '{', '[]', '{"cluster":1}', 'x'.repeat(100_000)]) {
    assert.doesNotMatch(await raw(path, text), /t1/);
  }
  // One that never says anything does not keep the others waiting, nor the server from ending.
  const silent = connect(path);
  silent.on('error', () => {});
  assert.deepEqual(await askSocket(path, { cluster: 'c', process: 1 }, signal), { token: 't1' });
});

test('a run that has ended hands out nothing', async () => {
  using home = testHome();
  const path = join(home.folder, 'socket');
  const server = await serveCredentials(path, () => loginIn(home));
  await server[Symbol.asyncDispose]();

  await assert.rejects(askSocket(path, { cluster: 'c', process: 1 }, signal), {
    name: 'AccessError',
    message: 'the command that this kubeconfig was made for has ended',
  });
});

test('whoever is interrupted stops waiting', async () => {
  using home = testHome();
  const path = join(home.folder, 'socket');
  const never: Credential = {
    present: () => new Promise(() => {}),
    refused: async () => await Promise.resolve(false),
  };
  await using _server = await serveCredentials(path, () => never);
  const stop = new AbortController();

  const asking = askSocket(path, { cluster: 'c', process: 1 }, stop.signal);
  stop.abort(new Error('enough'));

  await assert.rejects(asking, { message: 'enough' });
});

async function raw(path: string, text: string): Promise<string> {
  const socket = connect(path);
  socket.on('error', () => {});
  socket.end(text);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
