import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { type Clock, systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { silentLogger } from '../observer.ts';
import { createCertificateFiles } from './certificate-files.ts';
import { planCertificates } from './certificate-plan.ts';
import type { CertificatePair } from './certificates.ts';
import { startWebhookServer } from './webhook-server.ts';

const DAY_MS = 86_400_000;
const [one, two] = [newPair(), newPair()];
const never = new AbortController().signal;

describe('certificates in files', () => {
  test('are served with, and taken over when a mounted Secret changes', async () => {
    await using mount = await mounted(one);
    const clock = manual();
    const files = keeperOf({ ...mount, clock });
    await files.prepare(never);
    const ending = new AbortController();
    const running = files.run(ending.signal);
    await using server = await startWebhookServer({
      webhooks: [],
      certificates: files,
      clock: systemClock,
      logger: silentLogger,
      port: 0,
      host: '127.0.0.1',
    });
    assert.equal(await servedBy(server.port), fingerprint(one));

    await mount.swap(two);
    const told = new Promise<CertificatePair>((resolve) => files.subscribe(resolve));
    await clock.advance(10_000);

    assert.equal((await told).certificate, two.certificate);
    assert.equal(await servedBy(server.port), fingerprint(two));
    ending.abort();
    await running;
    assert.equal(clock.waiting, 0);
  });

  test('that change between two reads are read again, and never mixed', async () => {
    let reads = 0;
    const contents = [one.certificate, two.key, two.certificate, two.key];
    const files = keeperOf({
      readFile: () => Promise.resolve(Buffer.from(contents[reads++] ?? '')),
    });

    await files.prepare(never);

    assert.deepEqual(files.current(), two);
    assert.equal(reads, 4);
  });

  test('that are the same as before are told to nobody', async () => {
    const files = keeperOf({ readFile: reading(() => one) });
    await files.prepare(never);
    let told = 0;
    using _ = files.subscribe(() => told++);

    await files.look(never);

    assert.equal(told, 0);
  });

  const broken: [string, CertificatePair, RegExp][] = [
    ['a key of another certificate', { ...one, key: two.key }, /"\/k" belongs to another certif/],
    ['half a certificate', { ...one, certificate: one.certificate.slice(0, 90) }, /"\/c": it does/],
    ['half a key', { ...one, key: one.key.slice(0, 90) }, /"\/k": it is no private key/],
    ['nothing', { certificate: '', key: '' }, /"\/c": it does not begin with a certificate/],
    [
      'an encrypted key',
      {
        ...one,
        key: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n',
      },
      /"\/k": it is no private key, or one with a passphrase/,
    ],
  ];
  for (const [what, pair, message] of broken) {
    test(`such as ${what} keep the server from starting, and what is served in use`, async () => {
      await assert.rejects(keeperOf({ readFile: reading(() => pair) }).prepare(never), message);

      let now = one;
      const complaints: string[] = [];
      const clock = manual();
      const files = keeperOf({ readFile: reading(() => now), clock, complaints });
      await files.prepare(never);
      const ending = new AbortController();
      const running = files.run(ending.signal);
      now = pair;
      await clock.advance(10_000);
      assert.deepEqual(files.current(), one);
      assert.equal(complaints.length, 1);
      assert.match(complaints[0] ?? '', message);
      for (const line of pair.key.split('\n').filter((each) => /^[\w+/=]{20}/.test(each))) {
        assert.ok(!complaints.join('\n').includes(line), 'part of a key is in the log');
      }
      now = two;
      await clock.advance(10_000);
      assert.deepEqual(files.current(), two);
      ending.abort();
      await running;
    });
  }

  test('that are missing are named, with what the system says', async () => {
    const files = keeperOf({ readFile, folder: '/nonexistent' });

    await assert.rejects(files.prepare(never), (error: Error) => {
      assert.equal(error.message, 'Cannot serve webhooks with "/nonexistent/c": it cannot be read');
      assert.match(String(error.cause), /ENOENT/);
      return true;
    });
    assert.throws(files.current, /there is no certificate yet/);
    assert.throws(() => void files.checks[0]?.check(never), /There is no certificate yet/);
  });

  test('that have ended are not ready', async () => {
    const clock = manual();
    const files = keeperOf({ readFile: reading(() => one), clock });
    await files.prepare(never);
    await files.checks[0]?.check(never);

    clock.jump(400 * DAY_MS);

    assert.throws(() => void files.checks[0]?.check(never), /The certificate ended at/);
  });
});

function newPair(): CertificatePair {
  const policy = {
    hosts: ['localhost'],
    authorityLifeMs: 365 * DAY_MS,
    servingLifeMs: 90 * DAY_MS,
  };
  const { serving } = planCertificates(undefined, policy, { now: Date.now(), isTrusted: false });
  return serving;
}

function manual(): ManualClock {
  const clock = new ManualClock();
  clock.jump(Date.now() - clock.now());
  return clock;
}

function reading(current: () => CertificatePair) {
  return (path: string): Promise<Uint8Array> =>
    Promise.resolve(Buffer.from(path.endsWith('c') ? current().certificate : current().key));
}

function keeperOf(options: {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly folder?: string;
  readonly clock?: Clock;
  readonly complaints?: string[];
}) {
  const { folder = '', complaints = [] } = options;
  return createCertificateFiles({
    certificateFile: `${folder}/c`,
    keyFile: `${folder}/k`,
    readFile: options.readFile,
    clock: options.clock ?? manual(),
    logger: {
      ...silentLogger,
      warn: (_message, fields = {}) => complaints.push(String(fields['err'])),
    },
  });
}

/** A Secret as the kubelet mounts it: files are links into a folder behind a link that is replaced at once. */
async function mounted(pair: CertificatePair) {
  const folder = await mkdtemp(join(tmpdir(), 'flotilla-certificates-'));
  let turn = 0;
  const swap = async ({ certificate, key }: CertificatePair): Promise<void> => {
    const data = `..data-${turn++}`;
    await mkdir(join(folder, data));
    await writeFile(join(folder, data, 'c'), certificate);
    await writeFile(join(folder, data, 'k'), key);
    await symlink(data, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  await swap(pair);
  for (const name of ['c', 'k']) await symlink(join('..data', name), join(folder, name));
  return {
    folder,
    readFile,
    swap,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

function servedBy(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function fingerprint({ certificate }: CertificatePair): string {
  return new X509Certificate(certificate).fingerprint256;
}
