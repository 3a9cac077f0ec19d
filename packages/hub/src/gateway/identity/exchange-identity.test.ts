import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UserInfo } from '@flotilla/apiserver';
import { boundTo, exchangeIdentity } from './exchange-identity.ts';
import { parseProxyConfiguration } from './proxy-configuration.ts';

const user: UserInfo = {
  name: 'test-1234',
  uid: '12345',
  groups: ['group:1', 'test-group:2'],
  extra: { team: ['a'] },
};
const CLIENT = { user: user.name, groups: user.groups, extra: user.extra };
const MAPPED = { user: 'special', groups: ['projected'] };

describe('rules that exchange identities', () => {
  for (const [source, isMeant] of [
    [{ user: 'test-1234' }, true],
    [{ user: 'test' }, false],
    [{ group: 'group:1' }, true],
    [{ group: 'group' }, false],
    [{ uid: '12345' }, true],
    [{ uid: '' }, false],
    [{ cluster: 'c1' }, true],
    [{ cluster: 'c2' }, false],
    [{ userPattern: 'test-.*' }, true],
    [{ userPattern: '^est' }, false],
    [{ groupPattern: 'test-group:.+' }, true],
    [{ groupPattern: 'others:.+' }, false],
    [{ clusterPattern: 'c\\d+' }, true],
    [{ clusterPattern: 'cluster-\\d+' }, false],
    [{ user: 'test-1234', cluster: 'c2' }, false],
    [{}, true],
  ] as const) {
    test(`${isMeant ? 'take' : 'leave'} a user whose source is ${JSON.stringify(source)}`, () => {
      assert.deepEqual(exchangeIdentity([mapping(source)], user, 'c1'), isMeant ? MAPPED : CLIENT);
    });
  }

  test('count in their order, and the first configuration that has one decides', () => {
    const privileged = parse([{ type: 'PrivilegedIdentityExchanger', source: { uid: '12345' } }]);
    assert.equal(exchangeIdentity([privileged, mapping({})], user, 'c1'), 'privileged');
    assert.deepEqual(exchangeIdentity([mapping({}), privileged], user, 'c1'), MAPPED);
    assert.deepEqual(exchangeIdentity([], user, 'c1'), CLIENT);
  });

  test('without a source are for nobody', () => {
    const rule = parse([{ type: 'PrivilegedIdentityExchanger' }]);
    assert.deepEqual(exchangeIdentity([rule], user, 'c1'), CLIENT);
  });

  test('of a cluster speak for that cluster alone', () => {
    assert.deepEqual(
      exchangeIdentity([boundTo(mapping({ cluster: 'c2' }), 'c1')], user, 'c1'),
      MAPPED,
    );
    assert.deepEqual(exchangeIdentity([boundTo(mapping({}), 'c2')], user, 'c1'), CLIENT);
  });
});

function mapping(source: object) {
  const target = { user: 'special', groups: ['projected'] };
  return parse([{ name: 'map', type: 'StaticMappingIdentityExchanger', source, target }]);
}

function parse(rules: readonly object[]) {
  return parseProxyConfiguration(JSON.stringify({ spec: { clientIdentityExchanger: { rules } } }));
}
