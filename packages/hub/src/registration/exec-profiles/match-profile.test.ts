import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecPlugin } from '@flotilla/client';
import type { ExecProfile } from './exec-profile.ts';
import { type ExecCaller, matchProfile } from './match-profile.ts';

const V1 = 'client.authentication.k8s.io/v1';
const profile: ExecProfile = {
  name: 'tool',
  command: '/opt/bin/tool',
  args: [{ exact: 'token' }, { pattern: /^(?:[a-z]+)$/u }],
  env: {},
  timeoutMs: 1000,
  namespaces: [],
  servers: [],
};
const caller: ExecCaller = {
  host: 'api.example.com',
  namespace: 'vela-system',
  gatewayNamespace: 'vela-system',
};

function matched(
  plugin: Partial<ExecPlugin>,
  { profiles = [profile], ...who }: Partial<ExecCaller> & { profiles?: ExecProfile[] } = {},
): string {
  const asked: ExecPlugin = {
    command: 'tool',
    args: ['token'],
    apiVersion: V1,
    interactiveMode: 'Never',
    ...plugin,
  };
  const match = matchProfile(profiles, asked, { ...caller, ...who });
  return 'profile' in match
    ? [match.profile.name, ...match.warnings.map(({ message }) => message)].join(': ')
    : match.refusal;
}

test('a command is meant by its last part, and runs from where the profile says', () => {
  for (const command of ['tool', '/usr/bin/tool', './tool', '../../tool']) {
    assert.equal(matched({ command }), 'tool');
  }
  for (const command of ['other', 'tool2', '', '/', 'tool;rm', '..\\x\\other']) {
    assert.match(matched({ command }), /no exec profile of this hub allows it$/);
  }
});

test('every argument must pass as a whole, and none is quoted', () => {
  assert.equal(matched({ args: [] }), 'tool');
  assert.equal(matched({ args: ['token', 'abc'] }), 'tool');
  for (const bad of ['s3cret!', 'abc\ndef', 'ABC', '', 'a'.repeat(1025), 'a\0b']) {
    assert.equal(
      matched({ args: ['token', bad] }),
      'Cannot run the command of the user: exec profile "tool" does not allow argument 2',
    );
  }
  assert.match(matched({ args: Array.from({ length: 65 }, () => 'a') }), /more than 64 arguments/);
});

test('a value passes behind its option, and nowhere else', () => {
  const profiles = [
    { ...profile, args: [{ exact: 'get' }, { option: '--name', value: /^(?:[a-z0-9]+)$/u }] },
  ];
  const ask = (...args: string[]) => matched({ args }, { profiles });

  assert.equal(ask('get', '--name', 'prod'), 'tool');
  assert.equal(ask('--name=prod', 'get'), 'tool');
  assert.match(ask('s3', 'ls'), /argument 1$/);
  assert.match(ask('get', '--name'), /argument 2$/);
  assert.match(ask('get', '--name', '--evil'), /argument 2$/);
  assert.match(ask('get', '--name', 'prod', 'prod'), /argument 4$/);
  assert.match(ask('get', '--name=a b'), /argument 2$/);
  assert.match(ask('get', '--names=a'), /argument 2$/);
});

test('a profile is for the gateway namespace, or for those it names', () => {
  assert.match(matched({}, { namespace: 'team' }), /not for registrations in namespace "team"/);
  const profiles = [{ ...profile, namespaces: ['team'] }];
  assert.equal(matched({}, { namespace: 'team', profiles }), 'tool');
  assert.match(matched({}, { profiles }), /not for registrations in namespace "vela-system"/);
});

test('a profile is for the servers it names', () => {
  const profiles = [{ ...profile, servers: [/^(?:.*\.example\.com)$/u] }];
  assert.equal(matched({}, { profiles }), 'tool');
  assert.match(matched({}, { profiles, host: 'evil.org' }), /not for the server "evil\.org"/);
});

test('of several profiles for a command, the first that covers it counts', () => {
  const profiles = [
    { ...profile, name: 'a', args: [] },
    { ...profile, name: 'b' },
    { ...profile, name: 'c' },
  ];
  assert.equal(matched({}, { profiles }), 'b');
  assert.match(matched({ args: ['NO'] }, { profiles }), /exec profile "a"/);
});

test('only the versions that exist are answered, and nobody is asked anything', () => {
  assert.equal(matched({ apiVersion: 'client.authentication.k8s.io/v1beta1' }), 'tool');
  assert.match(
    matched({ apiVersion: 'client.authentication.k8s.io/s3cret' }),
    /apiVersion is neither/,
  );
  assert.doesNotMatch(matched({ apiVersion: 's3cret' }), /s3cret/);
  assert.match(matched({ interactiveMode: 'Always' }), /nobody is there/);
  assert.equal(matched({ interactiveMode: 'IfAvailable' }), 'tool');
});

test('the environment of the kubeconfig is left out, and that is said by name only', () => {
  const env = [
    { name: 'AWS_PROFILE', value: 's3cret' },
    { name: 'odd name s3cret', value: '' },
  ];
  assert.match(matched({ env }), /^tool: .*is left out: AWS_PROFILE$/);
});
