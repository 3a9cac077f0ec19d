import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Client, connectClient, objectOf, type StatusBody } from './client.ts';
import { runFlotilla, startFlotilla, temporaryFolder } from './flotilla-process.ts';
import { mountTmpfs } from './small-disk.ts';
import { ResumingWatch, readLines } from './watch-reader.ts';

const rounds = Number(process.env['FLOTILLA_FULL_DISK_ROUNDS'] ?? 1);
const PATH = '/api/v1/namespaces/default/configmaps';
const MEBIBYTE = 1 << 20;

/** Objects by name as they were acknowledged: the length of their value. */
type Acknowledged = Map<string, number>;

describe('a full disk', () => {
  test('refuses writes with 503, serves reads, and takes writes again once there is room', async (context) => {
    using folder = temporaryFolder();
    let kept = 0;
    for (let round = 0; round < rounds; round++) {
      const place = join(folder.path, String(round));
      using disk = mountTmpfs(join(place, 'disk'), `${20 + (round % 5)}m`);
      if (disk === undefined) return context.skip('this user cannot mount');
      kept += await fullRound(place, disk.path, { isKilledWhileFull: round % 2 === 1 });
    }
    context.diagnostic(
      `figure: full disk: ${rounds} rounds, ${kept} objects acknowledged and kept`,
    );
  });

  async function fullRound(
    place: string,
    disk: string,
    { isKilledWhileFull }: { isKilledWhileFull: boolean },
  ): Promise<number> {
    const ballast = join(disk, 'ballast');
    const options = { dataFolder: join(disk, 'data'), kubeconfigFile: join(place, 'kubeconfig') };
    const known: Acknowledged = new Map();
    writeFileSync(ballast, Buffer.alloc(4 * MEBIBYTE));
    await using first = await startFlotilla(options);
    using client = connectClient(first.target);
    await fill(client, known, 'a');
    await whileFull(client, known);
    const kept = known.size;
    if (isKilledWhileFull) {
      await first.crash();
      rmSync(ballast);
      await using second = await startFlotilla(options);
      using another = connectClient(second.target);
      await roomAgain(another, known);
      return kept;
    }
    rmSync(ballast);
    await roomAgain(client, known);
    await first.crash();
    await using second = await startFlotilla(options);
    using another = connectClient(second.target);
    await unchanged(another, known);
    return kept;
  }

  test('at start is a clear error that costs nothing, or no error', async (context) => {
    using folder = temporaryFolder();
    using disk = mountTmpfs(join(folder.path, 'disk'), '16m');
    if (disk === undefined) return context.skip('this user cannot mount');
    const ballast = join(disk.path, 'ballast');
    const options = {
      dataFolder: join(disk.path, 'data'),
      kubeconfigFile: join(folder.path, 'kubeconfig'),
    };
    const known: Acknowledged = new Map();
    {
      await using server = await startFlotilla(options);
      using client = connectClient(server.target);
      await fill(client, known, 'a');
    }

    const fresh = await runFlotilla({ ...options, dataFolder: join(disk.path, 'fresh') });
    assert.equal(fresh.code, 1, fresh.output);
    assert.match(fresh.output, /^Cannot open the store in ".*fresh\/store": the disk is full\n$/);

    fillUp(ballast);
    {
      // There is nothing to write for a server that has run here before.
      await using server = await startFlotilla(options);
      using client = connectClient(server.target);
      await unchanged(client, known);
      // What room the file itself has left is used; then comes the refusal.
      await fill(client, known, 'b');
      await whileFull(client, known);
    }
    rmSync(ballast);
    await using server = await startFlotilla(options);
    using client = connectClient(server.target);
    await unchanged(client, known);
  });

  test('of a file that may not grow: the same', async (context) => {
    using folder = temporaryFolder();
    const options = { dataFolder: join(folder.path, 'data') };
    const known: Acknowledged = new Map();
    {
      const within = ['sh', '-c', 'ulimit -f 8192 && exec "$0" "$@"'] as const;
      await using server = await startFlotilla({ ...options, within });
      using client = connectClient(server.target);
      await fill(client, known, 'a');
      await whileFull(client, known);
      context.diagnostic(`${known.size} objects fit`);
    }
    await using server = await startFlotilla(options);
    using client = connectClient(server.target);
    await unchanged(client, known);
    await create(client, known, { name: 'room', length: 200_000 });
  });
});

function configMap(name: string, length: number): object {
  return { metadata: { name }, data: { value: 'x'.repeat(length) } };
}

async function create(
  client: Client,
  known: Acknowledged,
  { name, length }: { name: string; length: number },
): Promise<number> {
  const answer = await client.send(`POST ${PATH}`, { body: configMap(name, length) });
  if (answer.status === 201) {
    known.set(name, length);
    return 201;
  }
  const { kind, reason, message, code } = objectOf<StatusBody>(answer);
  assert.deepEqual(
    { kind, reason, code, status: answer.status },
    { kind: 'Status', reason: 'ServiceUnavailable', code: 503, status: 503 },
    message,
  );
  assert.match(message, /^Cannot write "core\/configmaps\/default\/.*": the disk of /);
  assert.ok(Number(answer.headers['retry-after']) > 0);
  return 503;
}

/** Writes, several at once, until there is no room even for something small. */
async function fill(client: Client, known: Acknowledged, prefix: string): Promise<void> {
  let count = 0;
  for (const length of [400_000, 60_000, 4_000]) {
    for (let isFull = false; !isFull; ) {
      const statuses = await Promise.all(
        Array.from({ length: 4 }, () =>
          create(client, known, { name: `${prefix}-${count++}`, length }),
        ),
      );
      isFull = statuses.includes(503);
    }
  }
}

/** Reads, watches and health go on; writes of every kind are refused in the same way. */
async function whileFull(client: Client, known: Acknowledged): Promise<number> {
  const revision = await unchanged(client, known);
  const { body } = await client.open(`GET ${PATH}?watch=true&resourceVersion=${revision}`);
  const events: string[] = [];
  const over = readLines(body, (line) => events.push(line));
  assert.equal((await client.send('GET /readyz')).status, 200);

  const [name = ''] = known.keys();
  const data = { value: 'y'.repeat(900_000) };
  const patch = { body: { data }, type: 'application/merge-patch+json' };
  const statuses = [
    (await client.send(`PATCH ${PATH}/${name}`, patch)).status,
    (await client.send(`PUT ${PATH}/${name}`, { body: { metadata: { name }, data } })).status,
    await create(client, known, { name: 'large', length: 900_000 }),
  ];
  assert.deepEqual(statuses, [503, 503, 503]);

  assert.equal(await unchanged(client, known), revision);
  body.destroy();
  await over;
  assert.deepEqual(events, [], 'a watch was told of what did not happen');
  return statuses.length;
}

/** Every kind of write works again, and a watch that began while the disk was full sees them. */
async function roomAgain(client: Client, known: Acknowledged): Promise<void> {
  const revision = await unchanged(client, known);
  const watch = new ResumingWatch(PATH, revision);
  await watch.attach(client);
  const [name = '', second = '', ...others] = known.keys();
  const written = await client.send(`PATCH ${PATH}/${name}`, {
    body: { data: { value: 'room' } },
    type: 'application/merge-patch+json',
  });
  assert.equal(written.status, 200, written.body.toString());
  known.set(name, 'room'.length);
  // Deleting the others makes room for the next round.
  for (const each of [second, ...others]) {
    assert.equal((await client.send(`DELETE ${PATH}/${each}`)).status, 200);
    known.delete(each);
  }
  assert.equal(await create(client, known, { name: second, length: 1_000 }), 201);
  await watch.reached(revision + others.length + 3);
  assert.deepEqual(
    watch.events.map(({ type }) => type),
    ['MODIFIED', 'DELETED', ...others.map(() => 'DELETED'), 'ADDED'],
  );
}

/** Exactly what was acknowledged is there; returns the revision it has. */
async function unchanged(client: Client, known: Acknowledged): Promise<number> {
  const answer = await client.send(`GET ${PATH}`);
  assert.equal(answer.status, 200, answer.body.toString().slice(0, 500));
  const { items, metadata } = objectOf<{
    metadata: { resourceVersion: string };
    items: { metadata: { name: string }; data: { value: string } }[];
  }>(answer);
  const found = items
    .filter(({ metadata }) => metadata.name !== 'kube-root-ca.crt')
    .map(({ metadata, data }) => [metadata.name, data.value.length] as const);
  assert.deepEqual(new Map(found), known);
  return Number(metadata.resourceVersion);
}

/** Takes what is left of the file system, to the last page. */
function fillUp(path: string): void {
  for (const size of [MEBIBYTE, 4096]) {
    for (let part = 0; ; part++) {
      try {
        writeFileSync(`${path}`, Buffer.alloc(size), { flag: 'a' });
      } catch {
        break;
      }
      if (part > 100_000) throw new Error('Cannot fill the disk');
    }
  }
}
