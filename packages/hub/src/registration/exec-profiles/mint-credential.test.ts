import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { ExecPlugin } from '@flotilla/client';
import { type Clock, systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { createLogger } from '@flotilla/runtime';
import { eventually } from '@flotilla/testkit';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { ExecFailure } from './exec-failure.ts';
import type { ExecProfile } from './exec-profile.ts';
import { createMint } from './mint-credential.ts';

const V1 = 'client.authentication.k8s.io/v1';
const folder = mkdtempSync(join(tmpdir(), 'flotilla-mint-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const BOUNDED = { timeout: 30_000 };
const never = new AbortController().signal;
let scripts = 0;

/** A profile of one shell script, and how often it ran. */
function scripted(script: string, fields: Partial<ExecProfile> = {}) {
  const command = join(folder, `tool-${++scripts}`);
  writeFileSync(command, `#!/bin/sh\necho run >> "$0.runs"\n${script}\n`, { mode: 0o755 });
  const profile: ExecProfile = {
    name: 'tool',
    command,
    args: [],
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 30_000,
    namespaces: [],
    servers: [],
    ...fields,
  };
  const runs = () =>
    existsSync(`${command}.runs`)
      ? readFileSync(`${command}.runs`, 'utf8').split('\n').length - 1
      : 0;
  return { profile, command, runs };
}

const plugin = (fields: Partial<ExecPlugin> = {}): ExecPlugin => ({
  command: 'tool',
  apiVersion: V1,
  interactiveMode: 'IfAvailable',
  ...fields,
});

const answer = (status: object) =>
  `cat <<'END'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion: V1, status })}\nEND`;

function startMint(clock: Clock = systemClock) {
  const lines: string[] = [];
  const logger = createLogger({
    sink: { write: (line) => void lines.push(line) },
    clock,
    level: 'debug',
  });
  return { ...createMint({ clock, logger }), lines };
}

const tokenOf = (credential: MemberCredential) =>
  credential.type === 'ServiceAccountToken' ? credential.token.reveal() : undefined;

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('it did not fail'),
    (error: unknown) => {
      assert.ok(error instanceof ExecFailure, String(error));
      return error.message;
    },
  );

describe('minting credentials', () => {
  test('gives the token and when it ends', BOUNDED, async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    const { profile } = scripted(
      answer({ token: 'minted', expirationTimestamp: '2026-01-01T00:15:00Z' }),
    );
    const { mint } = startMint(clock);
    const minted = await mint({ profile, plugin: plugin() }, never);

    assert.equal(tokenOf(minted.credential), 'minted');
    assert.deepEqual(
      [minted.issuedAt, minted.expiresAt],
      [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:15:00Z')],
    );
  });

  test('gives a certificate, with the end that it has itself', BOUNDED, async () => {
    const { certificate, key } = testPair();
    const { profile } = scripted(
      answer({ clientCertificateData: certificate, clientKeyData: key }),
    );
    const { credential, expiresAt } = await startMint().mint({ profile, plugin: plugin() }, never);

    assert.ok(credential.type === 'X509Certificate');
    assert.deepEqual([credential.certificate, credential.key.reveal()], [certificate, key]);
    assert.deepEqual(expiresAt, new Date('2126-01-01T00:00:00Z'));
  });

  test(
    'hands on the arguments as they are, the environment of the profile, and nothing else',
    BOUNDED,
    async () => {
      // Node hands the variable of its coverage to every process it starts.
      const { profile, command } = scripted(
        `printf '%s\\n' "$@" > "$0.args"; env | cut -d= -f1 | grep -v NODE_V8_COVERAGE | sort > "$0.env"; printf '%s' "$KUBERNETES_EXEC_INFO" > "$0.info"; printf '%s' "$MODE" > "$0.mode"; readlink /proc/self/fd/0 > "$0.stdin"; ${answer({ token: 't' })}`,
        { env: { PATH: '/usr/bin:/bin', MODE: 'profile' } },
      );
      await startMint().mint(
        {
          profile,
          plugin: plugin({
            args: ['$(id)', '; rm -rf /', '`id`', 'a b'],
            env: [
              { name: 'MODE', value: 'kubeconfig' },
              { name: 'LD_PRELOAD', value: '/evil.so' },
            ],
            cluster: { server: 'https://api:443' },
          }),
        },
        never,
      );
      const written = (suffix: string) => readFileSync(`${command}.${suffix}`, 'utf8');

      assert.equal(written('args'), '$(id)\n; rm -rf /\n`id`\na b\n');
      assert.deepEqual(
        written('env')
          .split('\n')
          .filter((name) => !['', '_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name)),
        ['KUBERNETES_EXEC_INFO', 'MODE', 'PATH'],
      );
      assert.equal(written('mode'), 'profile');
      assert.deepEqual(JSON.parse(written('info')), {
        kind: 'ExecCredential',
        apiVersion: V1,
        spec: { cluster: { server: 'https://api:443' }, interactive: false },
      });
      assert.equal(written('stdin').trim(), '/dev/null');
    },
  );

  test(
    'runs once for all who ask at once, and again when four fifths of a life are over',
    BOUNDED,
    async () => {
      const clock = new ManualClock('2026-01-01T00:00:00Z');
      const { profile, runs } = scripted(
        answer({ token: 't', expirationTimestamp: '2026-01-01T01:00:00Z' }),
      );
      const { mint } = startMint(clock);
      await Promise.all([1, 2, 3].map(() => mint({ profile, plugin: plugin() }, never)));
      assert.equal(runs(), 1);

      await clock.advance(48 * 60_000 - 1);
      await mint({ profile, plugin: plugin() }, never);
      assert.equal(runs(), 1);
      await clock.advance(1);
      await mint({ profile, plugin: plugin() }, never);
      assert.equal(runs(), 2);
    },
  );

  test('renews two minutes before the end where that is earlier', BOUNDED, async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    const { profile, runs } = scripted(
      answer({ token: 't', expirationTimestamp: '2026-01-01T00:05:00Z' }),
    );
    const { mint } = startMint(clock);
    await mint({ profile, plugin: plugin() }, never);
    await clock.advance(3 * 60_000 - 1);
    await mint({ profile, plugin: plugin() }, never);
    assert.equal(runs(), 1);
    await clock.advance(1);
    await mint({ profile, plugin: plugin() }, never);
    assert.equal(runs(), 2);
  });

  test('keeps apart what other arguments, servers or profiles make', BOUNDED, async () => {
    const { profile, runs } = scripted(`cat <<END
{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"for-$1-$MODE"}}
END`);
    const { mint } = startMint();
    const ask = async (
      name: string,
      fields: Partial<ExecPlugin>,
      env: Record<string, string> = {},
    ) =>
      tokenOf(
        (
          await mint(
            {
              profile: { ...profile, name, env: { ...profile.env, ...env } },
              plugin: plugin(fields),
            },
            never,
          )
        ).credential,
      );

    assert.equal(await ask('tool', { args: ['a'] }), 'for-a-');
    assert.equal(await ask('tool', { args: ['b'] }), 'for-b-');
    assert.equal(await ask('tool', { args: ['a'] }, { MODE: 'm' }), 'for-a-m');
    await ask('tool', { args: ['a'], cluster: { server: 'https://other' } });
    await ask('other', { args: ['a'] });
    assert.equal(runs(), 5);
    await ask('tool', { args: ['a'] });
    assert.equal(runs(), 5);
  });

  test('makes another one after a member refused it', BOUNDED, async () => {
    const { profile, runs } = scripted(answer({ token: 't' }));
    const { mint, forget } = startMint();
    const { credential } = await mint({ profile, plugin: plugin() }, never);
    forget(credential);
    await mint({ profile, plugin: plugin() }, never);

    assert.equal(runs(), 2);
  });

  test('keeps no failure', BOUNDED, async () => {
    const { profile, command } = scripted(`[ -e "$0.fixed" ] || exit 1\n${answer({ token: 't' })}`);
    const { mint } = startMint();
    await failure(mint({ profile, plugin: plugin() }, never));
    writeFileSync(`${command}.fixed`, '');

    assert.equal(tokenOf((await mint({ profile, plugin: plugin() }, never)).credential), 't');
  });

  test('ends with its last caller', BOUNDED, async () => {
    const { profile, command } = scripted(`echo $$ > "$0.pid"; exec sleep 600`);
    const caller = new AbortController();
    const asked = startMint().mint({ profile, plugin: plugin() }, caller.signal);
    const pid = await pidIn(`${command}.pid`);
    caller.abort(new Error('gone'));

    await assert.rejects(asked, { message: 'gone' });
    await gone(pid);
  });
});

describe('REG-65 an allowed plugin', () => {
  test(
    'REG-65 that hangs is ended after its timeout, with everything it started',
    BOUNDED,
    async () => {
      const clock = new ManualClock();
      const { profile, command } = scripted(
        `sleep 600 & echo $! > "$0.child"; echo $$ > "$0.pid"; wait`,
      );
      const { mint } = startMint(clock);
      const asked = failure(mint({ profile, plugin: plugin() }, never));
      const pids = [await pidIn(`${command}.pid`), await pidIn(`${command}.child`)];
      await clock.advance(29_999);
      for (const pid of pids) assert.ok(isAlive(pid));
      await clock.advance(1);

      assert.match(await asked, /did not finish within 30 s/);
      await clock.advance(2000);
      for (const pid of pids) await gone(pid);
    },
  );

  test('REG-65 that ignores a polite end is ended all the same', BOUNDED, async () => {
    const clock = new ManualClock();
    const { profile, command } = scripted(
      `trap '' TERM; echo $$ > "$0.pid"; while :; do sleep 1; done`,
    );
    const asked = failure(startMint(clock).mint({ profile, plugin: plugin() }, never));
    const pid = await pidIn(`${command}.pid`);
    await clock.advance(30_000);
    await asked;
    await clock.advance(2000);
    await gone(pid);
  });

  test(
    'REG-65 may print warnings, which go to the log without what looks like a secret',
    BOUNDED,
    async () => {
      const { profile } = scripted(
        `echo 'WARNING: old; Authorization: Bearer abcdefghijklmnop key hunter2hunter2' >&2\n${answer({ token: 't' })}`,
        { env: { PATH: '/usr/bin:/bin', SECRET: 'hunter2hunter2' } },
      );
      const { mint, lines } = startMint();

      assert.equal(tokenOf((await mint({ profile, plugin: plugin() }, never)).credential), 't');
      const log = lines.join('\n');
      assert.match(log, /WARNING: old/);
      assert.doesNotMatch(log, /abcdefgh|hunter2/);
    },
  );

  for (const [title, script, message] of [
    [
      'returns a certificate without a key',
      answer({ clientCertificateData: 'x' }),
      /only certificate or key, not both/,
    ],
    [
      'exits with 1',
      `echo s3cret-out; echo s3cret-err token=s3cret-token >&2; exit 1`,
      /failed with exit code 1/,
    ],
    ['is killed', 'kill -9 $$', /exit code -1/],
    ['prints no credential', 'echo s3cret', /not an ExecCredential/],
    [
      'prints another version',
      `echo '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"s3cret"}}'`,
      /returned version/,
    ],
    ['prints too much', 'exec yes s3cret', /printed more than/],
    [
      'prints a token that is none',
      answer({ token: 's3cret\r\nX-Evil: 1' }),
      /no header can carry/,
    ],
    [
      'prints a time that is none',
      answer({ token: 's3cret', expirationTimestamp: 'soon' }),
      /not a time/,
    ],
  ] as const) {
    test(`REG-65 that ${title} fails, and nothing of its output is told`, BOUNDED, async () => {
      const { profile } = scripted(script);
      const { mint, lines } = startMint();
      const told = await failure(mint({ profile, plugin: plugin() }, never));

      assert.match(told, /^Cannot make a credential with exec profile "tool": /);
      assert.match(told, message);
      assert.doesNotMatch(told, /s3cret/);
      assert.doesNotMatch(lines.join(), /s3cret-token|s3cret-out/);
    });
  }

  test('REG-65 that is not there fails', BOUNDED, async () => {
    const { profile } = scripted('');
    const told = await failure(
      startMint().mint(
        {
          profile: { ...profile, command: '/nowhere/tool' },
          plugin: plugin({ installHint: 's3cret' }),
        },
        never,
      ),
    );

    assert.match(told, /\/nowhere\/tool: no such file/);
    assert.doesNotMatch(told, /s3cret/);
  });
});

function pidIn(path: string): Promise<number> {
  return eventually(() => {
    const pid = Number(existsSync(path) ? readFileSync(path, 'utf8') : Number.NaN);
    assert.ok(pid > 1);
    return pid;
  });
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended and that nobody has asked about yet is still listed.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function gone(pid: number): Promise<boolean> {
  return eventually(
    () => isAlive(pid),
    (alive) => !alive,
  );
}
