import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { buildMc } from './build-mc.mjs';
import { packScript } from './pack-script.mjs';

const folder = mkdtempSync(join(tmpdir(), 'kubectl-mc-'));
after(() => rmSync(folder, { recursive: true, force: true }));
/** As users have it on their PATH: alone, and without an ending. */
const program = join(folder, 'kubectl-mc');
before(async () => {
  copyFileSync(await buildMc(join(folder, 'built')), program);
});

const env = (more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  ...more,
});

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const run = (argv: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended> =>
  ended(spawn(process.execPath, [program, ...argv], { cwd: '/', env: env(more) }));

const VERSION = { code: 0, stdout: 'Client Version: v0.1.0\n', stderr: '' };

test('kubectl-mc is one file that runs from anywhere, by its name alone', async () => {
  assert.deepEqual(await ended(spawn(program, ['version', '--client'], { env: env() })), VERSION);
  assert.deepEqual(await run(['version', '--client']), VERSION);
  const module = join(folder, 'built', 'kubectl-mc.mjs');
  const asModule = spawn(process.execPath, [module, 'version', '--client'], { env: env() });
  assert.deepEqual(await ended(asModule), VERSION);
  assert.doesNotMatch(readFileSync(program, 'utf8'), new RegExp(FLOTILLA_ROOT));
});

test('a start loads no TLS, no HTTP/2 and no cryptography, which nobody needs yet', async () => {
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')));",
  );
  const loads = async (...argv: string[]): Promise<string[]> => {
    const child = spawn(process.execPath, ['--require', hook, ...argv], { env: env() });
    return (await ended(child)).stderr.split('\n');
  };
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, '');
  const usual = new Set(await loads(empty));
  const ours = (await loads(program, 'version', '--client')).filter((each) => !usual.has(each));
  assert.deepEqual(
    ours.filter((each) =>
      /NativeModule (tls|_tls_.*|http2|https?|crypto|child_process)$/.test(each),
    ),
    [],
  );
});

/** Uses what a packed script might get wrong: modules that come late, and texts that end comments. */
const FIXTURE = `
import { execFile } from 'node:child_process';
import { createHash, createSecretKey, KeyObject, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { constants } from 'node:zlib';

const isLoaded = () => process.moduleLoadList.includes('NativeModule crypto');
const before = isLoaded();
const digest = createHash('md5').update('a*/b').digest('hex');
const after = isLoaded();
let error;
try {
  new X509Certificate('none');
} catch ({ code }) {
  error = code;
}
const key = createSecretKey(Buffer.from('x'));
const kinds = [key instanceof KeyObject, key instanceof X509Certificate, {} instanceof KeyObject];
const level = constants.Z_BEST_COMPRESSION;
promisify(execFile)(process.execPath, ['-p', '/a*/.source']).then(({ stdout }) => {
  console.log(JSON.stringify({ before, digest, after, error, kinds, level, stdout }));
});
`;

test('modules of Node that are large are loaded with their first use, and are themselves', async () => {
  const entry = join(folder, 'fixture.ts');
  writeFileSync(entry, FIXTURE);
  const packed = join(folder, 'fixture');
  const { code, inputs } = await packScript('fixture', entry);
  writeFileSync(packed, code);
  for (const file of inputs) assert.ok(existsSync(resolve(FLOTILLA_ROOT, file)), file);
  for (const look of ['first', 'second', 'third']) {
    const { stdout } = await ended(spawn(process.execPath, [packed, 'look'], { env: env() }));
    assert.deepEqual(
      JSON.parse(stdout),
      {
        before: false,
        digest: createHash('md5').update('a*/b').digest('hex'),
        after: true,
        error: 'ERR_OSSL_PEM_NO_START_LINE',
        kinds: [true, false, false],
        level: 9,
        stdout: 'a*\n',
      },
      look,
    );
  }
});

/** The pieces that a kept file is of. */
const piecesIn = (file: string): string[] =>
  JSON.parse(readFileSync(file, 'latin1').split('\n')[0] ?? '') as string[];

/** How many bytes V8 made of them. */
const codeIn = (file: string): number =>
  readFileSync(file).length - JSON.stringify(piecesIn(file)).length - 1;

test('what V8 made of it is kept for the next run, and believed only where it is ours', async () => {
  const code = join(folder, '.kube', 'cache', 'kubectl-mc', 'code');
  rmSync(code, { recursive: true, force: true });
  const version = async (): Promise<void> =>
    assert.deepEqual(await run(['version', '--client']), VERSION);
  await version();
  const [build = ''] = readdirSync(code);
  const kept = join(code, build, 'version.bin');
  assert.deepEqual(piecesIn(kept).slice(0, 1), ['./main.js']);
  assert.equal(codeIn(kept), 0, 'so far these are names');
  await version();
  assert.ok(codeIn(kept) > 1000, 'compiled together');
  const { mtimeMs, mode } = statSync(kept);
  assert.equal(mode & 0o777, 0o600);
  await version();
  assert.equal(statSync(kept).mtimeMs, mtimeMs, 'it was good enough');

  const few = piecesIn(kept);
  assert.equal((await run(['version', '--help'])).code, 0);
  assert.ok(piecesIn(kept).length > few.length, 'help needs more');
  assert.equal(codeIn(kept), 0, 'names again');
  await version();
  assert.ok(codeIn(kept) > 1000);

  const broken = Buffer.concat([
    Buffer.from(`${JSON.stringify(piecesIn(kept))}\n`),
    Buffer.from('no code at all'),
  ]);
  writeFileSync(kept, broken);
  await version();
  assert.ok(codeIn(kept) > 1000, 'it was made anew');
  writeFileSync(kept, '["./of-another-build.js"]\n');
  await version();
  await version();
  assert.ok(codeIn(kept) > 1000, 'as was this');

  assert.equal((await run(['versoin'])).code, 1);
  assert.deepEqual(readdirSync(join(code, build)), ['version.bin'], 'nothing of what is no verb');

  writeFileSync(kept, 'nothing of ours');
  await version();
  await version();
  assert.ok(codeIn(kept) > 1000, 'whatever it was');

  chmodSync(join(code, build), 0o777);
  writeFileSync(kept, 'of somebody else');
  assert.deepEqual(await run(['version', '--client']), VERSION);
  assert.equal(readFileSync(kept, 'utf8'), 'of somebody else');

  rmSync(code, { recursive: true });
  assert.deepEqual(
    await run(['version', '--client'], { NODE_DISABLE_COMPILE_CACHE: '1' }),
    VERSION,
  );
  assert.deepEqual(await run(['version', '--client'], { KUBECACHEDIR: '/dev/null' }), VERSION);
  assert.equal(existsSync(code), false);
});

test('MC-52 a pipe that nobody reads ends a run without a word', async () => {
  const script = '{ "$NODE" "$PROGRAM" options 2>"$HOME/err"; echo "$?" >"$HOME/code"; } | true';
  await ended(
    spawn('sh', ['-c', script], { env: env({ NODE: process.execPath, PROGRAM: program }) }),
  );
  const [code, err] = ['code', 'err'].map((name) => readFileSync(join(folder, name), 'utf8'));
  assert.deepEqual([code, err], ['0\n', '']);
});

test('output that cannot be written is an error', { skip: !existsSync('/dev/full') }, async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [program, 'options'], {
    env: env(),
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const { code, stderr } = await ended(child);
  assert.equal(code, 1);
  assert.match(stderr, /^error: Cannot write the output: ENOSPC/);
});

/** A server that takes connections and says nothing; `kubeconfig` leads to it. */
async function silentServer(): Promise<{ server: Server; kubeconfig: string }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: `https://127.0.0.1:${port}` } }],
      users: [{ name: 'u', user: { token: 't' } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    }),
  );
  return { server, kubeconfig };
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} ends a run that waits for a cluster with ${code}`, async () => {
    const { server, kubeconfig } = await silentServer();
    const sockets = new Set<{ destroy: () => void }>();
    server.on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    try {
      const argv = [program, 'version', '--kubeconfig', kubeconfig, '--context', 'c'];
      const limits = ['--connect-timeout', '10m', '--cluster-timeout', '10m', '--deadline', '10m'];
      const child = spawn(process.execPath, [...argv, ...limits], { env: env() });
      const end = ended(child);
      await once(server, 'connection');
      child.kill(signal);
      const { code: ending, stdout, stderr } = await end;
      assert.equal(ending, code);
      assert.equal(stdout, 'Client Version: v0.1.0\n');
      assert.doesNotMatch(stderr, /\n {4}at /);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
}
