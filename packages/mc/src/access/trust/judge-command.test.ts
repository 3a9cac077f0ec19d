import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExecProposal } from '../properties/exec-properties.ts';
import { type JudgeDeps, judgeCommand } from './judge-command.ts';

const proposal = (command: string, args: readonly string[] = [], env = {}): ExecProposal => ({
  command,
  args,
  env,
  apiVersion: 'client.authentication.k8s.io/v1beta1',
  interactiveMode: 'IfAvailable',
  provideClusterInfo: false,
});

const usual: JudgeDeps = {
  allowedCommands: [],
  builtinTemplates: true,
  isTrusted: async () => await Promise.resolve(false),
};

const EKS = ['eks', 'get-token', '--cluster-name', 'prod'];
const AKS = [
  'get-token',
  '--login',
  'azurecli',
  '--server-id',
  '6dae42f8-4368-4678-94ff-3960e28e3630',
];
const ID = '01234567-89ab-cdef-0123-456789abcdef';

for (const [command, args, env] of [
  ['aws', EKS],
  ['aws', ['--region', 'us-east-1', ...EKS]],
  ['aws', ['--profile=dev', '--region=eu-central-1', ...EKS, '--output', 'json']],
  ['aws', [...EKS, '--role-arn', 'arn:aws:iam::123456789012:role/teams/reader']],
  ['aws', [...EKS, '--region', 'us-gov-west-1', '--profile', 'my profile'], { AWS_PROFILE: 'dev' }],
  ['gke-gcloud-auth-plugin', []],
  ['gke-gcloud-auth-plugin', ['--use_application_default_credentials']],
  ['kubelogin', AKS],
  [
    'kubelogin',
    [
      'get-token',
      '--environment',
      'AzurePublicCloud',
      '--server-id',
      '6dae42f8-4368-4678-94ff-3960e28e3630',
      '--client-id',
      '80faf920-1908-4b52-b5ef-a8e7bedfc67a',
      '--tenant-id',
      ID,
      '--login',
      'devicecode',
    ],
  ],
] as const) {
  test(`a built-in template is trusted: ${command} ${args.join(' ')}`, async () => {
    assert.equal(await judgeCommand(proposal(command, args, env), usual), 'trusted');
    assert.equal(
      await judgeCommand(proposal(command, args, env), { ...usual, builtinTemplates: false }),
      'unknown',
    );
  });
}

for (const [command, args, env] of [
  ['aws', []],
  ['aws', ['eks', 'get-token']],
  ['aws', ['s3', 'rm', 's3://bucket', '--recursive']],
  ['aws', ['--endpoint-url', 'https://evil.example', ...EKS]],
  ['aws', [...EKS, '--endpoint-url=https://evil.example']],
  ['aws', [...EKS, '--endpoint', 'https://evil.example']],
  ['aws', [...EKS, '--no-verify-ssl']],
  ['aws', [...EKS, '--ca-bundle', '/tmp/ca']],
  ['aws', [...EKS, '--debug']],
  ['aws', [...EKS, '--region', 'us-east-1', '--region', 'us-east-2']],
  ['aws', [...EKS, '--output', 'text']],
  ['aws', [...EKS, '--profile']],
  ['aws', [...EKS, '--profile', '--debug']],
  ['aws', ['eks', 'get-token', '--cluster-name', 'file:///etc/passwd']],
  ['aws', ['eks', 'get-token', '--cluster-name', 'https://evil.example']],
  ['aws', ['eks', 'get-token', '--cluster-name', 'a b']],
  ['aws', [...EKS, 'extra']],
  ['aws', ['--region', 'eks', 'get-token', '--cluster-name', 'x']],
  ['aws', EKS, { AWS_MAX_ATTEMPTS: '1' }],
  ['aws', EKS, { AWS_PROFILE: '$(id)' }],
  ['aws.exe', EKS],
  ['/usr/bin/aws', EKS],
  ['AWS', EKS],
  ['gke-gcloud-auth-plugin', ['--impersonate_service_account', 'x']],
  ['gke-gcloud-auth-plugin', [], { CLOUDSDK_CORE_ACCOUNT: 'x' }],
  ['kubelogin', ['get-token']],
  ['kubelogin', ['convert-kubeconfig']],
  ['kubelogin', [...AKS, '--authority-host', 'https://evil.example/']],
  ['kubelogin', [...AKS, '--federated-token-file', '/etc/passwd']],
  ['kubelogin', [...AKS, '--username', 'u', '--password', 'p']],
  ['kubelogin', ['get-token', '--server-id', ID]],
  ['kubelogin', ['get-token', '--oidc-issuer-url=https://evil.example', '--oidc-client-id=x']],
  ['kubelogin', [...AKS.slice(0, 1), '-l', 'interactive', ...AKS.slice(3), '--client-id', ID]],
  ['my-auth', ['get-token']],
  ['/opt/bin/my-auth', []],
  ['constructor', []],
  ['__proto__', []],
] as const) {
  test(`what only looks like a template is not: ${command} ${args.join(' ')}`, async () => {
    const verdict = await judgeCommand(proposal(command, args, env), usual);
    assert.notEqual(verdict, 'trusted');
  });
}

for (const [command, args, reason] of [
  ['./aws', EKS, /neither a bare name nor an absolute path/],
  ['bin/aws', EKS, /neither a bare name/],
  ['../../aws', EKS, /\.\./],
  ['/usr/bin/../../tmp/aws', EKS, /\.\./],
  ['/usr//bin/aws', EKS, /detours/],
  ['aws; rm -rf /', EKS, /characters/],
  ['$(curl evil)', [], /characters/],
  ['`id`', [], /characters/],
  ['aws|sh', [], /characters/],
  ['a\nb', [], /characters/],
  ['a\u202eb', [], /characters/],
  ['-aws', [], /neither a bare name/],
  ['aws', ['eks\0'], /NUL/],
  ['/bin/sh', ['-c', 'id'], /whatever its arguments say/],
  ['bash', ['-c', 'id'], /whatever its arguments say/],
  ['/usr/bin/python3.12', ['-c', '1'], /whatever its arguments say/],
  ['env', ['sh'], /whatever its arguments say/],
  ['cmd.exe', ['/c', 'x'], /whatever its arguments say/],
  ['my-auth', ['x'.repeat(5000)], /too long/],
] as const) {
  test(`never run, whoever would trust it: ${JSON.stringify(command)}`, async () => {
    const verdict = await judgeCommand(proposal(command, args), {
      ...usual,
      isTrusted: async () => await Promise.resolve(true),
    });
    assert.ok(typeof verdict === 'object');
    assert.match(verdict.refused, reason);
  });
}

for (const name of [
  'PATH',
  'Path',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'NODE_OPTIONS',
  'PYTHONPATH',
  'PYTHONSTARTUP',
  'BASH_ENV',
  'PERL5OPT',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'AWS_ENDPOINT_URL',
  'AWS_ENDPOINT_URL_STS',
  'AWS_CA_BUNDLE',
  'CLOUDSDK_PYTHON',
  'CLOUDSDK_CONFIG',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'AZURE_EXTENSION_DIR',
  'HTTPS_PROXY',
  'https_proxy',
  'SSL_CERT_FILE',
  'KUBECONFIG',
  'KUBERNETES_EXEC_INFO',
  'HOME',
]) {
  test(`profiles may not set ${name}, even for a command that is allowed`, async () => {
    const verdict = await judgeCommand(proposal('aws', EKS, { [name]: 'x' }), {
      ...usual,
      allowedCommands: [{ command: 'aws' }],
    });
    assert.deepEqual(verdict, {
      refused: `profiles may not set the environment variable ${name}`,
    });
  });
}

test('what the user allows is trusted: any arguments, or exactly these', async () => {
  const allowedCommands = [
    { command: 'my-auth' },
    { command: '/opt/login', args: ['get-token', 'x'] },
    { command: 'python3', args: ['/opt/login.py'] },
  ];
  const judge = (command: string, args: string[]) =>
    judgeCommand(proposal(command, args), { ...usual, allowedCommands });

  assert.equal(await judge('my-auth', ['a', 'b']), 'trusted');
  assert.equal(await judge('/opt/login', ['get-token', 'x']), 'trusted');
  assert.equal(await judge('/opt/login', ['get-token', 'y']), 'unknown');
  assert.equal(await judge('/opt/login', ['get-token']), 'unknown');
  assert.equal(await judge('/tmp/my-auth', []), 'unknown');
  assert.equal(await judge('python3', ['/opt/login.py']), 'trusted');
  assert.equal(typeof (await judge('python3', ['-c', 'x'])), 'object');
});
