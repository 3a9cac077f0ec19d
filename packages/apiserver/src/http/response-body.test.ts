import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pieces, wantsGzip } from './response-body.ts';

const KB = 1024;

describe('pieces', () => {
  test('joins small parts, cuts large ones without copying, and loses nothing', () => {
    const parts = [
      ...Array.from({ length: 5000 }, (_, i) => Buffer.alloc(300, i)),
      Buffer.alloc(1700 * KB, 1),
      Buffer.from('tail'),
    ];
    const out = [...pieces(parts)];

    assert.ok(Buffer.concat(out).equals(Buffer.concat(parts)));
    assert.ok(out.length < 12, `${out.length} pieces`);
    assert.ok(out.every((piece) => piece.length <= 513 * KB));
    const large = parts[5000]!;
    assert.ok(out.some((piece) => piece.buffer === large.buffer && piece.length === 512 * KB));
  });

  test('an empty body has no pieces', () => {
    assert.deepEqual([...pieces([])], []);
    assert.deepEqual([...pieces(Buffer.alloc(0))], []);
  });
});

describe('wantsGzip', () => {
  const answer = { status: 200, headers: {}, body: Buffer.alloc(0) };

  test('only above 128 KB, when asked for, and never twice', () => {
    assert.equal(wantsGzip('gzip', answer, 128 * KB + 1), true);
    assert.equal(wantsGzip('deflate, gzip', answer, 128 * KB + 1), true);
    assert.equal(wantsGzip('gzip', answer, 128 * KB), false);
    assert.equal(wantsGzip(undefined, answer, 1e6), false);
    assert.equal(wantsGzip('br', answer, 1e6), false);
    assert.equal(
      wantsGzip('gzip', { ...answer, headers: { 'content-encoding': 'gzip' } }, 1e6),
      false,
    );
  });
});
