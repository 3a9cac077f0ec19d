import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistrationSpecInput } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { SecretValue } from '@flotilla/runtime';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { base64, joinedSecret, registration } from '../testing/builders.ts';
import { secretChanges } from './secret-changes.ts';
import { wantedSecret } from './wanted-secret.ts';

const member: MemberAccess = {
  endpoint: 'https://member.example.com:443',
  ca: 'PEM\n',
  credential: { type: 'ServiceAccountToken', token: new SecretValue('token') },
};

function wanted(
  spec: Partial<ClusterRegistrationSpecInput> = {},
  access: MemberAccess | undefined = member,
) {
  const ours = registration('one', { deletionPolicy: 'Detach', ...spec });
  ours.metadata.uid = 'ours';
  const version = { major: '1', minor: '34', gitVersion: 'v1.34.0', platform: 'linux/amd64' };
  const parts = { namespace: 'vela-system', name: 'one', version };
  return wantedSecret(ours, { ...parts, member: access });
}

/** The Secret as it is after `wanted` was written. */
function written(spec: Partial<ClusterRegistrationSpecInput> = {}): Secret {
  const { labels, annotations, data } = wanted(spec);
  const secret = joinedSecret('one', {});
  secret.metadata.labels = { ...labels };
  secret.metadata.annotations = { ...annotations };
  secret.data = { ...data };
  return secret;
}

describe('what has to change about a cluster Secret', () => {
  test('is nothing when it is as it should be, whatever others put on it', () => {
    const secret = written({ alias: 'One', labels: { env: 'prod' } });
    secret.metadata.labels = { ...secret.metadata.labels, team: 'blue' };
    secret.metadata.annotations = { ...secret.metadata.annotations, note: 'x' };
    const changes = secretChanges(secret, wanted({ alias: 'One', labels: { env: 'prod' } }));
    assert.deepEqual(changes, { metadata: undefined, data: undefined });
  });

  test('takes away labels and the alias that were ours, and no others', () => {
    const secret = written({ alias: 'One', labels: { env: 'prod' } });
    secret.metadata.labels = { ...secret.metadata.labels, team: 'blue' };
    const { metadata } = secretChanges(secret, wanted());
    const { labels, annotations } = metadata as Record<string, Record<string, unknown>>;
    assert.deepEqual(labels, { env: null });
    assert.equal(annotations?.['cluster.core.oam.dev/cluster-alias'], null);

    const aliased = written();
    const alias = { 'cluster.core.oam.dev/cluster-alias': 'by vela' };
    aliased.metadata.annotations = { ...aliased.metadata.annotations, ...alias };
    assert.equal(secretChanges(aliased, wanted()).metadata, undefined);
  });

  test('replaces the whole credential when its kind changes', () => {
    const access: MemberAccess = {
      ...member,
      credential: { type: 'X509Certificate', certificate: 'CERT\n', key: new SecretValue('KEY\n') },
    };
    const { data } = secretChanges(written(), wanted({}, access));
    assert.deepEqual(Object.keys(data ?? {}).sort(), [
      'ca.crt',
      'endpoint',
      'tls.crt',
      'tls.key',
      'token',
    ]);
    assert.equal(data?.['token'], null);
  });

  test('leaves data that the gateway reads alike', () => {
    const secret = written();
    secret.data = {
      endpoint: base64('https://member.example.com'),
      ca: base64('PEM'),
      token: base64('token'),
    };
    assert.equal(secretChanges(secret, wanted()).data, undefined);
    secret.data = { ...secret.data, token: base64('token\n') };
    assert.notEqual(secretChanges(secret, wanted()).data, undefined);
  });

  test('leaves the credential alone where there is none to write', () => {
    const { data } = secretChanges(joinedSecret('one', { token: 'x' }), {
      ...wanted(),
      data: undefined,
    });
    assert.equal(data, undefined);
  });

  test('has the owner in ownerReferences only in its own namespace, and never of an orphan', () => {
    const here = (spec: Partial<ClusterRegistrationSpecInput>) => {
      const ours = registration('one', { deletionPolicy: 'Detach', ...spec }, 'vela-system');
      ours.metadata.uid = 'ours';
      const parts = { namespace: 'vela-system', name: 'one', member, version: undefined };
      return wantedSecret(ours, parts).ownerReference;
    };
    assert.equal(here({})?.uid, 'ours');
    assert.equal(here({ deletionPolicy: 'Orphan' }), undefined);
    assert.equal(wanted().ownerReference, undefined);
  });

  test('writes the version as KubeVela does', () => {
    assert.equal(
      wanted().annotations['cluster.core.oam.dev/cluster-version'],
      '{"major":"1","minor":"34","gitVersion":"v1.34.0","platform":"linux/amd64"}',
    );
  });
});
