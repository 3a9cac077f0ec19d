import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Asked, ruleMatches } from './rules.ts';

const asked: Asked = {
  operation: 'CREATE',
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  subresource: '',
  namespace: 'default',
};

const rule = {
  operations: ['CREATE'],
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  resources: ['deployments'],
};

describe('a rule', () => {
  const cases: readonly [string, object, object, boolean][] = [
    ['matches what it names', {}, {}, true],
    ['does not match another operation', { operations: ['UPDATE', 'DELETE'] }, {}, false],
    ['matches any operation by a star', { operations: ['*'] }, {}, true],
    ['does not match another group', { apiGroups: [''] }, {}, false],
    ['does not match another version', { apiVersions: ['v2'] }, {}, false],
    ['for a resource is not for its subresources', {}, { subresource: 'scale' }, false],
    ['matches a subresource', { resources: ['deployments/scale'] }, { subresource: 'scale' }, true],
    ['matches all subresources', { resources: ['deployments/*'] }, { subresource: 'status' }, true],
    ['for all subresources is for the resource too', { resources: ['deployments/*'] }, {}, true],
    ['matches one subresource of all', { resources: ['*/scale'] }, { subresource: 'scale' }, true],
    [
      'for all resources is not for subresources',
      { resources: ['*'] },
      { subresource: 'x' },
      false,
    ],
    ['matches everything', { resources: ['*/*'] }, { subresource: 'x' }, true],
    ['for clusters does not match in a namespace', { scope: 'Cluster' }, {}, false],
    ['for namespaces matches in one', { scope: 'Namespaced' }, {}, true],
    ['for namespaces does not match outside', { scope: 'Namespaced' }, { namespace: '' }, false],
    ['without anything matches nothing', { resources: undefined }, {}, false],
  ];
  for (const [title, changed, about, expected] of cases) {
    test(title, () => {
      assert.equal(ruleMatches({ ...rule, ...changed }, { ...asked, ...about }), expected);
    });
  }

  test('takes a namespace for an object of the cluster', () => {
    const namespace = { ...asked, group: '', resource: 'namespaces' };
    const any = { ...rule, apiGroups: [''], resources: ['*'] };

    assert.equal(ruleMatches({ ...any, scope: 'Cluster' }, namespace), true);
    assert.equal(ruleMatches({ ...any, scope: 'Namespaced' }, namespace), false);
  });
});
