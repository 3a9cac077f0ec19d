import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '@flotilla/machinery';
import { silentLogger } from '@flotilla/runtime';
import type { ExecProfile } from '../exec-profiles/exec-profile.ts';
import { createMint } from '../exec-profiles/mint-credential.ts';
import {
  kubeconfig,
  NOW,
  type SourceHub,
  type SourceTestOptions,
  startSourceHub,
} from './testing/source-hub.ts';

const V1 = 'client.authentication.k8s.io/v1';
const folder = mkdtempSync(join(tmpdir(), 'flotilla-exec-source-'));
const command = join(folder, 'tool');

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const profile: ExecProfile = {
  name: 'tool',
  command,
  args: [{ exact: 'token' }],
  env: { PATH: '/usr/bin:/bin' },
  timeoutMs: 30_000,
  namespaces: ['vela-system', 'team'],
  servers: [],
};

let count = 0;

/** A registration whose kubeconfig runs the tool, which does what the script says. */
async function asked(script: string, { exec = '', server = 'https://api:6443' } = {}) {
  rmSync(`${command}.ran`, { force: true });
  writeFileSync(command, `#!/bin/sh\ntouch "$0.ran"\n${script}\n`, { mode: 0o755 });
  const name = `exec-${++count}`;
  const user = `exec: {command: tool, args: [token], apiVersion: ${V1}, interactiveMode: IfAvailable${exec}}`;
  await hub.createSecret(`vela-system/${name}`, {
    kubeconfig: kubeconfig({ user, cluster: `server: "${server}"` }),
  });
  const options: SourceTestOptions = {
    execProfiles: [profile],
    runExec: createMint({
      clock: { ...systemClock, now: () => NOW.getTime() },
      logger: silentLogger,
    }).mint,
  };
  return { source: { secretRef: { name } }, options };
}

const answer = (status: object) =>
  `cat <<'END'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status })}\nEND`;

describe('a kubeconfig with a command', () => {
  test('that a profile allows gives what the command makes, to be made again in time', async () => {
    const { source, options } = await asked(
      answer({ token: 'minted', expirationTimestamp: '2026-06-01T13:00:00Z' }),
      { exec: ', env: [{name: AWS_PROFILE, value: s3cret}]' },
    );
    const found = await hub.resolve(source, options);

    assert.ok(found.member.credential.type === 'ServiceAccountToken');
    assert.equal(found.member.credential.token.reveal(), 'minted');
    assert.deepEqual(
      [found.issuedAt, found.expiresAt, found.refreshAt],
      [NOW, new Date('2026-06-01T13:00:00Z'), new Date('2026-06-01T12:48:00Z')],
    );
    assert.deepEqual(
      found.warnings.map(({ reason }) => reason),
      ['ExecEnvIgnored'],
    );
    assert.doesNotMatch(JSON.stringify(found), /s3cret|minted/);
  });

  test('is run once more for a member that refuses what it made before', async () => {
    const { source, options } = await asked(`echo x >> "$0.count"\n${answer({ token: 't' })}`);
    const times = () => readFileSync(`${command}.count`, 'utf8').length / 2;
    const refusedAt = (time: string) => ({
      ...options,
      conditions: [
        {
          type: 'CredentialValid',
          status: 'False' as const,
          reason: 'Unauthorized',
          message: '',
          lastTransitionTime: time,
        },
      ],
    });
    await hub.resolve(source, options);
    await hub.resolve(source, refusedAt('2026-06-01T11:59:58Z'));
    assert.equal(times(), 1);
    await hub.resolve(source, refusedAt('2026-06-01T12:00:00Z'));
    assert.equal(times(), 2);
  });

  test('that fails is worth another try, and tells nothing of what it printed', async () => {
    const { source, options } = await asked('echo s3cret; echo s3cret >&2; exit 1');
    const problem = await hub.refuse(source, options);

    assert.deepEqual(
      [problem.reason, problem.isWaiting, problem.retryAfterMs],
      ['ExecFailed', false, 30_000],
    );
    assert.doesNotMatch(problem.message, /s3cret/);
  });

  for (const [title, script] of [
    ['returns a certificate without a key', answer({ clientCertificateData: 's3cret' })],
    ['exits with 1', 'echo s3cret >&2; exit 1'],
  ] as const) {
    test(`REG-65 that ${title} is ExecFailed`, async () => {
      const { source, options } = await asked(script);
      const { reason, message } = await hub.refuse(source, options);
      assert.equal(reason, 'ExecFailed');
      assert.doesNotMatch(message, /s3cret/);
    });
  }

  test('REG-28 that no profile allows is refused, and no process is started', async () => {
    const refused: readonly [
      Parameters<typeof asked>[1],
      SourceTestOptions & { namespace?: string },
    ][] = [
      [{}, { execProfiles: [] }],
      [{}, { execProfiles: [{ ...profile, args: [] }] }],
      [{}, { execProfiles: [{ ...profile, command: '/opt/other' }] }],
      [{}, { execProfiles: [{ ...profile, namespaces: ['team'] }] }],
      [{}, { execProfiles: [{ ...profile, servers: [/^(?:other)$/u] }] }],
      [
        { exec: ', provideClusterInfo: true', server: 'https://s3cret' },
        { execProfiles: [{ ...profile, args: [] }] },
      ],
    ];
    for (const [how, more] of refused) {
      const { source, options } = await asked(answer({ token: 't' }), how);
      const problem = await hub.refuse(source, { ...options, ...more });
      assert.equal(problem.reason, 'ExecNotAllowed');
      assert.ok(!existsSync(`${command}.ran`), problem.message);
    }
  });

  test('is not run for a server that the hub would not dial', async () => {
    const { source, options } = await asked(answer({ token: 't' }), {
      server: 'https://169.254.169.254',
    });

    assert.equal((await hub.refuse(source, options)).reason, 'EndpointDenied');
    assert.ok(!existsSync(`${command}.ran`));
  });

  test('beside another credential is refused', async () => {
    const { options } = await asked(answer({ token: 't' }));
    await hub.createSecret('vela-system/both', {
      kubeconfig: kubeconfig({
        user: `token: t, exec: {command: tool, apiVersion: ${V1}, interactiveMode: Never}`,
      }),
    });

    assert.equal(
      (await hub.refuse({ secretRef: { name: 'both' } }, options)).reason,
      'KubeconfigInvalid',
    );
  });
});
