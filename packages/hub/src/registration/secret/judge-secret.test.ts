import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistrationSpecInput } from '@flotilla/api';
import type { Secret } from '@flotilla/client';
import { joinedSecret, registration } from '../testing/builders.ts';
import { judgeSecret } from './judge-secret.ts';

const ENDPOINT = 'https://member.example.com:6443';
const joined = () => joinedSecret('one', { endpoint: ENDPOINT, 'ca.crt': '', token: 'x' });

function judge(
  secret: Secret | undefined,
  spec: Partial<ClusterRegistrationSpecInput> = {},
  endpoint = ENDPOINT,
): string {
  const ours = registration('one', { adoptionPolicy: 'IfSameEndpoint', ...spec });
  ours.metadata.uid = 'ours';
  const verdict = judgeSecret(secret, { registration: ours, endpoint });
  return verdict.may === 'nothing' ? verdict.reason : verdict.may;
}

function owned(uid: string, key: string): Secret {
  const secret = joined();
  secret.metadata.annotations = {
    'multicluster.oam.dev/owner': key,
    'multicluster.oam.dev/owner-uid': uid,
  };
  return secret;
}

describe('judging a Secret', () => {
  test('lets a free name be taken, and our own Secret be written', () => {
    assert.equal(judge(undefined), 'create');
    assert.equal(judge(owned('ours', 'default/one')), 'update');
  });

  test('gives a Secret back to a registration that was made anew, and to nobody else', () => {
    assert.equal(judge(owned('before', 'default/one')), 'update');
    assert.equal(judge(owned('another', 'default/other')), 'NameConflict');
    assert.equal(judge(owned('another', 'other/one')), 'NameConflict');
  });

  test('adopts what nobody owns as far as the policy goes', () => {
    assert.equal(judge(joined()), 'adopt');
    assert.equal(judge(joined(), {}, 'https://member.example.com:6443/'), 'adopt');
    assert.equal(judge(joined(), {}, 'https://other.example.com:6443'), 'NotAdoptable');
    assert.equal(judge(joined(), { adoptionPolicy: 'IfUnmanaged' }, 'https://x:1'), 'adopt');
    assert.equal(judge(joined(), { adoptionPolicy: 'Never' }), 'NotAdoptable');
    const existing = { credentialSource: { existingSecret: {} } };
    assert.equal(judge(joined(), existing, 'https://x:1'), 'adopt');
  });

  test('never adopts what is no cluster, holds a command or belongs to another controller', () => {
    const any = { adoptionPolicy: 'IfUnmanaged' as const };
    const plain = joined();
    plain.metadata.labels = {};
    assert.equal(judge(plain, any), 'NotAdoptable');
    const command = joined();
    command.metadata.labels = { 'cluster.core.oam.dev/cluster-credential-type': 'Dynamic' };
    assert.equal(judge(command, any), 'NotAdoptable');
    const controlled = joined();
    controlled.metadata.ownerReferences = [
      { apiVersion: 'v1', kind: 'Thing', name: 'x', uid: 'x', controller: true },
    ];
    assert.equal(judge(controlled, any), 'NotAdoptable');
  });

  test('knows its own Secret although somebody took the marks off', () => {
    const stripped = joined();
    stripped.metadata.uid = 'secret-uid';
    stripped.metadata.labels = {};
    const ours = registration('one', { adoptionPolicy: 'Never' });
    ours.status = { secretRef: { namespace: 'vela-system', name: 'one', uid: 'secret-uid' } };
    const verdict = judgeSecret(stripped, { registration: ours, endpoint: ENDPOINT });
    assert.equal(verdict.may, 'update');
  });
});
