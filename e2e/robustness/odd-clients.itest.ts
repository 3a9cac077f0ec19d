import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import {
  type Client,
  connectClient,
  connectH2,
  connectSocket,
  objectOf,
  PROTOCOLS,
  type Target,
} from './client.ts';
import { type Flotilla, startFlotilla, temporaryFolder } from './flotilla-process.ts';
import { halfSent } from './half-sent.ts';
import { handlesBack, type Usage, usageOf } from './process-usage.ts';

const idle = Number(process.env['FLOTILLA_IDLE_CONNECTIONS'] ?? 500);
const rounds = Number(process.env['FLOTILLA_CLIENT_ROUNDS'] ?? 2);
const PATH = '/api/v1/namespaces/default/configmaps';
/** What a request of somebody else may take meanwhile, on a machine that others use as well. */
const PROMPT_MS = 1_000;

/** Runs something odd against a server of its own; afterwards it must be as before. */
async function against(
  context: TestContext,
  odd: (server: Flotilla, client: Client, round: number) => Promise<void>,
  times = rounds,
): Promise<void> {
  using folder = temporaryFolder();
  await using server = await startFlotilla({ dataFolder: join(folder.path, 'data') });
  using client = connectClient(server.target);
  assert.equal((await client.send(`POST ${PATH}`, { body: named('kept') })).status, 201);
  const before = usageOf(server.pid);
  const after: Usage[] = [];
  for (let round = 0; round < times; round++) {
    await odd(server, client, round);
    await prompt(client);
    if (before === undefined) continue;
    await handlesBack(server.pid, before);
    after.push(usageOf(server.pid) ?? before);
  }
  assert.equal((await client.send(`GET ${PATH}/kept`)).status, 200);
  assert.doesNotMatch(server.output(), /error:/);
  if (before === undefined) return;
  const memory = after.map(({ residentMb }) => residentMb);
  context.diagnostic(
    `figure: ${context.name}: ${before.residentMb} MB before, ${memory.join(', ')} MB after rounds of it`,
  );
  const lowest = Math.min(...memory);
  // A connection takes 40 KB, mostly of OpenSSL's; the allocator keeps it for the next ones.
  const mostMb = before.residentMb + 150 + idle * 0.05;
  assert.ok(lowest < mostMb, `${before.residentMb} MB grew to ${lowest} MB`);
  // Collectors take their time, so a few rounds tell nothing; what grows for ever grows its minimum.
  if (times < 10) return;
  const half = Math.floor(times / 2);
  const grown = Math.min(...memory.slice(half)) - Math.min(...memory.slice(0, half));
  assert.ok(grown < 60, `memory grew by ${grown} MB: ${memory.join()}`);
}

const named = (name: string): object => ({ metadata: { name } });

async function prompt(client: Client): Promise<void> {
  const begun = performance.now();
  const { status } = await client.send(`GET ${PATH}/kept`);
  assert.equal(status, 200);
  const took = performance.now() - begun;
  assert.ok(took < PROMPT_MS, `a get took ${Math.round(took)} ms`);
}

async function sockets(target: Target, count: number): Promise<TLSSocket[]> {
  const open: TLSSocket[] = [];
  // A few at a time: handshakes are all the work there is.
  for (let done = 0; done < count; done += 20) {
    const some = Math.min(20, count - done);
    open.push(...(await Promise.all(Array.from({ length: some }, () => connectSocket(target)))));
  }
  return open;
}

const gone = (open: readonly TLSSocket[]): void => {
  for (const socket of open) socket.destroy();
};

describe('clients', () => {
  test(`${idle} idle connections cost others nothing`, async (context) => {
    const odd = async ({ target, pid }: Flotilla, client: Client, round: number) => {
      const open = await sockets(target, idle);
      await prompt(client);
      const { handles, residentMb } = usageOf(pid) ?? { handles: idle, residentMb: 0 };
      assert.ok(handles >= idle, `${handles} handles`);
      context.diagnostic(`${residentMb} MB with ${idle} connections`);
      const body = named(`idle-${round}`);
      assert.equal((await client.send(`POST ${PATH}`, { body })).status, 201);
      gone(open);
    };
    // Thousands of handshakes are work for minutes; twice shows what stays.
    await against(context, odd, idle > 2_000 ? 2 : rounds);
  });

  test('that send a byte now and then, and clients that read none, hold nobody up', async (context) => {
    await against(context, async ({ target }, client, round) => {
      if (round === 0) await manyObjects(client);
      const slow = await sockets(target, 60);
      const { first } = halfSent(target, `POST ${PATH}`, named('never'));
      slow.forEach((socket, index) => {
        // A third sends headers slowly, a third a body, a third asks for much and reads nothing.
        if (index % 3 === 2) {
          socket.pause();
          socket.write(getRequest(target, PATH));
        } else socket.write(first.slice(0, index % 3 === 0 ? 30 : -10));
      });
      for (let tick = 0; tick < 10; tick++) {
        for (const [index, socket] of slow.entries()) {
          const at = (index % 3 === 0 ? 30 : first.length - 10) + tick;
          if (index % 3 !== 2 && tick < 9) socket.write(first.slice(at, at + 1));
        }
        await prompt(client);
        await delay(50);
      }
      gone(slow);
    });
  });

  test('that vanish in the middle of a body or of an answer leave nothing', async (context) => {
    await against(context, async ({ target }, client, round) => {
      if (round === 0) await manyObjects(client);
      const open = await sockets(target, 60);
      const { first } = halfSent(target, `POST ${PATH}`, named('never'));
      open.forEach((socket, index) => {
        socket.write(index % 2 === 0 ? first : getRequest(target, PATH));
      });
      const session = connectH2(target);
      const headers = { authorization: `Bearer ${target.token}` };
      for (let index = 0; index < 100; index++) {
        const stream = session.request(
          { ...headers, ':path': PATH, ':method': index % 2 === 0 ? 'POST' : 'GET' },
          { endStream: false },
        );
        stream.on('error', () => {});
        stream.write('{"metadata":');
      }
      await prompt(client);
      gone(open);
      session.destroy();
      const { status } = await client.send(`GET ${PATH}/never`);
      assert.equal(status, 404);
    });
  });

  test('that open watches and drop them leave nothing, and others miss nothing', async (context) => {
    const WATCHES = 150;
    await against(context, async ({ target }, client, round) => {
      const clients = [...PROTOCOLS, ...PROTOCOLS].map((each) => connectClient(target, each));
      const bodies = await Promise.all(
        Array.from({ length: WATCHES }, async (_, index) => {
          const watcher = clients[index % clients.length] as Client;
          const { status, body } = await watcher.open(`GET ${PATH}?watch=true&resourceVersion=1`);
          assert.equal(status, 200);
          body.on('error', () => {});
          return body;
        }),
      );
      // Half is read and half is not; all are gone while events are on their way.
      const heard = bodies.map((body, index) =>
        index % 2 === 0 ? new Promise((resolve) => body.once('data', resolve)) : Promise.resolve(),
      );
      const name = `watched-${round}`;
      for (let write = 0; write < 20; write++) {
        const method = write % 2 === 0 ? `POST ${PATH}` : `DELETE ${PATH}/${name}`;
        const sent = write % 2 === 0 ? { body: named(name) } : {};
        assert.ok((await client.send(method, sent)).status < 300);
        if (write === 10) for (const body of bodies.slice(WATCHES / 2)) body.destroy();
      }
      await Promise.all(heard.slice(0, WATCHES / 2));
      for (const each of clients) each.close();
    });
  });
});

/** A list that no socket buffers as a whole. */
async function manyObjects(client: Client): Promise<void> {
  const value = 'x'.repeat(200_000);
  for (let index = 0; index < 25; index++) {
    const body = { ...named(`large-${index}`), data: { value } };
    assert.equal((await client.send(`POST ${PATH}`, { body })).status, 201);
  }
  const list = objectOf<{ items: unknown[] }>(await client.send(`GET ${PATH}`));
  assert.ok(list.items.length > 25);
}

function getRequest(target: Target, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${target.token}\r\n\r\n`;
}
