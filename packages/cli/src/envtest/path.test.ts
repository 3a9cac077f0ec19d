import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assetsPath } from './path.ts';

test('the folder is named only when both programs in it can be started', () => {
  assert.equal(
    assetsPath('/opt/envtest', () => true),
    '/opt/envtest',
  );
  assert.throws(
    () => assetsPath('/opt/envtest', (path) => path.endsWith('/etcd')),
    /^UsageError: Cannot use "\/opt\/envtest" for envtest: kube-apiserver cannot be started there$/,
  );
});
