import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ExecPlugin } from '@flotilla/client';
import { matchProfile } from './match-profile.ts';
import { ExecProfilesError, parseExecProfiles } from './parse-exec-profiles.ts';

const problems = (text: string) => {
  try {
    parseExecProfiles(text);
  } catch (error) {
    assert.ok(error instanceof ExecProfilesError, String(error));
    return error.problems;
  }
  return [];
};

describe('exec profiles', () => {
  test('are read with their defaults', () => {
    const [profile] = parseExecProfiles(`
profiles:
- name: aws
  command: /usr/local/bin/aws
  argsAllowed: [eks, {pattern: '[a-z]+-token'}, {option: --cluster-name, value: '[a-z0-9-]+'}]
  env: {HOME: /tmp}
  namespaces: [vela-system]
  servers: ['.*\\.eks\\.amazonaws\\.com']
`);

    assert.deepEqual(profile, {
      name: 'aws',
      command: '/usr/local/bin/aws',
      args: [
        { exact: 'eks' },
        { pattern: /^(?:[a-z]+-token)$/u },
        { option: '--cluster-name', value: /^(?:[a-z0-9-]+)$/u },
      ],
      env: { HOME: '/tmp' },
      timeoutMs: 30_000,
      namespaces: ['vela-system'],
      servers: [/^(?:.*\.eks\.amazonaws\.com)$/u],
    });
    assert.deepEqual(parseExecProfiles('profiles: []'), []);
    assert.equal(
      parseExecProfiles('profiles: [{name: a, command: /a, timeout: 5s}]')[0]?.timeoutMs,
      5000,
    );
  });

  test('tell every problem at once, by its place', () => {
    assert.deepEqual(
      problems(`
profiles:
- name: A
  command: aws
  argsAllowed: [5, {pattern: '('}, {regex: a}, {pattern: 'a)|(b'}, {option: a, value: b}, {option: -a, value: '('}, {option: 5, value: a}, {option: -a}]
  env: {A: 1, "b c": x, KUBERNETES_EXEC_INFO: x}
  timeout: 31s
  namespaces: [B]
  servers: ['[']
  shell: true
- 5
- {name: same, command: /a/../b}
- {name: same, command: /a}
`).map((problem) => /^Cannot use (\S+):/.exec(problem)?.[1]),
      [
        'profiles[0].shell',
        'profiles[0].name',
        'profiles[0].command',
        'profiles[0].argsAllowed[0]',
        'profiles[0].argsAllowed[1].pattern',
        'profiles[0].argsAllowed[2]',
        'profiles[0].argsAllowed[3].pattern',
        'profiles[0].argsAllowed[4].option',
        'profiles[0].argsAllowed[5].value',
        'profiles[0].argsAllowed[6]',
        'profiles[0].argsAllowed[7]',
        'profiles[0].env.A',
        'profiles[0].env',
        'profiles[0].env.KUBERNETES_EXEC_INFO',
        'profiles[0].timeout',
        'profiles[0].namespaces[0]',
        'profiles[0].servers[0]',
        'profiles[1]',
        'profiles[2].command',
        'profiles[3].name',
      ],
    );
  });

  for (const text of [
    '',
    'a: [',
    'profiles: {}',
    'profiles: []\nmore: 1',
    'profiles: []\nprofiles: []',
    'profiles: []\n---\nprofiles: []',
    '- a',
  ]) {
    test(`${JSON.stringify(text)} is no file of them`, () => {
      assert.equal(problems(text).length, 1);
    });
  }
});

describe('the profiles of the guide', () => {
  const folder = join(FLOTILLA_ROOT, 'docs', 'guides', 'exec-profiles');
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseExecProfiles(readFileSync(join(folder, name), 'utf8')));
  const plugin = (command: string, args: readonly string[]): ExecPlugin => ({
    command,
    args,
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    interactiveMode: 'IfAvailable',
  });
  const nameFor = (command: string, args: readonly string[], host: string) => {
    const match = matchProfile(profiles, plugin(command, args), {
      host,
      namespace: 'vela-system',
      gatewayNamespace: 'vela-system',
    });
    return 'profile' in match ? match.profile.name : match.refusal;
  };
  const eks = 'ABCDEF0123456789ABCDEF0123456789.gr7.eu-west-1.eks.amazonaws.com'.toLowerCase();
  const gke = 'gke-0123abcd0123abcd-123456789012.europe-west1.gke.goog';
  const aks = 'prod-dns-1a2b3c4d.hcp.westeurope.azmk8s.io';

  test('cover what aws, gcloud and az write into kubeconfigs', () => {
    const eksArgs = [
      '--region',
      'eu-west-1',
      'eks',
      'get-token',
      '--cluster-name',
      'prod_1',
      '--output',
      'json',
    ];
    assert.equal(nameFor('aws', eksArgs, eks), 'aws-eks');
    assert.equal(
      nameFor('aws', [...eksArgs, '--role-arn', 'arn:aws:iam::123456789012:role/fleet'], eks),
      'aws-eks',
    );
    assert.equal(nameFor('gke-gcloud-auth-plugin', [], gke), 'gcp-gke');
    assert.equal(
      nameFor(
        'kubelogin',
        [
          'get-token',
          '--login',
          'workloadidentity',
          '--server-id',
          '6dae42f8-4368-4678-94ff-3960e28e3630',
        ],
        aks,
      ),
      'azure-aks',
    );
  });

  test('send no credential elsewhere, and let no argument redirect one', () => {
    const args = ['eks', 'get-token', '--cluster-name', 'prod'];
    assert.match(nameFor('aws', args, 'evil.example.com'), /is not for the server/);
    assert.match(nameFor('aws', [...args, '--endpoint-url', 'https://evil'], eks), /argument 5/);
    assert.match(nameFor('aws', [...args, '--profile=x'], eks), /argument 5/);
    assert.match(nameFor('aws', ['s3', 'ls'], eks), /argument 1/);
    assert.match(
      nameFor('kubelogin', ['get-token', '--authority-host', 'https://evil'], aks),
      /argument 2/,
    );
    assert.match(nameFor('gke-gcloud-auth-plugin', ['--edge_cloud'], gke), /argument 1/);
    assert.match(nameFor('gke-gcloud-auth-plugin', [], '34.1.2.3'), /is not for the server/);
  });
});
