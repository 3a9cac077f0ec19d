import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { flagTable } from '../flags/flag-table.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import type { Io } from '../io.ts';
import type { Manifest } from './manifest.ts';
import { manifestFlags } from './manifest-flags.ts';
import { type ManifestUse, readManifests } from './read-manifests.ts';
import { textReader } from './read-text.ts';

const cwd = mkdtempSync(join(tmpdir(), 'flotilla-manifests-'));
after(() => rmSync(cwd, { recursive: true, force: true }));

const object = (name: string, kind = 'Pod', apiVersion = 'v1') =>
  JSON.stringify({ apiVersion, kind, metadata: { name } });
mkdirSync(join(cwd, 'folder', 'deeper'), { recursive: true });
mkdirSync(join(cwd, 'bare'));
writeFileSync(join(cwd, 'folder', 'a.yaml'), `${object('a')}\n---\n# nothing\n---\n${object('b')}`);
writeFileSync(join(cwd, 'folder', 'b.json'), object('c', 'Deployment', 'apps/v1'));
writeFileSync(join(cwd, 'folder', 'notes.txt'), 'no manifest');
writeFileSync(join(cwd, 'folder', 'deeper', 'd.yml'), object('d'));
writeFileSync(join(cwd, 'broken.yaml'), 'a: b: c');
writeFileSync(join(cwd, 'kindless.yaml'), 'metadata: {name: x}\ndata: {key: s3cr3t}');
writeFileSync(join(cwd, 'versionless.yaml'), 'kind: Pod\nmetadata: {name: x}');
writeFileSync(join(cwd, 'nameless.yaml'), 'apiVersion: v1\nkind: Pod');
writeFileSync(join(cwd, 'text.yaml'), 'just words');

interface World {
  readonly stdin?: string | Readable;
  readonly signal?: AbortSignal;
  readonly use?: ManifestUse;
}

async function read(argv: readonly string[], world: World = {}): Promise<Manifest[]> {
  const { stdin = '', signal = new AbortController().signal, use } = world;
  const stream = typeof stdin === 'string' ? Readable.from([Buffer.from(stdin)]) : stdin;
  const io = { cwd, env: { PATH: '' }, signal, stdin: stream } as unknown as Io;
  return await readManifests(parseFlags(argv, flagTable(manifestFlags)).flags, io, use);
}

async function names(argv: readonly string[], world?: World): Promise<string[]> {
  const manifests = await read(argv, world);
  return manifests.map(({ group, version, kind, name }) => `${kind}.${version}.${group}/${name}`);
}

describe('what is read', () => {
  test('files, folders, patterns and standard input, in the order they are named', async () => {
    assert.deepEqual(await names(['-f', 'folder/a.yaml']), ['Pod.v1./a', 'Pod.v1./b']);
    const all = ['Pod.v1./a', 'Pod.v1./b', 'Deployment.v1.apps/c'];
    assert.deepEqual(await names(['-f', 'folder']), all);
    assert.deepEqual(await names(['-f', 'folder', '-R']), [...all, 'Pod.v1./d']);
    assert.deepEqual(await names(['-f', 'folder/b.*']), ['Deployment.v1.apps/c']);
    assert.deepEqual(await names(['-f', '-', '-f', 'folder/b.json'], { stdin: object('s') }), [
      'Pod.v1./s',
      'Deployment.v1.apps/c',
    ]);
  });

  test('lists are what is in them, and typed lists say what their items are', async () => {
    const stdin = `
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a}}
- apiVersion: v1
  kind: ConfigMapList
  items:
  - {metadata: {name: b, namespace: shop, labels: {app: web, count: 3}}}
`;
    const manifests = await read(['-f', '-'], { stdin });

    assert.deepEqual(
      manifests.map(({ kind, name, namespace, labels }) => ({ kind, name, namespace, labels })),
      [
        { kind: 'Pod', name: 'a', namespace: '', labels: {} },
        { kind: 'ConfigMap', name: 'b', namespace: 'shop', labels: { app: 'web' } },
      ],
    );
  });

  test('JSON objects may stand one after the other, as cat writes them', async () => {
    const stdin = `${object('a')}\n${object('b')}{"apiVersion":"v1","kind":"Pod","metadata":{"name":"}\\"{"}}`;
    assert.deepEqual(await names(['-f', '-'], { stdin }), [
      'Pod.v1./a',
      'Pod.v1./b',
      'Pod.v1./}"{',
    ]);
  });
});

describe('what is refused', () => {
  for (const [argv, message] of [
    [[], /^must specify one of -f and -k$/],
    [['-f', 'none.yaml'], /^the path "none.yaml" does not exist$/],
    [['-f', 'none-*'], /^the path "none-\*" does not exist$/],
    [
      ['-f', 'bare'],
      /^error reading \[bare\]: recognized file extensions are \[\.json \.yaml \.yml\]$/,
    ],
    [['-f', 'broken.yaml'], /^error parsing broken.yaml: error converting YAML to JSON: yaml: /],
    // Nothing of the file is quoted: it may hold a Secret.
    [['-f', 'kindless.yaml'], /^unable to decode "kindless.yaml": Object 'Kind' is missing$/],
    [
      ['-f', 'versionless.yaml'],
      /^unable to decode "versionless.yaml": Object 'apiVersion' is missing in the Pod$/,
    ],
    [['-f', 'nameless.yaml'], /^error reading "nameless.yaml": the Pod has no metadata.name$/],
    [['-f', 'text.yaml'], /^unable to decode "text.yaml": it is no object$/],
    [['-f', '-', '-f', '-'], /^standard input cannot be used for multiple arguments$/],
    [['-f', 'folder', '-k', 'folder'], /^only one of -f or -k can be specified$/],
    [['-k', 'folder', '-R'], /^the -k flag can't be used with -f or -R$/],
    [['-k', 'folder'], /^Cannot build the kustomization "folder": it needs kubectl/],
    [
      ['-f', 'https://example.com/a.yaml'],
      /^Cannot read "https:\/\/example.com\/a.yaml": URLs are/,
    ],
  ] as const) {
    test(`${argv.join(' ') || 'nothing'}`, async () => {
      await assert.rejects(read(argv), { name: 'UsageError', message });
    });
  }

  test('lists that are nested without end', async () => {
    let value: object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'deep' } };
    for (let depth = 0; depth < 20; depth += 1) {
      value = { apiVersion: 'v1', kind: 'List', items: [value] };
    }
    await assert.rejects(read(['-f', '-'], { stdin: JSON.stringify(value) }), {
      message: 'unable to decode "STDIN": its lists are nested too deep',
    });
  });

  test('more text than anybody would apply, while it is still being read', async () => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(1 << 16, ' '));
      },
    });
    const { signal } = new AbortController();
    await assert.rejects(textReader({ stdin: endless, cwd, signal }, 1 << 20).stdin(), {
      name: 'UsageError',
      message: 'Cannot read "STDIN": manifests of more than 1 MiB are not taken at once',
    });
    assert.equal(endless.destroyed, true);
  });
});

test('waiting for standard input ends with the run', async () => {
  const stop = new AbortController();
  const reading = read(['-f', '-'], { stdin: new PassThrough(), signal: stop.signal });
  stop.abort(new Error('Ctrl-C'));
  await assert.rejects(reading, { message: 'Ctrl-C' });
});

test('URLs are read where only names are wanted', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/pod.yaml') response.end(object('remote'));
    else response.writeHead(404).end('s3cr3t');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const use = { fetchesUrls: true };
  try {
    assert.deepEqual(await names(['-f', `${url}/pod.yaml`], { use }), ['Pod.v1./remote']);
    await assert.rejects(read(['-f', `${url}/none`], { use }), {
      name: 'UsageError',
      message: `unable to read URL "${url}/none", server reported 404 Not Found, status code=404`,
    });
    await assert.rejects(read(['-f', 'http://127.0.0.1:1/x'], { use }), {
      name: 'UsageError',
      message: /^unable to read URL "http:\/\/127\.0\.0\.1:1\/x", /,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
