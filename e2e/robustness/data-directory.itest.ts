import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { connectClient, connectSocket } from './client.ts';
import {
  type Exit,
  runFlotilla,
  startFlotilla,
  temporaryFolder,
  type UpOptions,
} from './flotilla-process.ts';
import { halfSent } from './half-sent.ts';
import { mountTmpfs } from './small-disk.ts';

/** A start that fails says why in one line, and does not show its insides. */
async function refused(options: UpOptions): Promise<string> {
  const { code, output } = await runFlotilla(options);
  assert.equal(code, 1, output);
  assert.doesNotMatch(output, /\n\s+at /, 'a stack');
  assert.equal(output.trim().split('\n').length, 1, output);
  return output.trim();
}

const stopped: Exit = { code: 0, signal: null };

describe('a data directory in use', () => {
  test('is refused to a second server, also while the first one stops, and free after kill -9', async () => {
    using folder = temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const options = { dataFolder };
    const first = await startFlotilla(options);
    await using _ = first;
    const second = { ...options, kubeconfigFile: join(folder.path, 'second') };
    const expected = `Cannot open the store in "${dataFolder}/store": process ${first.pid} has it open; stop that process or choose another directory`;

    assert.equal(await refused(second), expected);
    assert.ok(!existsSync(second.kubeconfigFile), 'the loser wrote a kubeconfig');

    // A request under way keeps the first one from stopping.
    const slow = await connectSocket(first.target);
    const namespace = { metadata: { name: 'slow' } };
    const sent = halfSent(first.target, 'POST /api/v1/namespaces', namespace);
    slow.write(sent.first);
    await answered(first.target);
    first.kill('SIGTERM');
    await until(() => first.output().includes('Stopping'));
    assert.equal(await refused(second), expected);
    slow.write(sent.rest);
    const answer = await new Promise<string>((resolve) =>
      slow.once('data', (chunk) => resolve(String(chunk))),
    );
    assert.match(answer, /^HTTP\/1.1 201 /);
    assert.deepEqual(await first.exited, stopped);

    await using third = await startFlotilla(options);
    await third.crash();
    await using fourth = await startFlotilla(options);
    using client = connectClient(fourth.target);
    assert.equal((await client.send('GET /api/v1/namespaces/slow')).status, 200);
  });
});

describe('a data directory several want at once', () => {
  test('goes to one of them, and the others say so', async () => {
    using folder = temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const starts = await Promise.allSettled(
      [1, 2, 3].map((index) =>
        startFlotilla({ dataFolder, kubeconfigFile: join(folder.path, `kubeconfig-${index}`) }),
      ),
    );

    const won = starts.filter((start) => start.status === 'fulfilled');
    const lost = starts.filter((start) => start.status === 'rejected');
    assert.equal(won.length, 1);
    for (const { reason } of lost) {
      assert.match(String(reason), new RegExp(`process ${won[0]?.value.pid} has it open`));
    }
    await won[0]?.value.crash();
    assert.equal(readdirSync(folder.path).filter((name) => name.startsWith('kube')).length, 1);
  });
});

describe('places that cannot be used', () => {
  test('a taken port is named, and the data is left alone', async () => {
    using folder = temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      assert.equal(
        await refused({ dataFolder, port: String(port) }),
        `Cannot listen on 127.0.0.1:${port}: the port is taken; stop the other program or choose another port`,
      );
    } finally {
      other.close();
    }
    await using server = await startFlotilla({ dataFolder, port: String(port) });
    assert.equal(server.target.port, port);
  });

  test('a read-only file system is named, with data on it and without', async (context) => {
    using folder = temporaryFolder();
    const dataFolder = join(folder.path, 'disk', 'data');
    const kubeconfigFile = join(folder.path, 'kubeconfig');
    using disk = mountTmpfs(join(folder.path, 'disk'), '32m');
    if (disk === undefined) return context.skip('this user cannot mount');
    const server = await startFlotilla({ dataFolder, kubeconfigFile });
    await server.crash();
    spawnSync('mount', ['-o', 'remount,ro', disk.path]);

    const used = await refused({ dataFolder, kubeconfigFile });
    const fresh = await refused({ dataFolder: join(disk.path, 'fresh'), kubeconfigFile });

    assert.equal(
      used,
      `Cannot open the store in "${dataFolder}/store": the file system is read-only`,
    );
    assert.match(
      fresh,
      /^Cannot open the store in ".*fresh\/store": the file system is read-only$/,
    );
    spawnSync('mount', ['-o', 'remount,rw', disk.path]);
    await using again = await startFlotilla({ dataFolder, kubeconfigFile });
    using client = connectClient(again.target);
    assert.equal((await client.send('GET /api/v1/namespaces')).status, 200);
  });

  test('a data path that is a file, and one of another user, are named', async (context) => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, 'mine');

    const message = await refused({ dataFolder: file });

    assert.equal(message, `Cannot open the store in "${file}/store": it is not a directory`);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    if (process.getuid?.() === 0) return context.diagnostic('root may write everywhere');
    const locked = join(folder.path, 'locked');
    mkdirSync(locked, { mode: 0o500 });
    assert.match(
      await refused({ dataFolder: join(locked, 'data') }),
      /its files may not be written by this user$/,
    );
    chmodSync(locked, 0o700);
  });

  test('a kubeconfig that cannot be written is named, and nothing is left running', async () => {
    using folder = temporaryFolder();
    const dataFolder = join(folder.path, 'data');
    const file = join(folder.path, 'file');
    writeFileSync(file, 'mine');
    const directory = join(folder.path, 'directory');
    mkdirSync(directory);

    for (const kubeconfigFile of [join(file, 'kubeconfig'), directory, '/proc/flotilla/config']) {
      const message = await refused({ dataFolder, kubeconfigFile });
      assert.ok(message.startsWith(`Cannot write "${kubeconfigFile}": `), message);
    }

    assert.deepEqual(readdirSync(directory), []);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.new')),
      [],
    );
    await using server = await startFlotilla({ dataFolder });
    assert.ok(server.pid > 0);
  });
});

describe('files', () => {
  test('are for their owner only, whatever the umask', async () => {
    using folder = temporaryFolder();
    const home = join(folder.path, 'home');
    mkdirSync(home);
    await using server = await startFlotilla({
      dataFolder: join(home, '.flotilla'),
      kubeconfigFile: join(home, '.flotilla', 'kubeconfig'),
      flags: ['--port', '0'],
      env: { HOME: home },
      within: ['sh', '-c', 'umask 0 && exec "$0" "$@"'],
    });
    using client = connectClient(server.target);
    await client.send('POST /api/v1/namespaces', { body: { metadata: { name: 'a' } } });

    const found = walk(join(home, '.flotilla'));

    assert.ok(found.some(({ path }) => path.endsWith('kubeconfig')));
    assert.ok(found.some(({ path }) => path.endsWith('data.mdb')));
    for (const { path, mode, isFolder } of found) {
      assert.equal(mode.toString(8), isFolder ? '700' : '600', path);
    }
  });

  test('~/.kube/config is never touched, however it is named', async () => {
    using folder = temporaryFolder();
    const home = join(folder.path, 'home');
    const config = join(home, '.kube', 'config');
    mkdirSync(join(home, '.kube'), { recursive: true });
    writeFileSync(config, 'mine');
    symlinkSync(join(home, '.kube'), join(home, 'alias'));
    const { mtimeMs, ino } = statSync(config);
    const env = { HOME: home, KUBECONFIG: config };
    const dataFolder = join(home, 'data');

    {
      await using server = await startFlotilla({
        dataFolder,
        kubeconfigFile: join(home, '.flotilla', 'kubeconfig'),
        flags: ['--port', '0'],
        env,
      });
      assert.ok(existsSync(join(home, '.flotilla', 'kubeconfig')));
      await server.crash();
    }
    for (const name of [
      config,
      `${home}/.kube/../.kube/config`,
      `${home}//.kube/./config`,
      `${home}/alias/config`,
    ]) {
      const { code, output } = await runFlotilla({ dataFolder, kubeconfigFile: name, env });
      assert.equal(code, 1, name);
      assert.match(output, /that file is yours; give another one with --kubeconfig/);
    }

    assert.equal(readFileSync(config, 'utf8'), 'mine');
    assert.deepEqual({ mtimeMs, ino }, pick(statSync(config)));
    assert.deepEqual(readdirSync(join(home, '.kube')), ['config']);
  });
});

const pick = ({ mtimeMs, ino }: { mtimeMs: number; ino: number }) => ({ mtimeMs, ino });

function walk(path: string): { path: string; mode: number; isFolder: boolean }[] {
  const stat = statSync(path);
  const isFolder = stat.isDirectory();
  const inside = isFolder ? readdirSync(path).flatMap((name) => walk(join(path, name))) : [];
  return [{ path, mode: stat.mode & 0o777, isFolder }, ...inside];
}

/** A whole exchange on another connection: what was sent before it has arrived, too. */
async function answered(target: Parameters<typeof connectClient>[0]): Promise<void> {
  using client = connectClient(target);
  await client.send('GET /version');
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
