import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseYaml, systemClock } from '@flotilla/machinery';
import { type ClusterMapping, readMapping, writeMapping } from './mapping-file.ts';

const lock = { clock: systemClock };
const WRITER = '--write-until-killed';

/** What the processes do that are killed below: write the file as fast as they can. */
async function writeForEver(path: string): Promise<never> {
  process.on('disconnect', () => process.exit());
  for (let turn = 0; ; turn += 1) {
    const clusters = Array.from({ length: 200 }, (_, index) => ({
      name: `cluster-${index}`,
      context: `turn-${turn}`,
    }));
    await writeMapping(path, () => ({ clusters }), lock);
    if (turn === 0) process.send?.('written');
  }
}

const [, , mode, target] = process.argv;
if (mode === WRITER && target !== undefined) await writeForEver(target);

const folder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const newPath = (text?: string): string => {
  count += 1;
  const path = join(folder, `${count}.yaml`);
  if (text !== undefined) writeFileSync(path, text);
  return path;
};

const SEED = `# mine
apiVersion: kubectl-mc.k8s.io/v1alpha1
kind: ClusterMapping
hubContext: my-hub-cluster  # Optional: default hub context
clusters:
- name: prod-us-west-1
  context: eks-us-west
  cloudProvider: aws        # Optional: for platform helper support
  region: us-west-2
- name: on-prem-dc1
  context: on-prem-1
  namespace: fleet
  aliases: [dc1]
  defaultNamespace: team-a
  protected: true
  labels: {env: prod}
`;

test('the mapping of the first documents is read', async () => {
  assert.deepEqual(await readMapping(newPath(SEED)), {
    hubContext: 'my-hub-cluster',
    clusters: [
      {
        name: 'prod-us-west-1',
        context: 'eks-us-west',
        cloudProvider: 'aws',
        region: 'us-west-2',
      },
      {
        name: 'on-prem-dc1',
        context: 'on-prem-1',
        namespace: 'fleet',
        aliases: ['dc1'],
        defaultNamespace: 'team-a',
        protected: true,
        labels: { env: 'prod' },
      },
    ],
  });
});

test('no file, an empty one and one without clusters say nothing', async () => {
  assert.deepEqual(await readMapping(newPath()), { clusters: [] });
  assert.deepEqual(await readMapping(newPath('')), { clusters: [] });
  assert.deepEqual(await readMapping(newPath('clusters:\nhubContext: ""\n')), { clusters: [] });
});

test('a mapping that cannot be meant is refused with file, line and field', async () => {
  const cases: readonly [string, RegExp][] = [
    ['clusters:\n- name: a\n- context: b\n', /line 3: clusters\[1\]\.name is null: must be a prof/],
    [
      'clusters:\n- name: a\n  protected: sure\n',
      /line 3: clusters\[0\]\.protected is "sure": must/,
    ],
    ['clusters: {a: b}\n', /line 1: clusters is \{"a":"b"\}: must be a list of clusters/],
    ['kind: Config\n', /line 1: kind is "Config": must be ClusterMapping/],
    ['hubContext: [a]\n', /line 1: hubContext is \["a"\]: must be a text/],
    ['- a\n', /it is no ClusterMapping/],
    ['a: [\n', /yaml: line/],
  ];
  for (const [text, message] of cases) {
    const path = newPath(text);
    await assert.rejects(readMapping(path), (error: Error) => {
      assert.match(error.message, message);
      assert.ok(error.message.startsWith(`Cannot read mapping file "${path}": `));
      return error.name === 'UsageError';
    });
  }
});

test('fields that nobody knows stay with their cluster when the file is written', async () => {
  const path = newPath(`# mine
owner: me
clusters:
- {name: a, context: x, color: red}
- {name: b, context: v, color: blue}
- {name: c, namespace: ns, color: green}
`);
  const written = await writeMapping(
    path,
    ({ clusters }) => ({
      hubContext: 'hub',
      clusters: [
        { name: 'c', namespace: 'ns', context: 'z' },
        ...clusters.filter(({ name }) => name === 'b').map((each) => ({ ...each, context: 'w' })),
      ],
    }),
    lock,
  );
  const text = readFileSync(path, 'utf8');
  assert.ok(text.startsWith('# mine\n'));
  assert.deepEqual(parseYaml(text).value, {
    apiVersion: 'kubectl-mc.k8s.io/v1alpha1',
    kind: 'ClusterMapping',
    owner: 'me',
    hubContext: 'hub',
    clusters: [
      { name: 'c', namespace: 'ns', context: 'z', color: 'green' },
      { name: 'b', context: 'w', color: 'blue' },
    ],
  });
  assert.deepEqual(await readMapping(path), written);
});

test('a change of mind leaves the file alone', async () => {
  const path = newPath(SEED);
  const { mtimeMs, ino } = statSync(path);
  await writeMapping(path, () => undefined, lock);
  assert.deepEqual([statSync(path).mtimeMs, statSync(path).ino], [mtimeMs, ino]);
});

test('the file is for its owner alone, its folder is made, and a link stays one', async () => {
  const path = join(folder, 'new', '.kube', 'clusters.yaml');
  await writeMapping(path, () => ({ clusters: [{ name: 'a' }] }), lock);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const link = join(folder, 'link.yaml');
  symlinkSync(path, link);
  await writeMapping(link, () => ({ clusters: [{ name: 'b' }] }), lock);
  assert.deepEqual(await readMapping(path), { clusters: [{ name: 'b' }] });
});

test('two writers come one after the other, and neither undoes the other', async () => {
  const path = newPath();
  const add = (name: string) =>
    writeMapping(path, ({ clusters }) => ({ clusters: [...clusters, { name }] }), lock);
  const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
  await Promise.all(names.map(add));
  const { clusters } = await readMapping(path);
  assert.deepEqual(clusters.map(({ name }) => name).sort(), names.sort());
  assert.equal(existsSync(`${path}.lock`), false);
});

test('a lock whose holder is gone is taken over', async () => {
  const path = newPath();
  // No process has this number: it is above what Linux and macOS give out.
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: 2 ** 30, host: hostname() }));
  await writeMapping(path, () => ({ clusters: [{ name: 'a' }] }), lock);
  writeFileSync(`${path}.lock`, '');
  utimesSync(`${path}.lock`, 1, 1);
  await writeMapping(path, () => ({ clusters: [{ name: 'b' }] }), lock);
  assert.deepEqual(await readMapping(path), { clusters: [{ name: 'b' }] });
});

test('a lock that somebody holds is waited for until the run is ended', async () => {
  const path = newPath();
  writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.pid, host: hostname() }));
  const stop = new AbortController();
  const writing = writeMapping(path, () => ({ clusters: [] }), { ...lock, signal: stop.signal });
  stop.abort(new Error('enough'));
  await assert.rejects(writing, /enough/);
  assert.equal(existsSync(path), false);
});

test('MC-76 kill -9 leaves the old mapping or the new one, and nobody locked out', async () => {
  const path = newPath();
  for (let turn = 0; turn < 6; turn += 1) {
    const writer = fork(fileURLToPath(import.meta.url), [WRITER, path], { stdio: 'ignore' });
    await once(writer, 'message');
    // Killed at different moments of its work, as far as a scheduler is random.
    for (let wait = 0; wait < turn * 3; wait += 1) await new Promise(setImmediate);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const { clusters }: ClusterMapping = await readMapping(path);
    assert.equal(clusters.length, 200);
    assert.equal(new Set(clusters.map(({ context }) => context)).size, 1);
  }
  await writeMapping(path, () => ({ clusters: [{ name: 'after' }] }), lock);
  assert.deepEqual(await readMapping(path), { clusters: [{ name: 'after' }] });
  assert.equal(existsSync(`${path}.lock`), false);
});
