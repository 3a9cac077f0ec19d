import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS_OF_CERTIFICATE } from '../credentials/testing/certificates.ts';
import { createIdentity } from './identity.ts';

test('public authorities count where the access has none of its own, not even an empty text of them', () => {
  for (const tls of [{}, { ca: '' }])
    assert.ok(!('ca' in createIdentity(tls, undefined).nextTls()));
});

test('authorities are handed over one by one, without certificates that vouch for nobody', () => {
  const { authority, between, server, selfSignedServer } = KINDS_OF_CERTIFICATE;
  const handedOver = (ca: string) => {
    const options = createIdentity({ ca }, undefined).nextTls();
    return 'ca' in options ? options.ca : undefined;
  };
  assert.deepEqual(handedOver(`${server}${authority}${between}`), [authority, between]);
  assert.deepEqual(handedOver(selfSignedServer), [selfSignedServer]);
  assert.deepEqual(handedOver(server), [server], 'to be refused by whoever is asked to trust it');
});
