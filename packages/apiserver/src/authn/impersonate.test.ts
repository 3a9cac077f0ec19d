import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from '@flotilla/machinery';
import type { ApiRequest } from '../http/exchange.ts';
import { inject } from '../http/inject.ts';
import { PlainError } from '../http/plain-error.ts';
import { type Impersonation, type ImpersonationAttributes, impersonate } from './impersonate.ts';
import type { UserInfo } from './user-info.ts';

const caller: UserInfo = { name: 'bob', groups: ['dev', 'system:authenticated'] };

describe('impersonate', () => {
  test('without the headers the caller stays who they are, and nobody is asked', async () => {
    const { result, asked } = await act({});

    assert.deepEqual(result, { user: caller });
    assert.deepEqual(asked, []);
  });

  test('a user, with the caller kept for the audit log', async () => {
    const { result, asked } = await act({ 'Impersonate-User': 'alice' });

    assert.deepEqual(result, {
      user: { name: 'alice', groups: ['system:authenticated'] },
      impersonator: caller,
    });
    assert.deepEqual(asked, ['users  alice']);
  });

  test('a service account brings its groups unless groups are given', async () => {
    const name = 'system:serviceaccount:ns:sa';
    const alone = await act({ 'Impersonate-User': name });
    const grouped = await act({ 'Impersonate-User': name, 'Impersonate-Group': ['g'] });

    assert.deepEqual(alone.result?.user.groups, [
      'system:serviceaccounts',
      'system:serviceaccounts:ns',
      'system:authenticated',
    ]);
    assert.deepEqual(grouped.result?.user.groups, ['g', 'system:authenticated']);
    assert.deepEqual(grouped.asked, ['serviceaccounts ns sa', 'groups  g']);
  });

  test('a name that only looks like a service account is a user', async () => {
    const { asked } = await act({ 'Impersonate-User': 'system:serviceaccount:ns:a:b' });

    assert.deepEqual(asked, ['users  system:serviceaccount:ns:a:b']);
  });

  test('repeated groups stay apart, and a comma inside one does not split it', async () => {
    const { result } = await act({ 'Impersonate-User': 'a', 'Impersonate-Group': ['x, y', 'z'] });

    assert.deepEqual(result?.user.groups, ['x, y', 'z', 'system:authenticated']);
  });

  test('extras and uid; keys are percent-decoded, and each value needs permission', async () => {
    const { result, asked } = await act({
      'Impersonate-User': 'alice',
      'Impersonate-Extra-Scopes': ['view', 'edit'],
      'Impersonate-Extra-acme.com%2fproject': 'p1',
      'Impersonate-Uid': '42',
    });

    assert.equal(result?.user.uid, '42');
    assert.deepEqual(result?.user.extra, { scopes: ['view', 'edit'], 'acme.com/project': ['p1'] });
    assert.deepEqual(asked, [
      'users  alice',
      'authentication.k8s.io/userextras/scopes  view',
      'authentication.k8s.io/userextras/scopes  edit',
      'authentication.k8s.io/userextras/acme.com/project  p1',
      'authentication.k8s.io/uids  42',
    ]);
  });

  test('anonymous joins the unauthenticated, and given login groups are left alone', async () => {
    const anonymous = await act({ 'Impersonate-User': 'system:anonymous' });
    const explicit = await act({
      'Impersonate-User': 'a',
      'Impersonate-Group': ['system:unauthenticated'],
    });

    assert.deepEqual(anonymous.result?.user.groups, ['system:unauthenticated']);
    assert.deepEqual(explicit.result?.user.groups, ['system:unauthenticated']);
  });

  test("refusals use upstream's words", async () => {
    const user = await act({ 'Impersonate-User': 'a<b' }, 'users');
    const group = await act({ 'Impersonate-User': 'a', 'Impersonate-Group': 'g' }, 'groups');
    const account = await act(
      { 'Impersonate-User': 'system:serviceaccount:ns:sa' },
      'serviceaccounts',
    );
    const extra = await act({ 'Impersonate-User': 'a', 'Impersonate-Extra-k': 'v' }, 'userextras');

    assert.equal(
      user.error?.message,
      'users "a<b" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope: no rule',
    );
    assert.equal(
      group.error?.message,
      'groups "g" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope: no rule',
    );
    assert.equal(
      account.error?.message,
      'serviceaccounts "sa" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns": no rule',
    );
    assert.equal(
      extra.error?.message,
      'userextras.authentication.k8s.io "v" is forbidden: User "bob" cannot impersonate resource "userextras/k" in API group "authentication.k8s.io" at the cluster scope: no rule',
    );
    assert.deepEqual([user.error?.code, user.error?.reason], [403, 'Forbidden']);
  });

  test('groups without a user are an error', async () => {
    const { plain, asked } = await act({ 'Impersonate-Group': 'developers' });

    assert.equal(plain?.status, 500);
    assert.equal(
      plain?.message,
      'Internal Server Error: "/api/v1/pods": requested [{Group  developers    }] without impersonating a user\n',
    );
    assert.deepEqual(asked, []);
  });
});

async function act(headers: Record<string, string | string[]>, refuse?: string) {
  const asked: string[] = [];
  let result: Impersonation | undefined;
  let error: StatusError | undefined;
  let plain: PlainError | undefined;
  const check = async (wanted: ImpersonationAttributes) => {
    const { group, resource, subresource, namespace, name } = wanted;
    assert.equal(wanted.verb, 'impersonate');
    assert.equal(wanted.user, caller);
    const path = [group, resource, subresource].filter((part) => part !== '').join('/');
    asked.push(`${path} ${namespace} ${name}`);
    return { allowed: resource !== refuse, reason: 'no rule' };
  };
  const handle = async (request: ApiRequest) => {
    try {
      result = await impersonate(request, caller, check);
    } catch (thrown) {
      if (thrown instanceof PlainError) plain = thrown;
      else if (thrown instanceof StatusError) error = thrown;
      else throw thrown;
    }
    return { status: 200, headers: {}, body: Buffer.alloc(0) };
  };
  await inject(handle, { path: '/api/v1/pods', headers });
  return { result, error, plain, asked };
}
