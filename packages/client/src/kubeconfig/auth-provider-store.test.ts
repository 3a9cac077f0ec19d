import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseYaml, systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { authProviderStore } from './auth-provider-store.ts';

const KUBECONFIG = `# mine
apiVersion: v1
kind: Config
unknown: kept
users:
- name: other
  user: {token: t}
- name: jane
  user:
    auth-provider:
      name: oidc
      config: {id-token: old, client-id: c}
`;

const root = mkdtempSync(join(tmpdir(), 'flotilla-store-'));
after(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function file(text = KUBECONFIG): string {
  const folder = mkdtempSync(join(root, `${++folders}-`));
  const path = join(folder, 'config');
  writeFileSync(path, text, { mode: 0o640 });
  return path;
}

const store = (
  path: string,
  user = 'jane',
  clock: ManualClock | typeof systemClock = systemClock,
) => authProviderStore({ file: path, user, clock });

test('the tokens of one user change and nothing else; the file stays where and what it is', async () => {
  const path = file();
  const link = `${path}-link`;
  symlinkSync(path, link);
  await store(link).write({ 'id-token': 'new', 'client-id': 'c' });

  assert.deepEqual(await store(link).read(), { 'id-token': 'new', 'client-id': 'c' });
  assert.deepEqual(parseYaml(readFileSync(path)).value, {
    apiVersion: 'v1',
    kind: 'Config',
    unknown: 'kept',
    users: [
      { name: 'other', user: { token: 't' } },
      {
        name: 'jane',
        user: {
          'auth-provider': { name: 'oidc', config: { 'id-token': 'new', 'client-id': 'c' } },
        },
      },
    ],
  });
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.equal(lstatSync(link).isSymbolicLink(), true);
  assert.deepEqual(readdirSync(join(path, '..')).sort(), ['config', 'config-link']);
});

test('a user that has gone leaves the file alone', async () => {
  const path = file();
  await store(path, 'nobody').write({ 'id-token': 'new' });

  assert.equal(readFileSync(path, 'utf8'), KUBECONFIG);
  assert.equal(await store(path, 'nobody').read(), undefined);
});

test('writers wait for each other, and for kubectl', { timeout: 10_000 }, async () => {
  const path = file();
  const clock = new ManualClock();
  writeFileSync(`${path}.lock`, '');
  const writing = store(path, 'jane', clock).write({ 'id-token': 'new' });
  while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(readFileSync(path, 'utf8'), KUBECONFIG);
  rmSync(`${path}.lock`);
  await clock.advance(50);
  await writing;

  assert.deepEqual(await store(path).read(), { 'id-token': 'new' });
  assert.equal(existsSync(`${path}.lock`), false);
});

test('a lock that nobody lets go of is named', { timeout: 10_000 }, async () => {
  const path = file();
  const clock = new ManualClock();
  writeFileSync(`${path}.lock`, '');
  const writing = store(path, 'jane', clock).write({ 'id-token': 'new' });
  let isOver = false;
  const outcome = assert
    .rejects(writing, { message: `open ${path}.lock: file exists` })
    .finally(() => {
      isOver = true;
    });
  while (!isOver) await clock.advance(clock.waiting * 50);
  await outcome;

  assert.equal(existsSync(`${path}.lock`), true);
});

test('ten at once leave a whole file behind', async () => {
  const path = file();
  await Promise.all(
    Array.from({ length: 10 }, (_, n) => store(path).write({ 'id-token': `new-${n}` })),
  );

  assert.match((await store(path).read())?.['id-token'] ?? '', /^new-\d$/);
});
