// docs/guides/write-a-controller.md, followed to the letter: its files are written down, bundled and run as a process,
// its manifests applied, and what it says kubectl prints is compared with what the server has kubectl print.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { type Client, ConfigMaps, createClient, createTransport, Events } from '@flotilla/client';
import {
  isNotFound,
  type Json,
  type KubeObject,
  parseYaml,
  systemClock,
} from '@flotilla/machinery';
import { findCondition } from '@flotilla/runtime';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { bundle } from '../../tools/bundle.mjs';
import { type Site, Sites } from './site-controller.ts';

const EXAMPLE = join(FLOTILLA_ROOT, 'e2e', 'guide');
const FOLDER = join(FLOTILLA_ROOT, '.cache', 'guide', String(process.pid));
const BLOG = { namespace: 'default', name: 'blog' };
const blocks = readBlocks(
  readFileSync(join(FLOTILLA_ROOT, 'docs', 'guides', 'write-a-controller.md'), 'utf8'),
);

mkdirSync(FOLDER, { recursive: true });
after(() => rmSync(FOLDER, { recursive: true, force: true }));

describe('the guide to controllers', () => {
  test('shows every file of its example as it is', () => {
    const files = readdirSync(EXAMPLE).filter((name) => !name.startsWith('guide.'));

    for (const name of files) {
      assert.equal(block(name), readFileSync(join(EXAMPLE, name), 'utf8'), name);
    }
  });

  test('leads to an operator that does what the guide says', async () => {
    await using server = await startServer();
    await using client = createClient(
      createTransport({ access: server.access, clock: systemClock, random: () => 0.5 }),
    );
    const site = block('site.yaml');
    await applyManifest(client, block('crd.yaml'));
    await eventually(() => client.list(Sites), Boolean, { tolerates: isNotFound });
    await using operator = await startOperator(server);

    await applyManifest(client, site);
    await untilPublished(client, 'Published');

    assert.deepEqual(await printed(client), words(block('kubectl get sites')));
    const page = await client.get(ConfigMaps, BLOG);
    assert.equal(page.data?.['index.md'], block('kubectl get configmap blog'));

    const body = { data: { 'index.md': 'Mine' } };
    await client.patch(ConfigMaps, BLOG, { type: 'merge', body, fieldManager: 'kubectl-edit' });
    await untilPublished(client, 'WrittenByOthers');
    await client.delete(ConfigMaps, BLOG);
    await untilPublished(client, 'Published');
    const { items } = await client.list(Events, { namespace: 'default' });
    const told = items.map(({ reason }) => reason);
    assert.ok(told.includes('WrittenByOthers') && told.includes('Published'), told.join());

    await client.delete(Sites, BLOG);
    await eventually(async () => (await client.list(Sites)).items.length === 0);
    const { data } = await client.get(ConfigMaps, { namespace: 'default', name: 'sites' });
    assert.deepEqual(data ?? {}, {});
    assert.equal(await operator.stop(), 0, operator.output());
  });
});

/** Blocks of code by the words after their language. */
function readBlocks(markdown: string): ReadonlyMap<string, string> {
  const fences = markdown.matchAll(/^```\w+ ([^\n]+)\n([\s\S]*?)^```$/gm);
  return new Map([...fences].map(([, name = '', text = '']) => [name, text]));
}

function block(name: string): string {
  const text = blocks.get(name);
  assert.ok(text !== undefined, `the guide has no block "${name}"`);
  return text;
}

async function applyManifest(client: Client, yaml: string): Promise<void> {
  const object = parseYaml(yaml).value as unknown as KubeObject;
  const [group = '', version = ''] = object.apiVersion?.split('/') ?? [];
  const isCrd = object.kind === 'CustomResourceDefinition';
  const plural = isCrd ? 'customresourcedefinitions' : 'sites';
  const kind = { group, version, kind: object.kind ?? '', plural, namespaced: !isCrd };
  await client.apply(kind, object, { fieldManager: 'kubectl', fieldValidation: 'Strict' });
}

function untilPublished(client: Client, reason: string): Promise<Site> {
  return eventually(
    () => client.get(Sites, BLOG),
    ({ status }) => findCondition(status?.conditions ?? [], 'PagePublished')?.reason === reason,
  );
}

/** Name, title and readiness as `kubectl get sites` prints them; ages are chance. */
async function printed(client: Client): Promise<string[]> {
  const { columnDefinitions, rows } = await client.table(Sites, { namespace: 'default' });
  const shown = [columnDefinitions.map(({ name }) => name.toUpperCase()), ...rows.map(cellsOf)];
  return shown.map((row) => row.join(' '));
}

const cellsOf = ({ cells }: { readonly cells: readonly unknown[] }) => cells.map(String);

const words = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/).join(' '));

interface Operator extends AsyncDisposable {
  /** Ends it as Ctrl-C would, and tells its exit code. */
  readonly stop: () => Promise<number | null>;
  readonly output: () => string;
}

/** Runs the guide's own text, not the files it should be equal to. */
async function startOperator(server: TestApiServer): Promise<Operator> {
  for (const name of ['site-controller.ts', 'main.ts']) {
    writeFileSync(join(FOLDER, name), block(name));
  }
  writeFileSync(join(FOLDER, 'kubeconfig'), kubeconfigOf(server, await tokenOf(server)));
  await bundle({ entries: [join(FOLDER, 'main.ts')], outdir: FOLDER, splitting: false });
  const child: ChildProcess = spawn(process.execPath, [join(FOLDER, 'main.mjs')], {
    env: { ...process.env, KUBECONFIG: join(FOLDER, 'kubeconfig') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const stop = async () => {
    child.kill('SIGINT');
    const [code] = await exit;
    return code;
  };
  return { stop, output: () => output, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function tokenOf({ access }: TestApiServer): Promise<string> {
  const { authorization = '' } = await access.credential.present();
  return authorization.replace('Bearer ', '');
}

function kubeconfigOf({ access, url }: TestApiServer, token: string): string {
  const ca = Buffer.from(access.tls.ca ?? '').toString('base64');
  const cluster: Json = { server: url, 'certificate-authority-data': ca };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'guide',
    clusters: [{ name: 'guide', cluster }],
    users: [{ name: 'guide', user: { token } }],
    contexts: [{ name: 'guide', context: { cluster: 'guide', user: 'guide' } }],
  });
}
