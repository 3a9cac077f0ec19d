import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCheck } from './formats.ts';

/** Texts that have a format, and texts that have not, as Go's libraries judge them. */
const rows: Readonly<
  Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>
> = {
  bsonobjectid: { yes: ['507f1f77bcf86cd799439011'], no: ['507f', '507f1f77bcf86cd79943901g'] },
  uri: {
    yes: ['/a/b', 'http://x', 'mailto:a@b', '*', 'http://[::1]:80/x', 'http://user:p@ss@host/'],
    no: [
      '',
      'a/b',
      ':foo',
      'http://x:a/',
      'http://[::1',
      'http://%41/',
      'http://x/%zz',
      'http://[1.2.3.4]/',
    ],
  },
  email: {
    yes: ['a@b', '"a b"@c', 'Name <a@b>', 'a@[1.2.3.4]', 'a@b (comment)'],
    no: ['', 'a', 'a@', '@b', 'a..b@c', '.a@b', 'a@[x]', 'a@b, c@d', '""@b'],
  },
  hostname: {
    yes: ['example.com', 'a', 'é.com'],
    no: ['', '-a.com', 'a_b.com', 'a..b', 'x.y1', 'a'.repeat(65)],
  },
  ipv4: { yes: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], no: ['1.2.3', '256.1.1.1', '::1'] },
  ipv6: {
    yes: ['::1', '::ffff:1.2.3.4'],
    no: ['1::2::3', 'g::1', 'fe80::1%eth0', '::01.2.3.4', '1.2.3.4'],
  },
  cidr: { yes: ['10.0.0.0/8', '::/0', '010.0.0.0/08'], no: ['10.0.0.1/33', '10.0.0.0'] },
  mac: {
    yes: ['aa:bb:cc:dd:ee:ff', 'aa-bb-cc-dd-ee-ff', 'aabb.ccdd.eeff', 'aa:bb:cc:dd:ee:ff:00:11'],
    no: ['aa:bb:cc:dd:ee', 'aa:bb-cc:dd:ee:ff', 'aabbccddeeff'],
  },
  uuid: { yes: ['550E8400E29B41D4A716446655440000'], no: ['550e8400-e29b-41d4-a716-44665544000'] },
  uuid3: {
    yes: ['a3bb189e-8bf9-3888-9912-ace4e6543002'],
    no: ['550e8400-e29b-41d4-a716-446655440000'],
  },
  uuid4: {
    yes: ['550e8400-e29b-41d4-a716-446655440000'],
    no: ['550e8400-e29b-41d4-c716-446655440000'],
  },
  uuid5: {
    yes: ['a6edc906-2f9f-5fb2-a373-efac406f0ef2'],
    no: ['550e8400-e29b-41d4-a716-446655440000'],
  },
  isbn: { yes: ['0321751043', '978-0321751041'], no: ['0321751044'] },
  isbn10: { yes: ['0-321-75104-3'], no: ['978-0321751041'] },
  isbn13: { yes: ['978-0321751041'], no: ['9780321751042', '0321751043'] },
  creditcard: { yes: ['4111 1111 1111 1111', '378282246310005'], no: ['4111111111111112', ''] },
  ssn: { yes: ['123-45-6789', '123 45 6789'], no: ['123456789', ''] },
  hexcolor: { yes: ['#fff', 'FFFFFF'], no: ['#ffff'] },
  rgbcolor: { yes: ['rgb( 255 , 0 , 12 )'], no: ['rgb(256,1,1)', 'rgb(01,1,1)'] },
  byte: { yes: ['aGVsbG8=', 'YQ=='], no: ['', 'aGVsbG8', '====', 'a-b_'] },
  password: { yes: ['', 'anything'], no: [] },
  date: { yes: ['2020-02-29'], no: ['2021-02-29', '2020-1-1', '2020-13-01'] },
  'date-time': {
    yes: ['2020-01-01T00:00:00Z', '2020-01-01t00:00:00.123+01:00', '2020-01-01T00:00:00,5Z'],
    no: ['2020-01-01T24:00:00Z', '2020-01-01T00:00:00', '2020-01-01 00:00:00Z', '2020-01-01'],
  },
  duration: {
    yes: ['1h30m', '-1.5s', '0', '3 days', 'x 3 minutes y', '2weeks 1 d'],
    no: ['', '10', '5 fortnights', '99999999999999999999 s'],
  },
};

for (const [format, { yes, no }] of Object.entries(rows)) {
  test(`${format} is judged as Go judges it`, () => {
    const check = formatCheck(format);

    assert.deepEqual(
      yes.filter((text) => check?.(text) !== true),
      [],
    );
    assert.deepEqual(
      no.filter((text) => check?.(text) !== false),
      [],
    );
  });
}

test('hyphens in names of formats do not count, and unknown formats have no check', () => {
  assert.equal(formatCheck('i-p-v-4'), formatCheck('ipv4'));
  assert.equal(formatCheck('int32'), undefined);
  assert.equal(formatCheck('k8s-short-name'), undefined);
});
