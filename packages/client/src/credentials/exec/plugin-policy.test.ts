import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAllowed, type PluginPolicy, pluginPolicyOfKuberc } from './plugin-policy.ts';

const found: Readonly<Record<string, string>> = { aws: '/usr/bin/aws', other: '/usr/bin/other' };
const lookPath = async (command: string) => (command.startsWith('/') ? command : found[command]);

const allowing = (...commands: string[]): PluginPolicy => ({
  policy: 'Allowlist',
  allowlist: commands.map((command) => ({ command })),
});

test('a command is allowed by its name, by its path, and by a name that leads to the same file', async () => {
  const aws = { command: 'aws', path: '/usr/bin/aws' };
  await checkAllowed(allowing('aws'), aws, lookPath);
  await checkAllowed(allowing('/usr/bin/aws'), aws, lookPath);
  await checkAllowed(allowing('aws'), { command: '/usr/bin/aws', path: '/usr/bin/aws' }, lookPath);
});

test('a namesake elsewhere is not allowed', async () => {
  const elsewhere = { command: '/tmp/aws', path: '/tmp/aws' };

  await assert.rejects(checkAllowed(allowing('aws', '/usr/bin/aws'), elsewhere, lookPath), {
    message: 'plugin path "/tmp/aws" is not permitted by the credential plugin allowlist',
  });
});

test('a command that cannot be found is not allowed', async () => {
  const missing = { command: 'nope', path: undefined };

  await assert.rejects(checkAllowed(allowing('aws'), missing, lookPath), /cannot be resolved/);
});

test('a kuberc is read, and one that makes no sense is refused', () => {
  assert.deepEqual(pluginPolicyOfKuberc('kind: Preference'), { policy: 'AllowAll' });
  assert.deepEqual(pluginPolicyOfKuberc('credentialPluginPolicy: DenyAll'), { policy: 'DenyAll' });
  assert.deepEqual(
    pluginPolicyOfKuberc(
      'credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: aws}]',
    ),
    { policy: 'Allowlist', allowlist: [{ command: 'aws' }] },
  );
  for (const [text, message] of [
    ['credentialPluginPolicy: Some', 'unknown plugin policy: "Some"'],
    [
      'credentialPluginPolicy: Allowlist',
      'credential plugin policy set to "Allowlist", but allowlist is unspecified',
    ],
    [
      'credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: []',
      'credential plugin policy set to "Allowlist", but allowlist is empty; use "DenyAll" policy instead',
    ],
    [
      'credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{name: aws}]',
      'misconfigured credential plugin allowlist: empty allowlist entry #1',
    ],
    [
      'credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: /a/../b}]',
      'non-normalized file path: "/a/../b" vs "/b"',
    ],
    [
      'credentialPluginAllowlist: [{command: aws}]',
      'misconfigured credential plugin allowlist: plugin policy is "AllowAll" but allowlist is non-nil',
    ],
  ] as const) {
    assert.throws(() => pluginPolicyOfKuberc(text), { message });
  }
});
