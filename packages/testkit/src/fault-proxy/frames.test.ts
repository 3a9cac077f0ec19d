import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { areBodyChunks, frameSplitter, isBodyFrame, isWholeRequest } from './frames.ts';

describe('frames', () => {
  test('are cut out of a stream wherever its pieces end', () => {
    const frames = [frame(4, 0, ''), frame(0, 0, 'event'), frame(0, 1, 'last')];
    const bytes = Buffer.concat(frames);
    for (const size of [1, 7, 10, bytes.length]) {
      const split = frameSplitter();
      const found: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        found.push(...split(bytes.subarray(at, at + size)));
      }

      assert.deepEqual(found.map(String), frames.map(String));
    }
  });

  test('may come twice when they are part of a body and not its end', () => {
    assert.equal(isBodyFrame(frame(0, 0, 'event')), true);
    assert.equal(isBodyFrame(frame(0, 1, 'last')), false);
    assert.equal(isBodyFrame(frame(1, 0, 'headers')), false);
    assert.equal(isBodyFrame(frame(0, 0, '')), false);
  });
});

describe('HTTP/1.1', () => {
  test('chunks may come twice when they are whole and not the last', () => {
    assert.equal(areBodyChunks(Buffer.from('5\r\nevent\r\n')), true);
    assert.equal(areBodyChunks(Buffer.from('5\r\nevent\r\na\r\n0123456789\r\n')), true);
    assert.equal(areBodyChunks(Buffer.from('5\r\neve')), false);
    assert.equal(areBodyChunks(Buffer.from('5\r\nevent\r\n0\r\n\r\n')), false);
    assert.equal(areBodyChunks(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')), false);
  });

  test('requests may come twice when they are whole', () => {
    const get = 'GET /api HTTP/1.1\r\nhost: x\r\n\r\n';
    const post = 'POST /api HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{}';
    assert.equal(isWholeRequest(Buffer.from(get)), true);
    assert.equal(isWholeRequest(Buffer.from(post)), true);
    assert.equal(isWholeRequest(Buffer.from(post.slice(0, -1))), false);
    assert.equal(isWholeRequest(Buffer.from(get.slice(0, -2))), false);
    assert.equal(isWholeRequest(Buffer.from(get + get)), false);
  });
});

function frame(type: number, flags: number, payload: string): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(1, 5);
  return Buffer.concat([header, Buffer.from(payload)]);
}
