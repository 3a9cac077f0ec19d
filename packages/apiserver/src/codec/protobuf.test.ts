import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJson, ParseError } from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import type { StructType } from './go-type.ts';
import { decodeProtobuf, encodeProtobuf, openEnvelope } from './protobuf.ts';
import { writeMessage } from './protobuf-writer.ts';
import { randomValue, seeded } from './random-object.cases.ts';
import { typeTables } from './type-tables.ts';

const struct = (name: string) => typeTables().struct(name);
const kinds = [
  'core/v1.Pod',
  'core/v1.Secret',
  'core/v1.Service',
  'core/v1.Event',
  'core/v1.Node',
  'apps/v1.Deployment',
  'apps/v1.ControllerRevision',
  'authentication/v1.TokenReview',
  'coordination/v1.Lease',
  'resource/v1.ResourceSlice',
  'apiextensions/v1.CustomResourceDefinition',
  'meta/v1.DeleteOptions',
];

/** Protobuf cannot tell an empty list from none, so neither does the object that went through it. */
function withoutEmpty(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? null : value.map((item) => withoutEmpty(item));
  }
  if (typeof value !== 'object' || value === null || key === 'data' || key === 'default')
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutEmpty(member, name)]),
  );
}

function sample(type: StructType, random: () => number): Record<string, unknown> {
  return canonicalize(type, withoutEmpty(canonicalize(type, randomValue(type, random))));
}

test('what is written as protobuf is read back as the same object', () => {
  const random = seeded(11);
  for (const name of kinds) {
    const type = struct(name);
    for (let i = 0; i < 10; i += 1) {
      const object = sample(type, random);
      const again = decodeProtobuf(type, writeMessage(type, object));
      const { kind: _kind, apiVersion: _apiVersion, ...rest } = object;
      assert.equal(encodeJson(again), encodeJson(rest), name);
    }
  }
});

test('a body that kubectl would send is read field by field', () => {
  // ConfigMap {metadata: {name: "a"}, data: {k: "v"}}, written by hand from the published message definitions.
  const meta = [0x0a, 3, 0x0a, 1, 0x61];
  const data = [0x12, 6, 0x0a, 1, 0x6b, 0x12, 1, 0x76];
  const raw = [...meta.slice(0, 5), ...data];
  const typeMeta = [0x0a, 2, 0x76, 0x31, 0x12, 9, ...Buffer.from('ConfigMap')];
  const body = Buffer.from([
    0x6b,
    0x38,
    0x73,
    0,
    0x0a,
    typeMeta.length,
    ...typeMeta,
    0x12,
    raw.length,
    ...raw,
    0x1a,
    0,
    0x22,
    0,
  ]);
  const envelope = openEnvelope(body);
  assert.deepEqual([envelope.apiVersion, envelope.kind], ['v1', 'ConfigMap']);
  assert.deepEqual(decodeProtobuf(struct('core/v1.ConfigMap'), envelope.raw), {
    metadata: { name: 'a' },
    data: { k: 'v' },
  });
});

test('the envelope carries the type, the prefix and the object', () => {
  const type = struct('core/v1.ConfigMap');
  const body = encodeProtobuf(type, {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a' },
  });
  assert.equal(body.subarray(0, 4).toString('hex'), '6b387300');
  const { apiVersion, kind, raw } = openEnvelope(body);
  assert.deepEqual([apiVersion, kind], ['v1', 'ConfigMap']);
  assert.deepEqual(decodeProtobuf(type, raw), { metadata: { name: 'a' } });
});

test('numbers may come packed or not, and a repeated message is merged', () => {
  const sysctl = struct('core/v1.PodSecurityContext');
  const groups = sysctl.members().find(({ name }) => name === 'supplementalGroups')?.number ?? 0;
  const packed = Buffer.from([groups * 8 + 2, 3, 1, 0x80, 0x01]);
  const loose = Buffer.from([groups * 8, 1, groups * 8, 0x80, 0x01]);
  for (const bytes of [packed, loose]) {
    assert.deepEqual(decodeProtobuf(sysctl, bytes), { supplementalGroups: [1, 128] });
  }
  const twice = Buffer.from([0x0a, 3, 0x0a, 1, 0x61, 0x0a, 3, 0x1a, 1, 0x6e]);
  assert.deepEqual(decodeProtobuf(struct('core/v1.ConfigMap'), twice), {
    metadata: { name: 'a', namespace: 'n' },
  });
});

test('integers use all their 64 bits', () => {
  const type = struct('meta/v1.DeleteOptions');
  for (const gracePeriodSeconds of [
    0,
    -1,
    2 ** 31,
    9007199254740993n,
    9223372036854775807n,
    -9223372036854775808n,
  ]) {
    const bytes = writeMessage(type, { gracePeriodSeconds });
    assert.deepEqual(decodeProtobuf(type, bytes), { gracePeriodSeconds });
  }
});

test('field numbers of a later release are skipped', () => {
  const bytes = Buffer.from([
    0xf8, 0x7f, 1, 0xf9, 0x7f, 1, 2, 3, 4, 5, 6, 7, 8, 0xfa, 0x7f, 2, 9, 9, 0xfd, 0x7f, 1, 2, 3, 4,
    0x0a, 3, 0x0a, 1, 0x61,
  ]);
  assert.deepEqual(decodeProtobuf(struct('core/v1.ConfigMap'), bytes), { metadata: { name: 'a' } });
});

test('malformed messages are refused with a reason', () => {
  const configMap = struct('core/v1.ConfigMap');
  const cases: [number[], RegExp][] = [
    [[0x0a, 5, 0x0a], /^unexpected EOF$/],
    [[0x0a, 3, 0x0a, 9, 0x61], /^unexpected EOF$/],
    [[0x0a], /^unexpected EOF$/],
    [[0x08, 1], /^proto: wrong wireType = 0 for field ObjectMeta$/],
    [[0x0c], /^proto: ConfigMap: wiretype end group for non-group$/],
    [[0x7b, 1, 0x7c], /^proto: illegal wireType 3$/],
    [[0x02, 0], /^proto: ConfigMap: illegal tag 0 \(wire type 2\)$/],
    [[0x0a, ...Array(10).fill(0xff), 1], /^proto: integer overflow$/],
    [[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], /^proto: negative length/],
    [[0x0a, 3, 0x0a, 1, 0xff], /invalid UTF-8/],
  ];
  for (const [bytes, message] of cases) {
    assert.throws(() => decodeProtobuf(configMap, Buffer.from(bytes)), {
      name: 'GoDecodeError',
      message,
    });
  }
  assert.throws(() => openEnvelope(Buffer.from('{"kind":"Pod"}')), {
    message:
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
  });
  assert.throws(() => openEnvelope(Buffer.alloc(0)), { message: 'empty data' });
  assert.throws(() => openEnvelope(Buffer.from('k8s\0')), { message: 'empty body' });
});

test('nesting deeper than any real schema is refused', () => {
  const schema = struct('apiextensions/v1.JSONSchemaProps');
  const not = schema.members().find(({ name }) => name === 'not')?.number ?? 0;
  const tag = not * 8 + 2;
  let bytes = Buffer.alloc(0);
  for (let i = 0; i < 5000; i += 1) {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest >>>= 7) {
      length.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
      if (rest <= 0x7f) break;
    }
    bytes = Buffer.concat([Buffer.from([(tag & 0x7f) | 0x80, tag >>> 7, ...length]), bytes]);
  }
  assert.throws(() => decodeProtobuf(schema, bytes), { message: 'proto: exceeded max depth' });
});

test('mutated bodies are read or refused, and nothing else', () => {
  const random = seeded(23);
  const int = (below: number) => Math.floor(random() * below);
  for (const name of kinds) {
    const type = struct(name);
    const body = encodeProtobuf(type, { kind: 'X', apiVersion: 'v1', ...sample(type, random) });
    for (let i = 0; i < 100; i += 1) {
      let bytes = Buffer.from(body);
      for (let changes = 1 + int(4); changes > 0; changes -= 1) {
        const at = int(bytes.length);
        if (int(3) === 0)
          bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + int(4))]);
        else if (bytes.length > 0) bytes[at] = int(256);
      }
      try {
        encodeJson(decodeProtobuf(type, openEnvelope(bytes).raw));
      } catch (error) {
        assert.ok(error instanceof ParseError, String(error));
      }
    }
  }
});
