import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { startServer } from '@flotilla/apiserver';
import { type Client, connectClient, objectOf, PROTOCOLS, type Target } from './client.ts';
import { readTarget, temporaryFolder } from './flotilla-process.ts';
import { type InProcess, startInProcess } from './in-process.ts';
import { LeapingClock } from './leaping-clock.ts';
import { ResumingWatch } from './watch-reader.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 365 * DAY_MS;

/** What a client sees that begins now; it trusts nothing, because its clock is not the server's. */
async function shown(target: Target): Promise<X509Certificate> {
  const socket = connectTls({ host: '127.0.0.1', port: target.port, rejectUnauthorized: false });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  assert.ok(certificate !== undefined);
  return certificate;
}

function authorities(pem: string): X509Certificate[] {
  return (pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []).map(
    (each) => new X509Certificate(each),
  );
}

const signerOf = (certificate: X509Certificate, pem: string): X509Certificate | undefined =>
  authorities(pem).find(({ publicKey }) => certificate.verify(publicKey));

function assertValid(certificate: X509Certificate, now: Date): void {
  assert.ok(new Date(certificate.validFrom) <= now, `from ${certificate.validFrom}`);
  assert.ok(new Date(certificate.validTo) > now, `to ${certificate.validTo}`);
}

/** Clients that were there from the beginning, one for each protocol, each with a watch. */
async function oldClients(server: InProcess): Promise<Old[]> {
  return Promise.all(
    PROTOCOLS.map(async (protocol) => {
      const client = connectClient(server.target, protocol);
      const watch = new ResumingWatch(PATH, 1);
      await watch.attach(client);
      return { client, watch };
    }),
  );
}

interface Old {
  readonly client: Client;
  readonly watch: ResumingWatch;
}

/** The one whose connection carries more than its watch. */
function overH2(old: readonly Old[]): Client {
  const { client } = old.at(-1) ?? {};
  assert.ok(client !== undefined);
  return client;
}

/** A write of one is heard by all, on the connections they have had all along. */
async function stillThere(old: readonly Old[], name: string): Promise<void> {
  const answer = await overH2(old).send(`POST ${PATH}`, { body: { metadata: { name } } });
  assert.equal(answer.status, 201, answer.body.toString());
  const { metadata } = objectOf<{ metadata: { resourceVersion: string } }>(answer);
  for (const { watch } of old) await watch.reached(Number(metadata.resourceVersion));
}

describe('years', () => {
  test('renew the serving certificate without a restart, and nobody is cut off', async () => {
    const clock = new LeapingClock();
    await using server = await startInProcess({ clock });
    const old = await oldClients(server);
    const first = await shown(server.target);
    assertValid(first, clock.now());

    for (let year = 1; year <= 5; year++) {
      clock.leap(YEAR_MS);
      await stillThere(old, `year-${year}`);
      const now = await shown(server.target);
      assertValid(now, clock.now());
      assert.ok(signerOf(now, readTarget(server.kubeconfigFile).ca) !== undefined);
    }

    assert.notEqual((await shown(server.target)).serialNumber, first.serialNumber);
    assert.equal(server.log.filter((line) => line === 'renewed certificates').length, 5);
    for (const { client } of old) client.close();
  });

  test('renew the authority: published first, signing later, told to every namespace', async () => {
    const clock = new LeapingClock();
    await using server = await startInProcess({ clock });
    const old = await oldClients(server);
    const { ca } = server.target;
    assert.equal(authorities(ca).length, 1);

    let published = '';
    let signing: X509Certificate | undefined;
    for (let month = 1; month <= 12 * 9; month++) {
      clock.leap(30 * DAY_MS);
      const { ca: bundle } = readTarget(server.kubeconfigFile);
      if (published === '' && bundle !== ca) {
        published = bundle;
        // Whoever reads the bundle now trusts what will sign in more than a year.
        assert.equal(authorities(bundle).length, 2);
        assert.equal(
          signerOf(await shown(server.target), ca)?.subject,
          authorities(ca)[0]?.subject,
        );
        assert.equal(statSync(server.kubeconfigFile).mode & 0o777, 0o600);
        await toldToNamespaces(overH2(old), (found) => found === bundle);
      }
      const certificate = await shown(server.target);
      assertValid(certificate, clock.now());
      if (signing === undefined && signerOf(certificate, ca) === undefined) {
        signing = signerOf(certificate, published);
        assert.ok(signing !== undefined, 'signed by an authority nobody was told of');
      }
    }

    assert.ok(signing !== undefined, 'the new authority never signed');
    await stillThere(old, 'at-the-end');
    for (const each of old) each.client.close();
  });

  test('renew everything else where the kubeconfig can no longer be written', async () => {
    using folder = temporaryFolder();
    const clock = new LeapingClock();
    const kubeconfigFile = join(folder.path, 'kubeconfig');
    const log: string[] = [];
    const server = await startServer({
      dataFolder: join(folder.path, 'data'),
      kubeconfigFile,
      port: 0,
      clock,
      log: (line) => log.push(line),
    });
    const target = readTarget(kubeconfigFile);
    using client = connectClient(target);
    await client.send('GET /version');
    rmSync(kubeconfigFile);
    mkdirSync(kubeconfigFile);

    clock.leap(7 * YEAR_MS);

    assertValid(await shown(target), clock.now());
    const bundle = await toldToNamespaces(client, (found) => authorities(found).length === 2);
    assert.ok(bundle.includes(target.ca.trim()));
    await server.stop();
    const errors = log.filter((line) => line.startsWith('error:'));
    assert.equal(errors.length, 1, errors.join('\n'));
    assert.match(errors[0] ?? '', /Cannot write ".*kubeconfig": it is a directory/);
  });

  test('are survived by a restart', async () => {
    using folder = temporaryFolder();
    const clock = new LeapingClock();
    const kubeconfigFile = join(folder.path, 'kubeconfig');
    const options = { dataFolder: join(folder.path, 'data'), kubeconfigFile, port: 0, clock };
    const log: string[] = [];
    const start = () => startServer({ ...options, log: (line) => log.push(line) });
    await (await start()).stop();
    const { ca } = readTarget(kubeconfigFile);

    clock.leap(7 * YEAR_MS);
    const later = await start();
    const target = readTarget(kubeconfigFile);
    assertValid(await shown(target), clock.now());
    assert.ok(target.ca.includes(ca.trim()), 'the first authority is still trusted');
    await later.stop();
    clock.leap(-7 * YEAR_MS);
    const back = await start();
    const again = readTarget(kubeconfigFile);
    assertValid(await shown(again), clock.now());
    using client = connectClient(again);
    assert.equal((await client.send(`GET ${PATH}`)).status, 200);
    await back.stop();
    assert.deepEqual(
      log.filter((line) => line.startsWith('error:')),
      [],
    );
  });
});

describe('a clock that jumps', () => {
  for (const [title, ms] of [
    ['back by an hour', -3_600_000],
    ['back by a year', -YEAR_MS],
    ['back by forty years', -40 * YEAR_MS],
    ['forward by forty years and back', 40 * YEAR_MS],
  ] as const) {
    test(`${title} breaks nothing`, async () => {
      const clock = new LeapingClock();
      await using server = await startInProcess({ clock });
      const old = await oldClients(server);
      await stillThere(old, 'before');

      clock.leap(ms);
      await stillThere(old, 'meanwhile');
      assertValid(await shown(server.target), clock.now());
      clock.leap(-ms);
      await stillThere(old, 'after');

      assertValid(await shown(server.target), clock.now());
      using client = connectClient(readTarget(server.kubeconfigFile));
      const { items } = objectOf<{ items: { metadata: { name: string } }[] }>(
        await client.send(`GET ${PATH}`),
      );
      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['after', 'before', 'kube-root-ca.crt', 'meanwhile'],
      );
      for (const each of old) each.client.close();
    });
  }
});

test('watches without a timeout wait for whole seconds, so that their timers share lists', async () => {
  const clock = new LeapingClock();
  await using server = await startInProcess({ clock });
  using client = connectClient(server.target);
  for (let index = 0; index < 20; index++) {
    (await client.open(`GET ${PATH}?watch=true&resourceVersion=1`)).body.destroy();
  }

  const long = clock.asked.filter((ms) => ms >= 1_800_000);

  assert.ok(long.length >= 20, `${long.length} timers`);
  assert.deepEqual(
    long.filter((ms) => ms % 1_000 !== 0),
    [],
  );
});

/** Waits until all namespaces have the bundle that is wanted; returns it. */
async function toldToNamespaces(
  client: Client,
  isWanted: (bundle: string) => boolean,
): Promise<string> {
  for (;;) {
    const answer = await client.send('GET /api/v1/configmaps');
    const { items } = objectOf<{
      items: { metadata: { name: string }; data?: Record<string, string> }[];
    }>(answer);
    const roots = items.filter(({ metadata }) => metadata.name === 'kube-root-ca.crt');
    const bundles = roots.map(({ data }) => data?.['ca.crt'] ?? '');
    if (bundles.length > 3 && bundles.every(isWanted)) return bundles[0] ?? '';
    await delay(10);
  }
}
