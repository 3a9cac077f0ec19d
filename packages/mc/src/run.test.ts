import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { runMc, startMc } from './testing/run-mc.ts';
import type { Call, Verb } from './verb.ts';

/** A verb that tells what it was called with. */
const echo = (name: string, flags: Verb['flags'] = []): Verb => ({
  name,
  usage: `${name} WORD`,
  summary: `Say ${name}`,
  flags,
  run: async ({ verb, args, rest, flags: given }: Call, { io, settings }) => {
    const { kubectl, verbosity, execution } = settings;
    const { context, namespaces } = kubectl;
    const { timeoutMs } = execution;
    const isAll = name === 'get' && given.bool('all-namespaces');
    const told = { verb, args, rest, context, namespaces, verbosity, timeoutMs, isAll };
    await io.out(JSON.stringify(told));
    return 7;
  },
});

const verbs = {
  get: async () => echo('get', [{ name: 'all-namespaces', short: 'A', kind: 'bool', help: 'All' }]),
  'auth can-i': async () => echo('auth can-i'),
  'auth whoami': async () => echo('auth whoami'),
  wait: async () => echo('wait', [{ name: 'timeout', kind: 'duration', help: 'How long' }]),
  frobnicate: async () => ({ ...echo('frob'), aliases: ['frobnicate'] }),
  frob: async () => ({ ...echo('frob'), aliases: ['frobnicate'] }),
};
const mc = (line: string) => runMc(line === '' ? [] : line.split(' '), { verbs });
const told = async (line: string) => {
  const { code, stdout, stderr } = await mc(line);
  assert.deepEqual([code, stderr], [7, '']);
  return JSON.parse(stdout) as Record<string, unknown>;
};

test('the version of the client needs no cluster', async () => {
  assert.deepEqual(await runMc(['version', '--client']), {
    code: 0,
    stdout: 'Client Version: v0.1.0\n',
    stderr: '',
  });
});

test('MC-80 flags may stand before the verb, between its words and behind them', async () => {
  for (const line of [
    '--context x get pods -A',
    '-A get --context=x pods',
    'get -A pods --context x',
  ]) {
    const { verb, args, context, isAll } = await told(line);
    assert.deepEqual([verb, args, context, isAll], ['get', ['pods'], 'x', true], line);
  }
  assert.deepEqual((await told('auth -n a can-i get pods')).args, ['get', 'pods']);
  assert.deepEqual((await told('auth -n a can-i get pods')).namespaces, ['a']);
});

test('MC-82 -v tells how much is told, in every way it is written', async () => {
  for (const [line, is] of [
    ['get', 0],
    ['get -v', 1],
    ['-v get', 1],
    ['get -v=8', 8],
    ['get -v8', 8],
    ['--v 8 get', 8],
    ['get --v=8', 8],
  ] as const) {
    assert.equal((await told(line)).verbosity, is, line);
  }
});

test('--timeout is the time of a cluster where the verb has none of its own', async () => {
  assert.equal((await told('get --timeout 2s')).timeoutMs, 2000);
  assert.equal((await told('wait --timeout 60s')).timeoutMs, 30_000);
  assert.equal((await told('wait --timeout 60s --cluster-timeout 2s')).timeoutMs, 2000);
});

test('what is behind -- belongs to the verb', async () => {
  assert.deepEqual((await told('get pods -- ls -A')).rest, ['ls', '-A']);
});

test('a verb that is unknown is refused, with the near ones', async () => {
  assert.deepEqual(await mc('gte pods'), {
    code: 1,
    stdout: '',
    stderr: 'error: unknown command "gte" for "kubectl mc"\n\nDid you mean this?\n\tget\n',
  });
  assert.equal((await mc('xyzzy')).stderr, 'error: unknown command "xyzzy" for "kubectl mc"\n');
  assert.equal(
    (await mc('auth can-y')).stderr,
    'error: unknown command "can-y" for "kubectl mc auth"\n\nDid you mean this?\n\tcan-i\n',
  );
  assert.equal((await mc('help gte')).code, 1);
});

test('a flag that is unknown is refused, with where the flags are listed', async () => {
  assert.deepEqual(await mc('get --frob'), {
    code: 1,
    stdout: '',
    stderr: "error: unknown flag: --frob\nSee 'kubectl mc get --help' for usage.\n",
  });
  assert.equal(
    (await mc('--clutsers x')).stderr,
    "error: unknown flag: --clutsers\n\nDid you mean this?\n\t--clusters\nSee 'kubectl mc --help' for usage.\n",
  );
  assert.equal(
    (await mc('get --concurrency 0')).stderr,
    'error: invalid argument "0" for "--concurrency" flag: must be 1 or more\nSee \'kubectl mc get --help\' for usage.\n',
  );
});

test('help is given for everything, in each of its forms', async () => {
  const root = await mc('');
  assert.equal(root.code, 0);
  assert.match(root.stdout, /^kubectl mc asks every cluster/);
  assert.match(root.stdout, /\nLook:\n[\s\S]*\n {2}get +Say get\n/);
  assert.match(root.stdout, /\n {2}auth can-i +Say auth can-i\n/);
  assert.doesNotMatch(root.stdout, /frobnicate|__/);
  for (const line of ['-h', '--help', 'help', 'help --help'])
    assert.deepEqual(await mc(line), root);

  const get = await mc('get --help');
  assert.match(get.stdout, /^Say get\.\n/);
  assert.match(get.stdout, /\n {2}-A, --all-namespaces {3}All\n/);
  assert.match(get.stdout, /Usage:\n {2}kubectl mc get WORD \[FLAGS\]\n/);
  for (const line of ['get -h', '-h get', 'help get', 'help get pods', 'get pods -A -h']) {
    assert.deepEqual(await mc(line), get, line);
  }
  assert.match((await mc('help frob')).stdout, /Aliases:\n {2}frob, frobnicate\n/);

  const auth = await mc('auth');
  assert.match(auth.stdout, /Say auth can-i[\s\S]*Say auth whoami/);
  for (const line of ['auth -h', 'help auth']) assert.deepEqual(await mc(line), auth, line);

  const options = await mc('options');
  assert.match(options.stdout, /--cluster-selector SELECTOR/);
  assert.match(options.stdout, /--cluster-timeout, --timeout DURATION/);
  assert.match(options.stdout, /--insecure-skip-tls-verify/);
});

test('no line of help is longer than a hundred characters', async () => {
  const { stdout } = await mc('options');
  for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
});

const waiting: Verb = {
  ...echo('waiting'),
  run: async (_, { io }) => {
    await io.out('begun\n');
    await io.clock.wait(60_000, io.signal);
    return 0;
  },
};

test('a run that is interrupted ends with the code of its signal, and in silence', async () => {
  for (const code of [130, 143] as const) {
    const run = startMc(['waiting'], { verbs: { waiting: async () => waiting } });
    await eventually(() => run.stdout() === 'begun\n');
    run.interrupt(code);
    assert.deepEqual(await run.done, { code, stdout: 'begun\n', stderr: '' });
  }
});

test('what a verb makes of an interrupt is printed, and the code is still that of the signal', async () => {
  const patient: Verb = {
    ...waiting,
    run: async (call, session) => {
      await waiting.run(call, session).catch(() => 0);
      await session.io.out('what there was\n');
      return 3;
    },
  };
  const run = startMc(['patient'], { verbs: { patient: async () => patient } });
  await eventually(() => run.stdout() === 'begun\n');
  run.interrupt();
  assert.deepEqual(await run.done, { code: 130, stdout: 'begun\nwhat there was\n', stderr: '' });
});

test('MC-52 a reader that has seen enough ends a run in silence', async () => {
  const run = startMc(['waiting'], { verbs: { waiting: async () => waiting } });
  await eventually(() => run.stdout() === 'begun\n');
  run.closeReader();
  assert.deepEqual(await run.done, { code: 0, stdout: 'begun\n', stderr: '' });
});

test('a mistake of ours is told without a stack, which FLOTILLA_DEBUG adds', async () => {
  const broken: Verb = {
    ...waiting,
    run: async () => {
      throw new TypeError('x is not a function');
    },
  };
  const options = { verbs: { broken: async () => broken } };
  assert.deepEqual(await runMc(['broken'], options), {
    code: 1,
    stdout: '',
    stderr:
      'error: x is not a function\nThis is a mistake of kubectl mc; FLOTILLA_DEBUG=1 shows where\n',
  });
  const { stderr } = await runMc(['broken'], { ...options, env: { FLOTILLA_DEBUG: '1' } });
  assert.match(stderr, /^error: x is not a function\n[\s\S]*\n {4}at /);
});
