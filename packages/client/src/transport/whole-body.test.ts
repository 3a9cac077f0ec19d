import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TransportError } from '../transport-error.ts';
import { unzip } from './whole-body.ts';

const LIMIT = 16 * 1024 * 1024;

describe('a compressed answer', () => {
  for (const [what, body] of [
    ['is empty', Buffer.alloc(0)],
    ['is small', Buffer.from('{"kind":"Status"}')],
    ['shrinks a lot', Buffer.alloc(5 * 1024 * 1024, '{"cells":["a"]},')],
    ['does not shrink', randomBytes(3 * 1024 * 1024)],
  ] as const) {
    test(`that ${what} is what it was`, async () => {
      assert.ok((await unzip(gzipSync(body), LIMIT, 'GET "/"')).equals(body));
    });
  }

  test('of several parts is whole, though its end tells the length of the last alone', async () => {
    const parts = [randomBytes(2 * 1024 * 1024), Buffer.from('end')];
    const zipped = Buffer.concat(parts.map((part) => gzipSync(part)));

    assert.ok((await unzip(zipped, LIMIT, 'GET "/"')).equals(Buffer.concat(parts)));
  });

  test('whose end lies about its length is refused, and costs no more than any other', async () => {
    for (const told of [0, 0xffffffff]) {
      const zipped = gzipSync(randomBytes(64 * 1024));
      zipped.writeUInt32LE(told, zipped.length - 4);
      await assert.rejects(
        async () => await unzip(zipped, LIMIT, 'GET "/"'),
        (error: unknown) => error instanceof TransportError && error.fault === 'malformed',
      );
    }
  });

  test('that grows beyond what its reader bears is refused', async () => {
    const zipped = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    await assert.rejects(
      async () => await unzip(zipped, 1024 * 1024, 'GET "/"'),
      (error: unknown) => error instanceof TransportError && error.fault === 'too-large',
    );
  });
});
