import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { derOf } from './certificates.ts';
import { clientCertificates } from './client-certificates.ts';
import { type CertificateKeeper, keepCertificates, type PkiStorage, pkiFile } from './keeper.ts';
import { ManualClock } from './manual-clock.ts';
import type { StoredPki } from './renewal.ts';

const DAY = 24 * 60 * 60_000;
const START = '2026-03-01T12:00:00Z';

describe('keepCertificates', () => {
  test('makes an authority and a serving certificate on first use, and finds them again', () => {
    const { keeper, storage, clock } = newKeeper();
    const again = keepCertificates({
      tenant: 'root',
      storage,
      clock,
      extraHosts: ['hub.local'],
      report: fail,
    });

    assert.equal(again.bundle(), keeper.bundle());
    assert.equal(again.serving().certificate, keeper.serving().certificate);
    assert.ok(serves(keeper, clock.now()));
    assert.equal(
      new X509Certificate(keeper.serving().certificate).checkHost('hub.local'),
      'hub.local',
    );
  });

  test('renews the serving certificate at two thirds of its year', () => {
    const { keeper, clock, changes } = newKeeper();
    const first = keeper.serving().certificate;

    clock.advance(240 * DAY);
    const after240 = keeper.serving().certificate;
    clock.advance(5 * DAY);

    assert.equal(after240, first);
    assert.notEqual(keeper.serving().certificate, first);
    assert.equal(changes.count, 1);
    assert.equal(authorities(keeper).length, 1);
  });

  test('serves for thirty years without a restart, and trusts two authorities during each overlap', () => {
    const { keeper, clock } = newKeeper();
    const counts = new Set<number>();
    for (let month = 0; month < 30 * 12; month += 1) {
      leap(keeper, clock, 30 * DAY);
      assert.ok(serves(keeper, clock.now()), `month ${month}`);
      counts.add(authorities(keeper).length);
    }

    assert.deepEqual(
      [...counts].sort((a, b) => a - b),
      [1, 2],
    );
  });

  test('publishes a new authority more than a year before it signs', () => {
    const { keeper, clock } = newKeeper();
    const [old] = authorities(keeper);
    let published: number | undefined;
    let signs: number | undefined;
    for (let day = 0; day < 3600; day += 10) {
      leap(keeper, clock, 10 * DAY);
      if (authorities(keeper).length === 2) published ??= day;
      if (keeper.serving().signer !== old) signs ??= day;
    }

    assert.ok(published !== undefined && signs !== undefined);
    assert.ok(signs - published > 400, `published on day ${published}, signs from day ${signs}`);
  });

  test('a client certificate of the old authority holds until the old authority ends', () => {
    const { keeper, clock } = newKeeper();
    leap(keeper, clock, 7.5 * 365 * DAY);
    const { certificate } = keeper.issueClient({ user: 'u', groups: [], lifetimeMs: 900 * DAY });
    const verifier = clientCertificates(keeper.bundle);
    const peer = { address: '', certificate: derOf(certificate) };

    leap(keeper, clock, 1.5 * 365 * DAY);

    assert.equal(authorities(keeper).length, 2);
    assert.equal(verifier.verify(peer, clock.now())?.name, 'u');
  });

  test('a clock set back by an hour changes no authority, and the certificate stays valid', () => {
    const { keeper, clock } = newKeeper();
    const before = keeper.bundle();

    clock.set(new Date(Date.parse(START) - 60 * 60_000));
    keeper.check();

    assert.equal(keeper.bundle(), before);
    assert.ok(serves(keeper, clock.now()));
  });

  test('a clock set back by years is survived, and the first authority signs again afterwards', () => {
    const { keeper, clock } = newKeeper();
    const [first] = authorities(keeper);

    clock.set('2020-01-01T00:00:00Z');
    keeper.check();
    keeper.check();
    assert.ok(serves(keeper, clock.now()));
    assert.equal(authorities(keeper).length, 2);

    clock.set('2026-03-02T12:00:00Z');
    keeper.check();
    assert.ok(serves(keeper, clock.now()));
    assert.equal(keeper.serving().signer, first);
    assert.ok(authorities(keeper).includes(first!));
  });

  test('a clock that leaps thirty years and comes back leaves the first authority in place', () => {
    const { keeper, clock } = newKeeper();
    const [first] = authorities(keeper);

    clock.set('2056-01-01T00:00:00Z');
    keeper.check();
    assert.ok(serves(keeper, clock.now()));
    clock.set('2026-04-01T00:00:00Z');
    keeper.check();

    assert.ok(serves(keeper, clock.now()));
    assert.equal(keeper.serving().signer, first);
  });

  test('a new host gives a new certificate at once', () => {
    const { keeper, changes } = newKeeper();

    keeper.setExtraHosts(['hub.local', '192.0.2.9']);
    keeper.setExtraHosts(['192.0.2.9', 'hub.local']);

    assert.equal(
      new X509Certificate(keeper.serving().certificate).checkIP('192.0.2.9'),
      '192.0.2.9',
    );
    assert.equal(changes.count, 1);
  });

  test('an authority that cannot be saved signs nothing; a serving certificate is used all the same', () => {
    const { keeper, clock, storage, reported } = newKeeper();
    const [first] = authorities(keeper);
    leap(keeper, clock, 6.6 * 365 * DAY);
    storage.broken = true;

    leap(keeper, clock, 260 * DAY);
    assert.deepEqual(authorities(keeper), [first]);
    assert.ok(serves(keeper, clock.now()));
    assert.ok(reported.length > 0);

    storage.broken = false;
    clock.advance(DAY);
    assert.equal(authorities(keeper).length, 2);
  });

  test('stops when disposed', () => {
    const { keeper, clock } = newKeeper();

    keeper[Symbol.dispose]();

    assert.equal(clock.pending, 0);
  });
});

describe('pkiFile', () => {
  test('keeps the certificates in a file only its owner can read', (t) => {
    const folder = scratch(t);
    const clock = new ManualClock(START);
    const open = () =>
      keepCertificates({ tenant: 'root', storage: pkiFile(folder), clock, report: fail });
    const first = open();
    const second = open();

    assert.equal(second.bundle(), first.bundle());
    assert.equal(second.serving().key, first.serving().key);
    assert.equal(statSync(join(folder, 'pki.json')).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['pki.json']);
  });

  test('a damaged file and a newer format are refused, not overwritten', (t) => {
    const folder = scratch(t);
    const path = join(folder, 'pki.json');
    for (const [content, message] of [
      ['{"format": 1, "auth', /it is damaged/],
      ['{"format": 2, "authorities": []}', /format 2 is not known here/],
    ] as const) {
      writeFileSync(path, content);
      assert.throws(() => pkiFile(folder).load(), message);
      assert.equal(readFileSync(path, 'utf8'), content);
    }
  });

  test('a folder that cannot be made is a clear error', (t) => {
    const blocked = join(scratch(t), 'file');
    writeFileSync(blocked, '');

    assert.throws(
      () => pkiFile(join(blocked, 'pki')).save({ authorities: [], serving: undefined }),
      /^Error: Cannot write ".*pki.json": a file is where its folder belongs$/,
    );
  });
});

function newKeeper() {
  const clock = new ManualClock(START);
  const reported: unknown[] = [];
  const changes = { count: 0 };
  const storage = memoryStorage();
  const keeper = keepCertificates({
    tenant: 'root',
    storage,
    clock,
    extraHosts: ['hub.local'],
    report: (error) => reported.push(error),
  });
  keeper.onChange(() => {
    changes.count += 1;
  });
  return { keeper, clock, storage, reported, changes };
}

/** Time passes without the hourly checks of a long wait, which one test is enough for. */
function leap(keeper: CertificateKeeper, clock: ManualClock, ms: number): void {
  clock.set(new Date(clock.now().getTime() + ms));
  keeper.check();
}

function memoryStorage(): PkiStorage & { broken: boolean } {
  let kept: StoredPki | undefined;
  const storage = {
    broken: false,
    load: () => kept,
    save: (pki: StoredPki) => {
      if (storage.broken) throw new Error('the disk is full');
      kept = structuredClone(pki);
    },
  };
  return storage;
}

function authorities(keeper: CertificateKeeper): string[] {
  return keeper.bundle().match(/-----BEGIN[\s\S]*?END CERTIFICATE-----\n/g) ?? [];
}

/** What a client does: find a valid issuer in the bundle, and check name, dates and signature. */
function serves(keeper: CertificateKeeper, now: Date): boolean {
  const leaf = new X509Certificate(keeper.serving().certificate);
  const valid = (x509: X509Certificate): boolean =>
    Date.parse(x509.validFrom) <= now.getTime() && now.getTime() <= Date.parse(x509.validTo);
  return (
    valid(leaf) &&
    leaf.checkHost('localhost') === 'localhost' &&
    authorities(keeper)
      .map((pem) => new X509Certificate(pem))
      .some((ca) => valid(ca) && leaf.checkIssued(ca) && leaf.verify(ca.publicKey))
  );
}

function scratch(t: { after: (fn: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-pki-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function fail(error: unknown): void {
  throw error;
}
