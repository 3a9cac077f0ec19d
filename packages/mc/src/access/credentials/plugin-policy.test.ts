import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testHome } from '../testing/routing.ts';
import { readPluginPolicy } from './plugin-policy.ts';

test('without a kuberc everything may run', async () => {
  using home = testHome();
  assert.deepEqual(await readPluginPolicy({ env: {}, homeFolder: home.folder }), {
    policy: 'AllowAll',
  });
});

test('the policy of the kuberc holds, in whichever of its documents it stands', async () => {
  using home = testHome();
  home.file(
    '.kube/kuberc',
    'apiVersion: kubectl.config.k8s.io/v1alpha1\nkind: Preference\n---\napiVersion: kubectl.config.k8s.io/v1beta1\nkind: Preference\ncredentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: aws}]\n',
  );
  const { folder: homeFolder } = home;
  assert.deepEqual(await readPluginPolicy({ env: {}, homeFolder }), {
    policy: 'Allowlist',
    allowlist: [{ command: 'aws' }],
  });
  assert.deepEqual(await readPluginPolicy({ env: { KUBERC: 'off' }, homeFolder }), {
    policy: 'AllowAll',
  });
  const other = home.file('other', 'credentialPluginPolicy: DenyAll');
  assert.deepEqual(await readPluginPolicy({ env: { KUBERC: other }, homeFolder }), {
    policy: 'DenyAll',
  });
});

test('a kuberc that cannot be read or meant lets nothing pass', async () => {
  using home = testHome();
  const { folder: homeFolder } = home;
  for (const text of ['{', 'credentialPluginPolicy: AlowAll', 'credentialPluginAllowlist: []']) {
    home.file('.kube/kuberc', text);
    await assert.rejects(readPluginPolicy({ env: {}, homeFolder }), { name: 'CredentialError' });
  }
  await assert.rejects(readPluginPolicy({ env: { KUBERC: '/nowhere' }, homeFolder }), {
    message: /Cannot read kuberc/,
  });
});
