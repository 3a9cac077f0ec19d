import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Change, ROOT_TENANT } from '../storage/store.ts';
import { PolicyIndex } from './policy-index.ts';

const GROUP = 'rbac.authorization.k8s.io';
const ann = { name: 'ann', groups: ['crew'] };

describe('the index of policy', () => {
  test('finds grants to the user and to each of their groups', () => {
    const index = new PolicyIndex();
    index.apply(binding('a', { subjects: [{ kind: 'User', name: 'ann' }] }));
    index.apply(binding('b', { subjects: [{ kind: 'Group', name: 'crew' }] }));
    index.apply(binding('c', { subjects: [{ kind: 'User', name: 'crew' }] }));

    assert.deepEqual(names(index, 'any'), ['a', 'b']);
  });

  test('keeps a grant of one namespace out of all others', () => {
    const index = new PolicyIndex();
    index.apply(binding('a', { namespace: 'n', subjects: [{ kind: 'User', name: 'ann' }] }));

    assert.deepEqual(names(index, 'n'), ['a']);
    assert.deepEqual(names(index, 'other'), []);
    assert.deepEqual(names(index, ''), []);
  });

  test('takes a service account without a namespace for one of the binding’s own', () => {
    const index = new PolicyIndex();
    const bot = { kind: 'ServiceAccount', name: 'bot' };
    index.apply(binding('here', { namespace: 'n', subjects: [bot] }));
    index.apply(binding('there', { namespace: 'n', subjects: [{ ...bot, namespace: 'm' }] }));

    const grants = (name: string) => [...index.grants({ name, groups: [] }, 'n')];
    assert.deepEqual(
      grants('system:serviceaccount:n:bot').map(({ subject }) => subject),
      ['ServiceAccount "bot/n"'],
    );
    assert.deepEqual(
      grants('system:serviceaccount:m:bot').map((grant) => grant.binding),
      ['there'],
    );
  });

  test('forgets the subjects a changed binding no longer has', () => {
    const index = new PolicyIndex();
    index.apply(binding('a', { subjects: [{ kind: 'User', name: 'ann' }] }));
    index.apply(binding('a', { subjects: [{ kind: 'User', name: 'bob' }] }));
    assert.deepEqual(names(index, ''), []);

    index.apply(binding('a', { subjects: [{ kind: 'User', name: 'ann' }] }));
    index.apply({ ...binding('a', { subjects: [] }), value: undefined });
    assert.deepEqual(names(index, ''), []);
  });

  test('bears bindings and roles that say nothing', () => {
    const index = new PolicyIndex();
    index.apply(
      change('clusterrolebindings/a', { metadata: { name: 'a' }, roleRef: {}, subjects: null }),
    );
    index.apply(change('clusterroles/r', { metadata: { name: 'r' }, rules: null }));

    assert.deepEqual(index.rules({ kind: 'ClusterRole', name: 'r' }, ''), []);
    assert.equal(index.rules({ kind: 'ClusterRole', name: 'other' }, ''), undefined);
  });

  test('does not take a role of one namespace for that of another', () => {
    const index = new PolicyIndex();
    index.apply(change('roles/n/r', { metadata: { name: 'r', namespace: 'n' }, rules: [] }));

    assert.deepEqual(index.rules({ kind: 'Role', name: 'r' }, 'n'), []);
    assert.equal(index.rules({ kind: 'Role', name: 'r' }, 'm'), undefined);
    assert.equal(index.rules({ kind: 'ClusterRole', name: 'r' }, 'n'), undefined);
  });
});

function names(index: PolicyIndex, namespace: string): string[] {
  return [...index.grants(ann, namespace)].map(({ binding: name }) => name);
}

function binding(name: string, parts: { namespace?: string; subjects: object[] }): Change {
  const { namespace, subjects } = parts;
  const roleRef = { apiGroup: GROUP, kind: 'ClusterRole', name: 'view' };
  return namespace === undefined
    ? change(`clusterrolebindings/${name}`, { metadata: { name }, roleRef, subjects })
    : change(`rolebindings/${namespace}/${name}`, {
        metadata: { name, namespace },
        roleRef,
        subjects,
      });
}

function change(path: string, object: object): Change {
  return {
    tenant: ROOT_TENANT,
    key: `${GROUP}/${path}`,
    revision: 1,
    value: Buffer.from(JSON.stringify(object)),
    previous: undefined,
  };
}
