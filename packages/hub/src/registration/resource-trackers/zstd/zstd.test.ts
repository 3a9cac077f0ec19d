import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as zlib from 'node:zlib';
import { type Seeded, seeded } from '@flotilla/machinery/testing';
import { decompress } from 'fzstd';
import { bitWriter } from './bit-writer.ts';
import { decodeZstd } from './decode-zstd.ts';
import { encodeZstd } from './encode-zstd.ts';
import { literalLengthCode, matchLengthCode, offsetCode } from './sequence-codes.ts';

const MOST = 8 * 1024 * 1024;

/** What zstd's own command made of the text, with and without checksum and size. */
const fromZstd = [
  'KLUv/WRVAN0EAEKJHBxwRW0Dlg5WrZOKbH99LGk2dugB4vCNkiZAVRwCifaziwutCcoVyDDJ/WspHVrOClmnQgZdxDCXQYYHWaon5QiuH+Y1XVZreiXrI5nfzy42yG0k8vJUqL8zTRWwiZPw8qNo8fsAINDM+HJd1CsPiPEJIg4AHFtgYIvrWC7IzHCLYvdlXfBhmsPErBOAEEVVXEadqmkJQjahivBMtA==',
  'KLUv/WBVAN0EAEKJHBxwRW0Dlg5WrZOKbH99LGk2dugB4vCNkiZAVRwCifaziwutCcoVyDDJ/WspHVrOClmnQgZdxDCXQYYHWaon5QiuH+Y1XVZreiXrI5nfzy42yG0k8vJUqL8zTRWwiZPw8qNo8fsAINDM+HJd1CsPiPEJIg4AHFtgYIvrWC7IzHCLYvdlXfBhmsPErBOAEEVVXEadqmkJQjah',
  'KLUv/QRY3QQAkkofHHA3bQMkhg3bDUJLo0UsaWZoUWd3z2MwpwlQFYcB7SUpPrRGwAuY4gxPlNevnWMsnlH2UmQQm0ynKnKGz86SregMf6T6pV570aubGCXyey+lvYxDfi9J8fFKklehx/GKcn/vVVSQDqvh+LJm4PcCwWAx5/GbzFKaMJxnAAEJABxbYGCL61guvMzMED5McxjCZlOMEg0hm1CK8Ey0',
].map((text) => Buffer.from(text, 'base64'));

/** Everyone who can read zstd here. Node's own came with 22.15. */
const readers: ((input: Uint8Array) => Uint8Array)[] = [
  (input) => decompress(input),
  (input) => decodeZstd(input, MOST),
];
const { zstdDecompressSync } = zlib as {
  zstdDecompressSync?: (input: Uint8Array) => Uint8Array;
};
if (zstdDecompressSync !== undefined) readers.push(zstdDecompressSync);

function assertReadable(input: Uint8Array): Uint8Array {
  const encoded = encodeZstd(input);
  for (const read of readers) assert.ok(Buffer.from(read(encoded)).equals(input));
  return encoded;
}

/** Bytes of which many were there before, near and far, in short and in very long pieces. */
function patchwork({ below }: Seeded, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const isCopy = at > 0 && below(2) === 0;
    const distance = 1 + below(at);
    const end = Math.min(length, at + 1 + below(below(10) === 0 ? 70_000 : 50));
    for (; at < end; at++) bytes[at] = isCopy ? (bytes[at - distance] ?? 0) : below(256);
  }
  return bytes;
}

describe('encodeZstd', () => {
  test('writes what every reader of zstd reads, however small or large it is', () => {
    for (const text of ['', 'a', 'hello', 'hello hello hello hello', 'x'.repeat(300_000)]) {
      assertReadable(Buffer.from(text));
    }
    // One less, as many as, and one more than a block holds.
    for (const length of [131_071, 131_072, 131_073, 262_144]) {
      assertReadable(patchwork(seeded(length), length));
    }
  });

  test('writes what every reader of zstd reads, whatever repeats in it', () => {
    const random = seeded(20);
    for (let round = 0; round < 40; round++) {
      assertReadable(patchwork(random, random.below(200_000)));
    }
  });

  test('shrinks lists of resources to a quarter at least, and never lets anything grow', () => {
    const { below } = seeded(7);
    const list = Array.from({ length: 2000 }, (_, index) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: `web-${index}`,
      namespace: 'prod',
      cluster: `member-${index % 7}`,
      uid: below(2 ** 32).toString(16),
    }));
    const json = Buffer.from(JSON.stringify(list));
    const noise = Uint8Array.from({ length: 200_000 }, () => below(256));

    assert.ok(assertReadable(json).length * 4 < json.length);
    assert.ok(assertReadable(noise).length < noise.length + 32);
  });
});

describe('the codes of sequences', () => {
  test('cover every number without a gap', () => {
    for (const [code, first, last] of [
      [literalLengthCode, 0, 131_071],
      [matchLengthCode, 3, 131_074],
      [offsetCode, 1, 300_000],
    ] as const) {
      let before = code(first);
      for (let value = first + 1; value <= last; value++) {
        const now = code(value);
        if (now.code === before.code) assert.equal(now.extra, before.extra + 1);
        else {
          assert.deepEqual([now.code, now.extra], [before.code + 1, 0], `${value}`);
        }
        assert.ok(now.extra < 2 ** now.bits);
        before = now;
      }
    }
  });

  test('end where zstd ends', () => {
    assert.deepEqual(literalLengthCode(65_536), { code: 35, extra: 0, bits: 16 });
    assert.deepEqual(matchLengthCode(65_539), { code: 52, extra: 0, bits: 16 });
    assert.deepEqual(offsetCode(1), { code: 2, extra: 0, bits: 2 });
  });
});

describe('bitWriter', () => {
  test('puts low bits first and marks the end', () => {
    const out = bitWriter();
    out.add(0b101, 3);
    out.add(0xffff_ffff, 32);
    out.add(0, 0);

    assert.deepEqual([...out.finish()], [0b1111_1101, 0xff, 0xff, 0xff, 0b0000_1111]);
  });
});

describe('decodeZstd', () => {
  test('reads what others wrote', () => {
    for (const bytes of fromZstd) {
      const [first, second, third] = JSON.parse(Buffer.from(decodeZstd(bytes, MOST)).toString());

      assert.deepEqual([first.cluster, second.cluster, third.kind], ['west', 'east', 'Namespace']);
    }
  });

  test('reads several frames, and steps over those that hold nothing', () => {
    const skippable = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const two = Buffer.concat([
      encodeZstd(Buffer.from('one,')),
      skippable,
      encodeZstd(Buffer.from('two')),
    ]);

    assert.equal(Buffer.from(decodeZstd(two, MOST)).toString(), 'one,two');
  });

  test('refuses what is not zstd, or not whole', () => {
    const whole = encodeZstd(Buffer.from('hello hello hello hello'));
    for (let length = 1; length < whole.length; length++) {
      assert.throws(() => decodeZstd(whole.subarray(0, length), MOST), /cut short/);
    }
    assert.throws(() => decodeZstd(Buffer.from('{"not":"zstd"}'), MOST), /no zstd/);
  });

  test('refuses what would be too large before it makes room for it', () => {
    const large = encodeZstd(new Uint8Array(MOST + 1));

    assert.ok(large.length < 2000);
    assert.throws(() => decodeZstd(large, MOST), /larger than/);
    // A window of 3.75 TB, and a size of 2^63.
    const window = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00];
    const size = [0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x00, 0x00];
    for (const bytes of [window, size]) {
      assert.throws(() => decodeZstd(Uint8Array.from(bytes), MOST), /larger than/);
    }
  });

  test('refuses what would take long rather than be large', () => {
    // A window of 8 MB, which would be moved for each of 300,000 empty blocks.
    const empty = Buffer.alloc(900_000);
    empty[empty.length - 3] = 1;
    const header = Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68]);
    assert.throws(() => decodeZstd(Buffer.concat([header, empty]), MOST), /larger than/);

    // A size of one byte, and a megabyte of repetitions.
    const repetition = Buffer.from([0x02, 0x00, 0x10, 0x61]);
    const liar = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x01];
    const blocks = Array.from({ length: 5000 }, () => repetition);
    const end = Uint8Array.from([0x01, 0x00, 0x00]);
    assert.throws(() => decodeZstd(Buffer.concat([Uint8Array.from(liar), ...blocks, end]), MOST));
  });
});
