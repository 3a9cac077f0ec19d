import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ExecPlugin } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import {
  printsNextToken,
  printsToken,
  routingIn,
  type TestHome,
  testHome,
} from '../testing/routing.ts';
import { expiresAt } from './expiry.ts';
import { pluginErrorOf } from './plugin-error.ts';

const plugin = (args: readonly string[] = [], changes: Partial<ExecPlugin> = {}): ExecPlugin => ({
  command: 'login',
  args,
  apiVersion: 'client.authentication.k8s.io/v1beta1',
  interactiveMode: 'Never',
  ...changes,
});

const calls = (home: TestHome): string[] =>
  existsSync(home.callsFile) ? readFileSync(home.callsFile, 'utf8').trim().split('\n') : [];

test('equal commands run once for all clusters that need them', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t1'));
  const { credentials } = routingIn(home);

  const presented = await Promise.all([
    credentials.ofPlugin(plugin(['a'])).present(),
    credentials.ofPlugin(plugin(['a'])).present(),
    credentials.pool
      .share(plugin(['a']), () => {
        throw new Error('not asked');
      })
      .present(),
  ]);
  await credentials.ofPlugin(plugin(['b'])).present();
  await credentials.ofPlugin(plugin(['a'], { env: [{ name: 'A', value: '1' }] })).present();

  assert.deepEqual(
    presented.map(({ authorization }) => authorization),
    ['Bearer t1', 'Bearer t1', 'Bearer t1'],
  );
  assert.deepEqual(calls(home), ['login a', 'login b', 'login a']);
});

test('commands that are told of their cluster run for each', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t'));
  const { credentials } = routingIn(home);

  await credentials.ofPlugin(plugin([], { cluster: { server: 'https://a' } })).present();
  await credentials.ofPlugin(plugin([], { cluster: { server: 'https://b' } })).present();

  assert.equal(calls(home).length, 2);
});

test('a credential is renewed before it expires', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t', { expires: '1970-01-01T00:10:00Z' }));
  const clock = new ManualClock(0);
  const { credentials } = routingIn(home, { clock });
  const credential = credentials.ofPlugin(plugin());

  const presented = await credential.present();
  await clock.advance(589_000);
  await credential.present();
  assert.equal(calls(home).length, 1);
  assert.equal(expiresAt(presented), 600_000);
  await clock.advance(2_000);
  await credential.present();

  assert.equal(calls(home).length, 2);
});

test('MC-42 a refused credential leads to one run more, shared by all who were refused', async () => {
  using home = testHome();
  home.script('bin/login', printsNextToken(home));
  const { credentials } = routingIn(home);
  const credential = credentials.ofPlugin(plugin());
  const first = await credential.present();

  const worth = await Promise.all([credential.refused(first), credential.refused(first)]);

  assert.deepEqual(worth, [true, true]);
  assert.equal(await credential.refused(first), true);
  assert.equal(calls(home).length, 2);
  assert.notEqual((await credential.present()).authorization, first.authorization);
});

test('a command that gives the refused credential again is believed to have no other', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('same'));
  const credential = routingIn(home).credentials.ofPlugin(plugin());

  assert.equal(await credential.refused(await credential.present()), false);
  assert.equal(calls(home).length, 2);
});

test('MC-45 a missing command is told in the same line for each cluster, with how to get it', async () => {
  using home = testHome();
  const { credentials, warnings } = routingIn(home, { env: { PATH: join(home.folder, 'bin') } });
  const failures = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      credentials
        .ofPlugin(plugin(['eks', 'get-token', '--cluster-name', name], { command: 'aws' }))
        .present()
        .then(
          () => undefined,
          (error: Error) => error,
        ),
    ),
  );

  for (const error of failures) {
    assert.equal(error?.message, 'getting credentials: exec: executable aws not found');
    const plugin = pluginErrorOf(new Error('wrapped', { cause: error }));
    assert.equal(plugin?.isMissing, true);
    assert.match(plugin?.hint ?? '', /^install the AWS CLI: https:/);
  }
  assert.deepEqual(warnings, []);
});

test('how to get a command is told by its configuration where we do not know it', async () => {
  using home = testHome();
  const { credentials } = routingIn(home);

  await assert.rejects(
    credentials
      .ofPlugin(plugin([], { command: 'nope', installHint: 'brew install nope' }))
      .present(),
    { isMissing: true, hint: 'its configuration says: brew install nope' },
  );
});

test('MC-44 what a failing command says is shown at -v without its secrets', async () => {
  using home = testHome();
  home.script(
    'bin/login',
    'echo "Error: no session; password=hunter2" >&2; printf "\\033]0;title\\007\\n" >&2; echo "$CLIENT_SECRET" >&2; printf "%s\\n" "-----BEGIN PRIVATE KEY-----" abc "-----END PRIVATE KEY-----" >&2; exit 1',
  );
  const failing = plugin([], { env: [{ name: 'CLIENT_SECRET', value: 'very secret' }] });
  const quiet = routingIn(home);
  const loud = routingIn(home, { verbosity: 1 });

  await assert.rejects(quiet.credentials.ofPlugin(failing).present(), {
    message: 'getting credentials: exec: executable login failed with exit code 1',
  });
  await assert.rejects(loud.credentials.ofPlugin(failing).present());

  assert.deepEqual([...quiet.notes, ...quiet.warnings, ...quiet.said], []);
  assert.deepEqual(loud.notes, [
    'login: Error: no session; password=<redacted>',
    'login: ^[]0;title^G',
    'login: <redacted>',
    'login: <redacted>',
  ]);
});

test('a command that failed is not run again for every cluster, but after a while', async () => {
  using home = testHome();
  home.script('bin/login', 'exit 1');
  const clock = new ManualClock(0);
  const credential = routingIn(home, { clock }).credentials.ofPlugin(plugin());

  for (let n = 0; n < 5; n += 1) await assert.rejects(credential.present());
  assert.equal(calls(home).length, 1);
  await clock.advance(10_001);
  await assert.rejects(credential.present());

  assert.equal(calls(home).length, 2);
});

test('MC-44 a command that hangs is ended at the time limit with all it started', async () => {
  using home = testHome();
  home.script('bin/login', `trap '' TERM; sleep 300 & echo "$! $$" > '${home.folder}/pids'; wait`);
  const clock = new ManualClock(0);
  const { credentials } = routingIn(home, { clock, execution: { timeoutMs: 30_000 } });
  const pidsFile = join(home.folder, 'pids');

  const presenting = credentials.ofPlugin(plugin()).present();
  await eventually(
    () => existsSync(pidsFile) && readFileSync(pidsFile, 'utf8').endsWith('\n'),
    Boolean,
  );
  const failing = assert.rejects(presenting, {
    message: 'getting credentials: exec: executable login did not finish within 27 s',
  });
  await clock.advance(27_000);
  await failing;

  // It does not listen to a polite request, and what it started must not outlive it.
  await clock.advance(2_000);
  const [started = 0, own = 0] = readFileSync(pidsFile, 'utf8').trim().split(' ').map(Number);
  await eventually(
    () => ({ own: isThere(own), started: isThere(started) && !isZombie(started) }),
    (left) => !left.own && !left.started,
  );
});

test('whoever waits on a terminal is heard after a moment, others are not', async () => {
  using home = testHome();
  home.script(
    'bin/login',
    `echo 'enter the code ABC' >&2; until [ -e '${home.folder}/go' ]; do sleep 0.05; done; ${printsToken('t')}`,
  );
  const clock = new ManualClock(0);
  const routing = routingIn(home, { isTerminal: true, clock });
  const credential = routing.credentials.ofPlugin(plugin([], { interactiveMode: 'IfAvailable' }));

  const presenting = credential.present();
  await eventually(
    async () => {
      await clock.advance(500);
      return routing.said;
    },
    (said) => said.length > 0,
  );
  home.file('go', '');
  await presenting;

  assert.deepEqual(routing.said, ['login: enter the code ABC\n']);
});

test("the user's kuberc decides what may run at all", async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t'));
  home.file('.kube/kuberc', 'credentialPluginPolicy: DenyAll');
  const { credentials } = routingIn(home);

  await assert.rejects(credentials.ofPlugin(plugin()).present(), {
    message: /plugin "login" not allowed: policy set to "DenyAll"/,
  });
  home.file(
    '.kube/kuberc',
    'credentialPluginPolicy: Allowlist\ncredentialPluginAllowlist: [{command: x}]',
  );
  await assert.rejects(routingIn(home).credentials.ofPlugin(plugin()).present(), {
    message: /is not permitted by the credential plugin allowlist/,
  });
  home.file('.kube/kuberc', 'credentialPluginPolicy: [');
  await assert.rejects(routingIn(home).credentials.ofPlugin(plugin()).present(), {
    message: /Cannot use kuberc/,
  });
  assert.deepEqual(calls(home), []);
});

const LATER = new Date(Date.parse('2126-01-01T00:00:00Z')).toISOString();
const cached = { access: { diskCache: true } };
const cacheFolder = (home: TestHome) => join(home.folder, '.kube/cache/kubectl-mc/credentials');

test('on disk nothing is kept unless the user wants it', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t', { expires: LATER }));

  await routingIn(home).credentials.ofPlugin(plugin()).present();

  assert.equal(existsSync(cacheFolder(home)), false);
});

test('with the cache on, later runs take what an earlier one got, for its owner alone to read', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t', { expires: LATER }));
  await routingIn(home, cached)
    .credentials.ofPlugin(plugin(['secret-arg']))
    .present();

  const later = routingIn(home, cached).credentials;
  const presented = await later.ofPlugin(plugin(['secret-arg'])).present();

  assert.equal(presented.authorization, 'Bearer t');
  assert.equal(expiresAt(presented), Date.parse(LATER));
  assert.equal(calls(home).length, 1);
  const [file = ''] = readdirSync(cacheFolder(home));
  assert.equal(statSync(join(cacheFolder(home), file)).mode & 0o777, 0o600);
  assert.match(file, /^[0-9a-f]{64}\.json$/);
});

test('with another environment one may be somebody else, and the cache is not used', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t', { expires: LATER }));
  const present = (env: Record<string, string>) =>
    routingIn(home, { ...cached, env })
      .credentials.ofPlugin(plugin())
      .present();

  await present({ AWS_PROFILE: 'dev', PWD: '/a' });
  await present({ AWS_PROFILE: 'dev', PWD: '/b' });
  assert.equal(calls(home).length, 1);
  await present({ AWS_PROFILE: 'prod', PWD: '/a' });

  assert.equal(calls(home).length, 2);
});

test('a credential without an end, or near it, is not kept', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t'));
  await routingIn(home, cached).credentials.ofPlugin(plugin()).present();
  home.script('bin/login', printsToken('t', { expires: '1970-01-01T00:10:00Z' }));
  const clock = new ManualClock(541_000);
  await routingIn(home, { ...cached, clock })
    .credentials.ofPlugin(plugin())
    .present();
  assert.equal(existsSync(cacheFolder(home)), false);

  const early = new ManualClock(0);
  await routingIn(home, { ...cached, clock: early })
    .credentials.ofPlugin(plugin())
    .present();
  assert.equal(readdirSync(cacheFolder(home)).length, 1);
  await routingIn(home, { ...cached, clock })
    .credentials.ofPlugin(plugin())
    .present();

  assert.equal(calls(home).length, 4);
});

test('a cached credential that a server refuses is dropped, and one run gets another', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('old', { expires: LATER }));
  await routingIn(home, cached).credentials.ofPlugin(plugin()).present();
  home.script('bin/login', printsToken('new', { expires: LATER }));
  const credential = routingIn(home, cached).credentials.ofPlugin(plugin());

  const refused = await credential.present();
  assert.equal(refused.authorization, 'Bearer old');
  assert.equal(await credential.refused(refused), true);

  assert.equal((await credential.present()).authorization, 'Bearer new');
  assert.equal(
    (await routingIn(home, cached).credentials.ofPlugin(plugin()).present()).authorization,
    'Bearer new',
  );
  assert.equal(calls(home).length, 2);
});

test('cache files that others could read or that are damaged do not count', async () => {
  using home = testHome();
  home.script('bin/login', printsToken('t', { expires: LATER }));
  const present = () => routingIn(home, cached).credentials.ofPlugin(plugin()).present();
  await present();
  const [name = ''] = readdirSync(cacheFolder(home));
  const file = join(cacheFolder(home), name);

  chmodSync(file, 0o644);
  await present();
  assert.equal(calls(home).length, 2);
  for (const text of ['{', '{}', '{"presented":{"authorization":3},"expiresAt":9e15}', 'null']) {
    home.file(`.kube/cache/kubectl-mc/credentials/${name}`, text);
    chmodSync(file, 0o600);
    await present();
  }

  assert.equal(calls(home).length, 6);
});

/** A zombie is there, too: whoever started it has not waited for its end. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What lost its parent is the system's to bury, when it likes. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
