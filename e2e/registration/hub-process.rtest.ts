// `flotilla hub` in a process of its own, on a real kube-apiserver.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Client, createClient, createTransport, Secrets } from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import {
  kubeconfigFor,
  registration,
  sourceSecret,
  textsOf,
} from '../../packages/hub/src/registration/testing/builders.ts';
import {
  startMember,
  type TestMember,
} from '../../packages/hub/src/registration/testing/member.ts';
import { eventually } from '../../packages/testkit/src/eventually.ts';
import { accessOf } from '../client/access.ts';
import { BUILT_IN, type Side, startSide } from '../sides.ts';

const LAUNCHER = join('packages', 'cli', 'bin', 'flotilla.mjs');
const PATIENCE = { withinMs: 60_000, everyMs: 100, tolerates: isNotFound };

let side: Side;
let client: Client;
let member: TestMember;
let folder: string;

before(async () => {
  [side, member] = await Promise.all([startSide('real', { controllers: BUILT_IN }), startMember()]);
  client = createClient(
    createTransport({ access: accessOf(side), clock: systemClock, random: Math.random }),
  );
  folder = mkdtempSync(join(tmpdir(), 'flotilla-hub-'));
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await member[Symbol.asyncDispose]();
  await side.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The hub's controllers; disposing of it kills them. */
interface HubProcess extends AsyncDisposable {
  readonly output: () => string;
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

function startHubProcess(flags: readonly string[] = []): HubProcess {
  const { NODE_TEST_CONTEXT: _reports, ...env } = process.env;
  const child: ChildProcess = spawn(
    process.execPath,
    [LAUNCHER, 'hub', '--kubeconfig', side.kubeconfig, '--allow-loopback', ...flags],
    { cwd: FLOTILLA_ROOT, env: { ...env, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  }
  const exited = once(child, 'close') as Promise<[number | null]>;
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  return {
    output: () => Buffer.concat(chunks).toString(),
    end,
    [Symbol.asyncDispose]: async () => void (await end('SIGKILL')),
  };
}

const keyOf = (name: string) => ({ namespace: 'default', name });
const get = (name: string) => client.get(ClusterRegistrations, keyOf(name));
const secretOf = (name: string) => client.get(Secrets, { namespace: 'vela-system', name });
const isGone = (look: Promise<unknown>) =>
  look.then(
    () => false,
    (error: unknown) => {
      if (!isNotFound(error)) throw error;
      return true;
    },
  );
const untilReady = (name: string): Promise<ClusterRegistration> =>
  eventually(
    () => get(name),
    ({ status }) => status?.phase === 'Ready',
    PATIENCE,
  );

describe('flotilla hub on a real hub', { timeout: 300_000 }, () => {
  test('REG-1 REG-48 REG-56 REG-59 installs its kinds, joins, survives kill -9 and a rotation meanwhile, and detaches', async () => {
    const first = startHubProcess(['--leader-elect', '--identity', 'first']);
    try {
      await eventually(() => client.list(ClusterRegistrations), Boolean, PATIENCE);
      await client.create(Secrets, sourceSecret('one-kubeconfig', kubeconfigFor(member.access)));
      await client.create(ClusterRegistrations, registration('one'));
      const ready = await untilReady('one');
      assert.equal(textsOf(await secretOf('one'))['token'], 'admin');
      assert.equal(ready.status?.clusterInfo?.authenticatedAs, 'admin');
    } catch (error) {
      throw new Error(first.output().slice(-4_000), { cause: error });
    } finally {
      await first.end('SIGKILL');
    }
    const before = await secretOf('one');
    const seen = await get('one');
    const token = await member.token('second');
    await client.patch(Secrets, keyOf('one-kubeconfig'), {
      type: 'merge',
      body: { data: sourceSecret('x', kubeconfigFor(member.access, token)).data },
    });

    await using second = startHubProcess(['--leader-elect', '--identity', 'second']);
    try {
      const after = await eventually(
        () => secretOf('one'),
        (secret) => textsOf(secret)['token'] === token,
        PATIENCE,
      );
      assert.equal(after.metadata.uid, before.metadata.uid);
      const ready = await untilReady('one');
      assert.equal(ready.metadata.uid, seen.metadata.uid);

      await member.server.stop();
      await client.delete(ClusterRegistrations, keyOf('one'));
      await eventually(() => isGone(get('one')), Boolean, PATIENCE);
      assert.equal(await isGone(secretOf('one')), true);
      assert.equal(await second.end('SIGTERM'), 0);
      for (const output of [first.output(), second.output()]) {
        assert.ok(!output.includes(token), 'a token is in the log');
        assert.doesNotMatch(output, /"level":"error"/);
      }
    } catch (error) {
      throw new Error(second.output().slice(-4_000), { cause: error });
    }
  });
});
