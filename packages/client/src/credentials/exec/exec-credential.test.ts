import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { CERT, KEY, RENEWED_KEY } from '../testing/certificates.ts';
import { execCredential } from './exec-credential.ts';
import type { ExecHost, ExecPlugin } from './exec-plugin.ts';

const V1 = 'client.authentication.k8s.io/v1';
const folder = mkdtempSync(join(tmpdir(), 'flotilla-exec-'));
/** Processes of plugins that must end; a test that fails may leave some. */
const started = new Set<number>();
after(() => {
  for (const pid of started) {
    // Not by its group: one that was not made would be ours.
    if (readStatus(pid) !== '') process.kill(pid, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Of tests that wait for processes. */
const BOUNDED = { timeout: 20_000 };

let scripts = 0;

/** A plugin of one shell script, and how often it ran. */
function plugin(script: string, fields: Partial<ExecPlugin> = {}) {
  const command = join(folder, `plugin-${++scripts}`);
  writeFileSync(command, `#!/bin/sh\necho run >> "$0.runs"\n${script}\n`, { mode: 0o755 });
  const made: ExecPlugin = { command, apiVersion: V1, interactiveMode: 'Never', ...fields };
  const runs = () =>
    existsSync(`${command}.runs`)
      ? readFileSync(`${command}.runs`, 'utf8').split('\n').length - 1
      : 0;
  return { plugin: made, command, runs };
}

const answer = (status: object, apiVersion = V1) =>
  `cat <<'END'\n${JSON.stringify({ kind: 'ExecCredential', apiVersion, status })}\nEND`;

const host = (fields: Partial<ExecHost> = {}): ExecHost => ({
  env: { PATH: process.env['PATH'] },
  clock: systemClock,
  ...fields,
});

test('two callers at once share one run, and later ones its result', async () => {
  const { plugin: made, runs } = plugin(`sleep 0.1\n${answer({ token: 't' })}`);
  const credential = execCredential(made, host());
  const both = await Promise.all([credential.present(), credential.present()]);

  assert.deepEqual(both, [{ authorization: 'Bearer t' }, { authorization: 'Bearer t' }]);
  assert.equal((await credential.present()).authorization, 'Bearer t');
  assert.equal(runs(), 1);
});

test('nothing runs before a request needs it', () => {
  const { plugin: made, runs } = plugin(answer({ token: 't' }));
  execCredential(made, host());

  assert.equal(runs(), 0);
});

test('a credential is kept until shortly before it expires', async () => {
  const clock = new ManualClock('2026-01-01T00:00:00Z');
  const { plugin: made, runs } = plugin(
    answer({ token: 't', expirationTimestamp: '2026-01-01T00:10:00Z' }),
  );
  const credential = execCredential(made, host({ clock }));
  await credential.present();
  await clock.advance(9 * 60_000 + 50_000);
  await credential.present();
  assert.equal(runs(), 1);
  await clock.advance(1);
  await credential.present();
  assert.equal(runs(), 2);
});

test('a refused credential leads to one run more, whoever is refused first', async () => {
  const { plugin: made, runs } = plugin(
    `n=$(wc -l < "$0.runs" | tr -d ' ')\ncat <<END\n{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"t$n"}}\nEND`,
  );
  const credential = execCredential(made, host());
  const first = await credential.present();
  const answers = await Promise.all([credential.refused(first), credential.refused(first)]);

  assert.deepEqual(answers, [true, true]);
  assert.equal(await credential.refused(first), true);
  assert.equal((await credential.present()).authorization, 'Bearer t2');
  assert.equal(runs(), 2);
});

test('a plugin that says the same again gives no reason to try again', async () => {
  const { plugin: made } = plugin(answer({ token: 't' }));
  const credential = execCredential(made, host());

  assert.equal(await credential.refused(await credential.present()), false);
});

test('a plugin that fails after a refusal is warned of, without what it said', async () => {
  const warnings: string[] = [];
  const { plugin: made, command } = plugin(
    `if [ "$(wc -l < "$0.runs")" -gt 1 ]; then echo s3cret >&2; exit 7; fi\n${answer({ token: 't' })}`,
  );
  const credential = execCredential(made, host({ warn: (message) => warnings.push(message) }));

  assert.equal(await credential.refused(await credential.present()), false);
  assert.deepEqual(warnings, [
    `refreshing credentials: getting credentials: exec: executable ${command} failed with exit code 7`,
  ]);
});

test('a certificate comes with its key, and must fit it', async () => {
  const status = (key: string) => ({ clientCertificateData: CERT, clientKeyData: key });
  const good = execCredential(plugin(answer(status(KEY))).plugin, host());
  const bad = execCredential(plugin(answer(status(RENEWED_KEY))).plugin, host());

  assert.deepEqual(await good.present(), { certificate: { cert: CERT, key: KEY } });
  await assert.rejects(bad.present(), {
    message:
      'getting credentials: failed parsing client key/certificate: tls: private key does not match public key',
  });
});

test('the plugin is told about the cluster, and gets its variables beside ours', async () => {
  const { plugin: made } = plugin(
    `token=$(printf '%s|%s|%s' "$KUBERNETES_EXEC_INFO" "$OURS" "$1" | base64 | tr -d '\\n')
cat <<END\n{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"$token"}}\nEND`,
    {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      args: ['a b'],
      env: [{ name: 'OURS', value: 'given' }],
      cluster: { server: 'https://x', config: { audience: 'y' } },
    },
  );
  const { authorization = '' } = await execCredential(made, host()).present();
  const [info = '', ours, arg] = Buffer.from(authorization.slice(7), 'base64')
    .toString()
    .split('|');

  assert.deepEqual(JSON.parse(info), {
    kind: 'ExecCredential',
    apiVersion: 'client.authentication.k8s.io/v1beta1',
    spec: { cluster: { server: 'https://x', config: { audience: 'y' } }, interactive: false },
  });
  assert.deepEqual([ours, arg], ['given', 'a b']);
});

test('a plugin that hangs is ended with all it started', BOUNDED, async () => {
  const clock = new ManualClock();
  const { plugin: made, command } = plugin('sleep 60 &\necho $! > "$0.child"\nwait');
  const credential = execCredential(made, host({ clock }));
  const pending = credential.present();
  const outcome = assert.rejects(pending, {
    message: `getting credentials: exec: executable ${command} did not finish within 60 s`,
  });
  const pid = await pidIn(`${command}.child`);
  await clock.advance(60_000);
  await outcome;
  await gone(pid);
});

test('a plugin that ignores being asked to end is ended all the same', BOUNDED, async () => {
  const clock = new ManualClock();
  const { plugin: made, command } = plugin(
    `trap '' TERM\necho $$ > "$0.pid"\nwhile :; do sleep 1; done`,
  );
  const outcome = assert.rejects(execCredential(made, host({ clock })).present());
  const pid = await pidIn(`${command}.pid`);
  await clock.advance(60_000);
  await outcome;
  await clock.advance(2000);
  await gone(pid);
});

test(
  'a caller that stops waiting leaves the run to others; the last one ends it',
  BOUNDED,
  async () => {
    const { plugin: made, command } = plugin('echo $$ > "$0.pid"\nexec sleep 60');
    const credential = execCredential(made, host());
    const [first, second] = [new AbortController(), new AbortController()];
    const pending = [credential.present(first.signal), credential.present(second.signal)];
    const outcomes = pending.map((each) => assert.rejects(each, { message: 'enough' }));
    const pid = await pidIn(`${command}.pid`);
    first.abort(new Error('enough'));
    await outcomes[0];
    assert.equal(process.kill(pid, 0), true);
    second.abort(new Error('enough'));
    await outcomes[1];
    await gone(pid);
  },
);

const failures: readonly (readonly [title: string, script: string, message: string])[] = [
  ['exits 1', 'echo s3cret >&2; exit 1', 'exec: executable COMMAND failed with exit code 1'],
  [
    'prints garbage',
    'echo "s3cret: [garbage"',
    'decoding stdout: it is not an ExecCredential in JSON or YAML',
  ],
  [
    'prints a bare text',
    'echo s3cret',
    'decoding stdout: it is not an ExecCredential in JSON or YAML',
  ],
  ['prints nothing', 'true', 'decoding stdout: it is not an ExecCredential in JSON or YAML'],
  [
    'prints another kind',
    'echo \'{"kind":"Pod","apiVersion":"v1"}\'',
    'decoding stdout: it is not an ExecCredential',
  ],
  [
    'prints 2 MB',
    'head -c 2000000 /dev/zero',
    'exec: executable COMMAND printed more than 1048576 bytes',
  ],
  [
    'answers in another version',
    answer({ token: 's3cret' }, 'client.authentication.k8s.io/v1beta1'),
    `exec plugin is configured to use API version ${V1}, plugin returned version client.authentication.k8s.io/v1beta1`,
  ],
  ['answers nothing', answer({}), "exec plugin didn't return a token or cert/key pair"],
  [
    'answers half a pair',
    answer({ clientKeyData: KEY }),
    'exec plugin returned only certificate or key, not both',
  ],
  [
    'has no status',
    `echo '{"kind":"ExecCredential","apiVersion":"${V1}"}'`,
    "exec plugin didn't return a status field",
  ],
  [
    'answers a number for a token',
    answer({ token: 5 }),
    'decoding stdout: status.token is not of its type',
  ],
  [
    'expires never in RFC 3339',
    answer({ token: 's3cret', expirationTimestamp: 'tomorrow' }),
    'decoding stdout: status.expirationTimestamp is not a time in RFC 3339',
  ],
];

for (const [title, script, message] of failures) {
  test(`a plugin that ${title} is an error that shows nothing of its output`, async () => {
    const { plugin: made, command } = plugin(script);
    const error = await execCredential(made, host())
      .present()
      .catch((caught: Error) => caught);

    assert.ok(error instanceof Error);
    assert.equal(error.message, `getting credentials: ${message.replace('COMMAND', command)}`);
    assert.doesNotMatch(JSON.stringify([error, error.stack, error.cause]), /s3cret/);
  });
}

test('what a plugin says to people goes where the host wants it, up to a limit', async () => {
  const said: Buffer[] = [];
  const { plugin: made } = plugin(`head -c 100000 /dev/zero >&2\n${answer({ token: 't' })}`);
  await execCredential(made, host({ stderr: (chunk) => said.push(chunk) })).present();

  assert.equal(Buffer.concat(said).length, 64 * 1024);
});

test('a command that is not there is named with its hint, which steers no terminal', async () => {
  const made = { command: 'nope-plugin', apiVersion: V1, interactiveMode: 'Never' } as const;
  const credential = execCredential({ ...made, installHint: 'do \u001b[1mthis' }, host());
  const message = `getting credentials: exec: executable nope-plugin not found

It looks like you are trying to use a client-go credential plugin that is not installed.

To learn more about this feature, consult the documentation available at:
      https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins

do U+001B[1mthis`;
  for (let i = 0; i < 10; i++) await assert.rejects(credential.present(), { message });

  // Enough of it for this hour.
  await assert.rejects(credential.present(), {
    message: 'getting credentials: exec: executable nope-plugin not found',
  });
});

test('a path that leads nowhere is said in kubectl’s words', async () => {
  const made = { command: '/nope/plugin', apiVersion: V1, interactiveMode: 'Never' } as const;

  await assert.rejects(execCredential(made, host()).present(), {
    message: 'getting credentials: exec: fork/exec /nope/plugin: no such file or directory',
  });
});

test('a folder of PATH that is relative is not looked into', async () => {
  const { command } = plugin(answer({ token: 't' }));
  const name = command.slice(folder.length + 1);
  const made = { command: name, apiVersion: V1, interactiveMode: 'Never' } as const;

  const relative = execCredential(made, host({ env: { PATH: '.:bin' } }));
  await assert.rejects(relative.present(), /executable .* not found/);
  const absolute = execCredential(
    made,
    host({ env: { PATH: `.:${folder}:${process.env['PATH']}` } }),
  );
  assert.deepEqual(await absolute.present(), { authorization: 'Bearer t' });
});

test('a plugin that must ask somebody does not run where nobody is', async () => {
  const { plugin: made, runs } = plugin(answer({ token: 't' }), { interactiveMode: 'Always' });

  await assert.rejects(execCredential(made, host()).present(), {
    message:
      'getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal',
  });
  assert.equal(runs(), 0);
});

test('where somebody sits at a terminal, a plugin is told so and may take its time', async () => {
  const clock = new ManualClock();
  const { plugin: made } = plugin(
    `token=$(printf '%s' "$KUBERNETES_EXEC_INFO" | tr -dc 'a-z')
cat <<END\n{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"$token"}}\nEND`,
    { interactiveMode: 'IfAvailable' },
  );
  const pending = execCredential(made, host({ clock, isTerminal: true })).present();
  await clock.advance(3_600_000);

  assert.match((await pending).authorization ?? '', /interactivetrue$/);
});

test('a plugin is told that somebody is there only if it wants to know and somebody is', async () => {
  const told = async (
    interactiveMode: ExecPlugin['interactiveMode'],
    isTerminal: boolean,
  ): Promise<string> => {
    const { plugin: made } = plugin(
      `token=$(printf '%s' "$KUBERNETES_EXEC_INFO" | tr -dc 'a-z')
cat <<END\n{"kind":"ExecCredential","apiVersion":"${V1}","status":{"token":"$token"}}\nEND`,
      { interactiveMode },
    );
    const { authorization = '' } = await execCredential(made, host({ isTerminal })).present();
    return /interactive(true|false)$/.exec(authorization)?.[1] ?? authorization;
  };

  assert.equal(await told('Never', true), 'false');
  assert.equal(await told('Never', false), 'false');
  assert.equal(await told('IfAvailable', false), 'false');
  assert.equal(await told('Always', true), 'true');
});

test('a version kubectl does not know is refused', () => {
  const made = { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' };

  assert.throws(() => execCredential({ ...made, interactiveMode: 'Never' }, host()), {
    message: 'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
  });
});

test('what the policy does not allow never runs', async () => {
  const { plugin: made, command, runs } = plugin(answer({ token: 't' }));
  const refused = (policy: NonNullable<ExecHost['policy']>) =>
    execCredential(made, host({ policy })).present();

  await assert.rejects(refused({ policy: 'DenyAll' }), {
    message: `getting credentials: plugin "${command}" not allowed: policy set to "DenyAll"`,
  });
  await assert.rejects(refused({ policy: 'Allowlist', allowlist: [{ command: 'aws' }] }), {
    message: `getting credentials: plugin path "${command}" is not permitted by the credential plugin allowlist`,
  });
  assert.equal(runs(), 0);
  const allowed = await refused({ policy: 'Allowlist', allowlist: [{ command }] });
  assert.deepEqual(allowed, { authorization: 'Bearer t' });
});

/** The process that a plugin wrote down, once it did. */
async function pidIn(path: string): Promise<number> {
  while (!existsSync(path) || !readFileSync(path, 'utf8').endsWith('\n')) await delay(10);
  const pid = Number(readFileSync(path, 'utf8'));
  started.add(pid);
  return pid;
}

/** Ends when there is no such process any more. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      break;
    }
    // A zombie is gone, too: nobody reaps the children of a plugin in some sandboxes.
    if (/^State:\tZ/m.test(readStatus(pid))) break;
    await delay(10);
  }
  started.delete(pid);
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
