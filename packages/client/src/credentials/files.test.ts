import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { certificateFilesCredential } from './certificate-files.ts';
import { combineCredentials } from './combine-credentials.ts';
import { staticCredential } from './static-credential.ts';
import { CERT, KEY, RENEWED_CERT, RENEWED_KEY } from './testing/certificates.ts';
import { tokenFileCredential } from './token-file.ts';

/** A disk that a test writes to, and how often it was read. */
function disk(files: Record<string, string>) {
  const reads: string[] = [];
  const readFile = async (path: string) => {
    reads.push(path);
    const content = files[path];
    if (content === undefined) throw Object.assign(new Error('gone'), { code: 'ENOENT' });
    return Buffer.from(content);
  };
  return { files, reads, readFile, clock: new ManualClock() };
}

test('a token is read again after 50 s, and trimmed', async () => {
  const { files, reads, readFile, clock } = disk({ t: ' one\n' });
  const credential = tokenFileCredential({ path: 't', readFile, clock });
  assert.deepEqual(await credential.present(), { authorization: 'Bearer one' });
  files['t'] = 'two';
  await clock.advance(49_999);
  assert.deepEqual(await credential.present(), { authorization: 'Bearer one' });
  assert.equal(reads.length, 1);
  await clock.advance(1);
  assert.deepEqual(await credential.present(), { authorization: 'Bearer two' });
});

test('a refused token is looked up at once, and tried again only if it changed', async () => {
  const { files, readFile, clock } = disk({ t: 'one' });
  const credential = tokenFileCredential({ path: 't', readFile, clock });
  const first = await credential.present();

  assert.equal(await credential.refused(first), false);
  files['t'] = 'two';
  assert.equal(await credential.refused(first), true);
  assert.deepEqual(await credential.present(), { authorization: 'Bearer two' });
});

test('a file that disappears leaves the last token in use; one that never was is an error', async () => {
  const { files, readFile, clock } = disk({ t: 'one' });
  const credential = tokenFileCredential({ path: 't', readFile, clock });
  await credential.present();
  delete files['t'];
  await clock.advance(60_000);

  assert.deepEqual(await credential.present(), { authorization: 'Bearer one' });
  await assert.rejects(tokenFileCredential({ path: 'u', readFile, clock }).present(), {
    message: 'failed to read token file "u": open u: no such file or directory',
  });
  files['u'] = ' \n';
  await assert.rejects(tokenFileCredential({ path: 'u', readFile, clock }).present(), {
    message: 'read empty token from file "u"',
  });
});

test('a token beside the file counts only while the file cannot be read', async () => {
  const { readFile, clock } = disk({ t: 'file' });

  const both = tokenFileCredential({ path: 't', readFile, clock, token: 'inline' });
  assert.deepEqual(await both.present(), { authorization: 'Bearer file' });
  const unreadable = tokenFileCredential({ path: 'u', readFile, clock, token: 'inline' });
  assert.deepEqual(await unreadable.present(), { authorization: 'Bearer inline' });
});

test('a certificate is read again after a second', async () => {
  const { files, reads, readFile, clock } = disk({ c: CERT, k: KEY });
  const credential = certificateFilesCredential({ cert: 'c', key: 'k', readFile, clock });
  const first = await credential.present();
  assert.deepEqual(first, { certificate: { cert: CERT, key: KEY } });
  await credential.present();
  assert.equal(reads.length, 2);

  Object.assign(files, { c: RENEWED_CERT, k: RENEWED_KEY });
  await clock.advance(1000);
  assert.equal(await credential.refused(first), true);
  const renewed = { certificate: { cert: RENEWED_CERT, key: RENEWED_KEY } };
  assert.deepEqual(await credential.present(), renewed);
});

test('a certificate and a token are presented together', async () => {
  const { readFile, clock } = disk({ t: 'one' });
  const credential = combineCredentials([
    staticCredential({ certificate: { cert: CERT, key: KEY } }),
    tokenFileCredential({ path: 't', readFile, clock }),
  ]);

  const presented = await credential.present();
  assert.deepEqual(presented, {
    certificate: { cert: CERT, key: KEY },
    authorization: 'Bearer one',
  });
  assert.equal(await credential.refused(presented), false);
});
