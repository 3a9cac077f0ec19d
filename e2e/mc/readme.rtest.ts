// The README's walk from `npm start` to `kubectl mc`, as a newcomer pastes it into two terminals.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { temporaryFolder } from '../robustness/flotilla-process.ts';

const patience = { withinMs: 120_000, everyMs: 200 };
const [start = '', walk = ''] = shellBlocks(readFileSync(join(FLOTILLA_ROOT, 'README.md'), 'utf8'));

test('the first commands of the README lead to every pod of the fleet', async () => {
  using home = temporaryFolder();
  const env = environment(home.path);
  await using fleet = startFleet(env);
  await eventually(() => fleet.output().includes('The fleet is up'), Boolean, patience);
  const terminal = (command: string) =>
    spawnSync('bash', ['-c', command], { cwd: FLOTILLA_ROOT, env, encoding: 'utf8' });
  // Members are joined a moment after they serve.
  await eventually(
    () => terminal(`${exportsOf(walk)}\nkubectl mc clusters --refresh --no-headers`).stdout,
    (text) => (text.match(/ True /g) ?? []).length === 3,
    patience,
  );

  const { stdout, stderr, status } = terminal(`set -e\n${walk}`);

  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const [pods = ''] = stdout.split('\nNAME ');
  assert.match(pods, /^NAMESPACE +NAME +CLUSTER +READY +STATUS +RESTARTS +AGE\n/);
  for (const member of ['member-1', 'member-2', 'member-3']) {
    assert.match(pods, new RegExp(`^shop +web-\\S+ +${member} +1/1 +Running`, 'm'));
    assert.match(stdout, new RegExp(`^\\[${member}/pod/web-\\S+/web\\] `, 'm'));
  }
  const { status: welcomed, stderr: told } = terminal(`set -e\n${advice(fleet.output())}`);
  assert.equal(welcomed, 0, told);
});

/** What the README has in its blocks for shells, in their order. */
function shellBlocks(text: string): string[] {
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

function exportsOf(block: string): string {
  return block.match(/^export .*$/gm)?.join('\n') ?? '';
}

/** The commands that the hub proposes when it has started. */
function advice(output: string): string {
  const [, lines = ''] = /Try it from another terminal:\n(.*?)\n\n/s.exec(output) ?? [];
  return lines;
}

/** Of a user who has Node and kubectl, and nothing in their home folder. */
function environment(home: string): NodeJS.ProcessEnv {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(binaryPath('kubectl'), join(bin, 'kubectl'));
  const PATH = [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  return { HOME: home, PATH, TERM: 'dumb' };
}

/** `npm start` as the README has it, but for the port: 6443 may be taken. */
function startFleet(env: NodeJS.ProcessEnv): AsyncDisposable & { output: () => string } {
  assert.equal(start, 'npm start\n');
  const child = spawn('npm', ['start', '--', '--port', '0'], {
    cwd: FLOTILLA_ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm does not always hand signals on; its children end with it this way.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const exited = once(child, 'exit');
  return {
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
}
