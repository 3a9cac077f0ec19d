import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import {
  ageOf,
  type CachedHub,
  dropCachedHubs,
  inventoryFolder,
  isFresh,
  mayStandIn,
  readCachedHub,
  writeCachedHub,
} from './inventory-cache.ts';
import type { ProfileRecord } from './profile-record.ts';

const root = mkdtempSync(join(tmpdir(), 'flotilla-mc-cache-'));
after(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const folder = () => join(root, String(++folders));

/** The one file of a cache. */
function fileIn(cache: string): string {
  const [name = ''] = readdirSync(inventoryFolder(cache));
  return join(inventoryFolder(cache), name);
}

const record: ProfileRecord = {
  namespace: 'n',
  name: 'a',
  manager: 'm',
  displayName: '',
  clusterName: 'a',
  labels: { x: '1' },
  properties: {},
  version: 'v1',
  health: 'healthy',
  offers: [
    { name: 'o', server: 'https://s', extensions: {} },
    { name: 'p', server: 'https://t', ca: 'authority é\n', extensions: {} },
  ],
};
const hub: CachedHub = { savedAt: 1_000, server: 'https://hub', profiles: [record] };

describe('the cache', () => {
  test('brings back what was kept, in a file for its owner alone', async () => {
    const cache = folder();
    await writeCachedHub(cache, 'key', { ...hub, clustersets: { n: 's' } });

    assert.deepEqual(readCachedHub(cache, 'key'), { ...hub, clustersets: { n: 's' } });
    const file = fileIn(cache);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(inventoryFolder(cache)).mode & 0o777, 0o700);
  });

  test('gives nobody what was kept for another, also where one file would do for both', async () => {
    const cache = folder();
    // These have the same crc32.
    await writeCachedHub(cache, 'plumless', hub);
    assert.equal(readCachedHub(cache, 'buckeroo'), undefined);
    await writeCachedHub(cache, 'buckeroo', { ...hub, savedAt: 2 });
    assert.equal(readCachedHub(cache, 'plumless'), undefined);
    assert.equal(readCachedHub(cache, 'buckeroo')?.savedAt, 2);
    assert.equal(readdirSync(inventoryFolder(cache)).length, 1);
  });

  test('has nothing of hubs it never saw, nor of files that are cut, edited or of another form', async () => {
    const cache = folder();
    assert.equal(readCachedHub(cache, 'key'), undefined);
    await writeCachedHub(cache, 'key', hub);
    const file = fileIn(cache);
    const whole = readFileSync(file, 'utf8');
    const [head = '', line = '', ...authorities] = whole.split('\n');
    const vouched = (form: number, rest: string): string => {
      const sum = crc32(rest).toString(16);
      return `${head.replace(/form \d+, crc32 .*/, `form ${form}, crc32 ${sum}`)}\n${rest}`;
    };
    const rest = whole.slice(head.length + 1);
    assert.equal(vouched(3, rest), whole, 'what the damaged ones are made of');
    const damaged = [
      '',
      '\n',
      '{}',
      'null',
      line,
      rest,
      head,
      `${head}\n`,
      whole.slice(0, -1),
      `${whole} `,
      whole.replace('https://hub', 'https://hxb'),
      whole.replace('authority', 'authorita'),
      [head, `${line} `, ...authorities].join('\n'),
      vouched(2, rest),
      vouched(4, rest),
    ];
    for (const text of damaged) {
      writeFileSync(file, text);
      assert.equal(readCachedHub(cache, 'key'), undefined, text.slice(0, 200));
    }
    await writeCachedHub(cache, 'key', hub);
    assert.deepEqual(readCachedHub(cache, 'key')?.profiles, hub.profiles);
  });

  test('keeps an authority once, however many clusters have it, and changes none', async () => {
    const cache = folder();
    const ca = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(1000)}\n`;
    const profiles = ['a', 'b', 'c'].map((name, at) => ({
      ...record,
      name,
      offers: [
        { name: 'o', server: 'https://s', ca: at === 1 ? `${ca}\u00e9` : ca, extensions: {} },
      ],
    }));
    await writeCachedHub(cache, 'key', { ...hub, profiles });

    const kept = readCachedHub(cache, 'key');
    assert.deepEqual(kept?.profiles, profiles);
    assert.ok(statSync(fileIn(cache)).size < 3000);
    // What was read is kept again when clustersets are asked for.
    await writeCachedHub(cache, 'key', { ...hub, profiles: kept?.profiles ?? [] });
    assert.deepEqual(readCachedHub(cache, 'key')?.profiles, profiles);
  });

  test('is whole whoever writes at once, and leaves no drafts', async () => {
    const cache = folder();
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => writeCachedHub(cache, 'key', { ...hub, savedAt: at })),
    );

    assert.equal(typeof readCachedHub(cache, 'key')?.savedAt, 'number');
    assert.equal(readdirSync(inventoryFolder(cache)).length, 1);
  });

  test('does not believe a file that others could have written', async () => {
    const cache = folder();
    await writeCachedHub(cache, 'key', hub);
    const file = fileIn(cache);
    chmodSync(file, 0o622);
    assert.equal(readCachedHub(cache, 'key'), undefined);
    renameSync(file, join(cache, 'elsewhere.json'));
    chmodSync(join(cache, 'elsewhere.json'), 0o600);
    symlinkSync(join(cache, 'elsewhere.json'), file);
    assert.equal(readCachedHub(cache, 'key'), undefined);
    await writeCachedHub(cache, 'key', hub);
    assert.notEqual(readCachedHub(cache, 'key'), undefined);
  });

  test('says when the disk does not take it', async () => {
    const cache = folder();
    mkdirSync(cache);
    writeFileSync(inventoryFolder(cache), 'in the way');

    await assert.rejects(writeCachedHub(cache, 'key', hub));
    assert.equal(readCachedHub(cache, 'key'), undefined);
  });

  test('is fresh for its time, stands in for a day, and believes no clock that was set back', () => {
    const hour = 3_600_000;

    assert.equal(isFresh(hub, 1_000, 300), true);
    assert.equal(isFresh(hub, 1_299, 300), true);
    assert.equal(isFresh(hub, 1_300, 300), false);
    assert.equal(isFresh(hub, 999, 300), false);
    assert.equal(ageOf(hub, 999), undefined);
    assert.equal(mayStandIn(hub, 999), true);
    assert.equal(mayStandIn(hub, 1_000 + 24 * hour), true);
    assert.equal(mayStandIn(hub, 1_001 + 24 * hour), false);
    assert.equal(mayStandIn({ ...hub, savedAt: 50 * hour }, 0), false);
  });

  test('forgets all, drafts of killed runs included, and nothing that is not its own', async () => {
    const cache = folder();
    assert.equal(await dropCachedHubs(cache), 0);
    await writeCachedHub(cache, 'a', hub);
    await writeCachedHub(cache, 'b', hub);
    writeFileSync(join(inventoryFolder(cache), 'a.json.0123456789ab.tmp'), 'half');
    writeFileSync(join(inventoryFolder(cache), 'notes.txt'), 'mine');

    assert.equal(await dropCachedHubs(cache), 2);
    assert.deepEqual(readdirSync(inventoryFolder(cache)), ['notes.txt']);
  });
});
