import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { type SourceHub, startSourceHub } from './testing/source-hub.ts';
import { written } from './testing/written.ts';

const { certificate } = testPair();
const other = testPair('other');

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(() => hub[Symbol.asyncDispose]());

describe('an existing cluster Secret', () => {
  const label = (type: string) => ({
    labels: { 'cluster.core.oam.dev/cluster-credential-type': type },
  });
  const existing = { existingSecret: {} };

  test('is the credential, under the wanted name or the one it still has', async () => {
    const texts = { endpoint: 'https://joined', 'ca.crt': certificate, token: 't\n' };
    await hub.createSecret('vela-system/joined', texts, label('ServiceAccountToken'));
    const found = await hub.resolve(existing, { name: 'joined' });

    assert.deepEqual(written(found), {
      endpoint: 'https://joined:443',
      'ca.crt': certificate,
      token: 't',
    });
    assert.deepEqual(
      [found.reason, found.description],
      ['ExistingSecretResolved', 'Secret vela-system/joined'],
    );
    const renamed = await hub.resolve(existing, {
      name: 'renamed',
      registeredName: 'joined',
      namespace: 'team',
    });
    assert.equal(renamed.description, 'Secret vela-system/joined');
    assert.deepEqual(
      renamed.reads.map(({ name }) => name),
      ['renamed', 'joined'],
    );
  });

  test('with a certificate is checked as any other', async () => {
    const texts = {
      endpoint: 'https://h',
      'ca.crt': '',
      'tls.crt': certificate,
      'tls.key': other.key,
    };
    await hub.createSecret('vela-system/mismatch', texts, label('X509Certificate'));
    assert.equal((await hub.refuse(existing, { name: 'mismatch' })).reason, 'KeyPairMismatch');
  });

  test('that cannot be one is refused', async () => {
    const texts = { endpoint: 'https://h', 'ca.crt': '', token: 't' };
    await hub.createSecret('vela-system/ordinary', texts);
    await hub.createSecret(
      'vela-system/dynamic',
      { ...texts, exec: '{"command":"s3cret"}' },
      label('Dynamic'),
    );
    await hub.createSecret('vela-system/tunnel', texts, {
      labels: {
        ...label('ServiceAccountToken').labels,
        'cluster.core.oam.dev/cluster-endpoint-type': 'ClusterProxy',
      },
    });
    await hub.createSecret(
      'vela-system/empty',
      { ...texts, token: '' },
      label('ServiceAccountToken'),
    );
    await hub.createSecret(
      'vela-system/nowhere',
      { token: 't', 'ca.crt': '' },
      label('ServiceAccountToken'),
    );
    await hub.createSecret(
      'vela-system/insecure',
      { endpoint: 'https://h', token: 't' },
      label('ServiceAccountToken'),
    );

    const reason = async (name: string) => (await hub.refuse(existing, { name })).reason;
    assert.equal(await reason('ordinary'), 'UnsupportedTarget');
    assert.equal(await reason('dynamic'), 'UnsupportedTarget');
    assert.equal(await reason('tunnel'), 'UnsupportedTarget');
    assert.equal(await reason('empty'), 'NoCredential');
    assert.equal(await reason('nowhere'), 'KeyNotFound');
    assert.equal(await reason('insecure'), 'InsecureTLSNotAllowed');
    assert.equal(await reason('absent'), 'SecretNotFound');
  });
});
