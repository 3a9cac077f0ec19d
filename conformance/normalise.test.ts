import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNormaliser, parseLossless } from './normalise.ts';

const now = Date.parse('2026-05-05T12:00:00Z');

test('identities and fresh times become symbols, written times stay', () => {
  const { value } = createNormaliser({ now });
  assert.deepEqual(
    value({
      metadata: {
        uid: '0b1f6f6e-6a3e-4d64-9a50-0e6a3b1f9a10',
        creationTimestamp: '2026-05-05T12:00:01Z',
      },
      renewTime: '2020-01-01T00:00:00.123456Z',
      expirationTimestamp: '2026-05-05T13:00:02Z',
    }),
    {
      metadata: { uid: '<uid>', creationTimestamp: '<time>' },
      renewTime: '2020-01-01T00:00:00.123456Z',
      expirationTimestamp: '<time 60m>',
    },
  );
});

test('what a server made when it began is as fresh as what a case made, however slow the run', () => {
  const { value } = createNormaliser({ now });
  assert.deepEqual(
    ['11:58:30', '11:30:00', '10:00:00'].map((time) => value(`2026-05-05T${time}Z`)),
    ['<time>', '<time>', '<time -120m>'],
  );
});

test('managers lose their times and the order these give them; fields named by uids lose them', () => {
  const { value } = createNormaliser({ now });
  const entry = (manager: string, time: string, fieldsV1: object) => ({ manager, time, fieldsV1 });
  const uid = '0b1f6f6e-6a3e-4d64-9a50-0e6a3b1f9a10';
  assert.deepEqual(
    value({
      managedFields: [
        entry('b', '2026-05-05T12:00:01Z', {}),
        entry('a', '2026-05-05T12:00:02Z', { [`k:{"uid":"${uid}"}`]: { '.': {} } }),
      ],
    }),
    {
      managedFields: [
        entry('a', '<time>', { 'k:{"uid":"<uid>"}': { '.': {} } }),
        entry('b', '<time>', {}),
      ],
    },
  );
});

test('revisions are numbered per object, so that a change stays visible', () => {
  const { value } = createNormaliser({ now });
  const at = (resourceVersion: string) => value({ metadata: { uid: 'u', resourceVersion } });
  assert.deepEqual(
    [at('17'), at('17'), at('23')],
    [1, 1, 2].map((number) => ({ metadata: { uid: 'u', resourceVersion: `<rv ${number}>` } })),
  );
});

test('generated names lose their suffix, also inside messages', () => {
  const { value, generated } = createNormaliser({ now });
  generated('made-');
  assert.equal(value('configmaps "made-x7k2q" not found'), 'configmaps "made-<suffix>" not found');
  assert.equal(value('made-easy'), 'made-easy');
});

test('a uid that contains the beginning of a generated name is a uid', () => {
  const { value, generated } = createNormaliser({ now });
  generated('d-');
  assert.equal(value('c75400b5-73ba-4947-964d-7c2b5f83c37b'), '<uid>');
});

test('cells of a Table lose ages and node ports, columns their descriptions', () => {
  const { value } = createNormaliser({ now });
  assert.deepEqual(
    value({
      columnDefinitions: [{ name: 'Age', description: 'long text' }],
      rows: [{ cells: ['a', 3, '5m3s', '80:31234/TCP', '10.0.0.7'] }],
    }),
    {
      columnDefinitions: [{ name: 'Age' }],
      rows: [{ cells: ['a', 3, '<age>', '80:<node-port>/TCP', '<cluster-ip>'] }],
    },
  );
});

test('a continue token is opened and a token shown by its claims', () => {
  const { value } = createNormaliser({ now });
  const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":99,"start":"/a"}').toString('base64url');
  assert.deepEqual(value({ continue: token }), {
    continue: { rv: '<rv>', start: '/a', v: 'meta.k8s.io/v1' },
  });
  const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url');
  const jwt = `${part({ alg: 'RS256', kid: 'k' })}.${part({ iat: 10, nbf: 10, exp: 70, sub: 's' })}.sig`;
  assert.deepEqual(value(jwt), {
    claims: { lives: 60, notBefore: 0, sub: 's' },
    header: { alg: 'RS256', kid: '<kid>' },
  });
});

test('keys such as __proto__ survive', () => {
  const { value } = createNormaliser({ now });
  const out = value(parseLossless('{"data":{"__proto__":"p"}}'));
  assert.equal(JSON.stringify(out), '{"data":{"__proto__":"p"}}');
});

test('integers beyond 2^53 are not rounded', () => {
  assert.deepEqual(parseLossless('{"a":9007199254740993,"b":[12345678901234567890]}'), {
    a: '<integer 9007199254740993>',
    b: ['<integer 12345678901234567890>'],
  });
});
