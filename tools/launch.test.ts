import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { freshBundle } from './launch.mjs';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-launch-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const dist = join(folder, 'dist');
const source = join(folder, 'a.ts');
const data = join(folder, 'data');
const old = new Date(1e12);
let builds = 0;

const fresh = async (): Promise<string> =>
  await freshBundle('program', dist, async (target) => {
    builds += 1;
    writeFileSync(join(target, 'program.mjs'), '');
    return await Promise.resolve([source, data].map((path) => relative(FLOTILLA_ROOT, path)));
  });

test('a bundle is built when there is none, and again when what it is made of has changed', async () => {
  writeFileSync(source, 'one');
  mkdirSync(data);
  for (const path of [source, data]) utimesSync(path, old, old);

  const first = await fresh();
  assert.ok(existsSync(join(first, 'program.mjs')));
  assert.equal(await fresh(), first);
  assert.equal(builds, 1);

  writeFileSync(source, 'two');
  utimesSync(source, new Date(1e12 + 5000), new Date(1e12 + 5000));
  const second = await fresh();
  assert.notEqual(second, first);
  assert.ok(existsSync(first), 'somebody may still run from it');
  assert.equal(await fresh(), second);

  writeFileSync(join(data, 'more.json'), '');
  utimesSync(data, new Date(1e12 + 9000), new Date(1e12 + 9000));
  assert.notEqual(await fresh(), second);
  rmSync(source);
  writeFileSync(join(folder, 'b.ts'), '');
  await assert.rejects(fresh(), /ENOENT/);
  assert.equal(builds, 4);
});
