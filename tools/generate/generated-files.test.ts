import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { differences, type GeneratedFiles, writeAll } from './generated-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flotilla-generated-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('writing makes the folder equal, removing what is no longer generated', () => {
  writeFileSync(join(folder, 'old.json'), '{}');
  const files: GeneratedFiles = new Map([
    ['a.json', '1'],
    ['deep/b.json', '2'],
  ]);
  assert.deepEqual(differences(folder, files), [
    'a.json: missing',
    'deep/b.json: missing',
    'old.json: no longer generated',
  ]);
  writeAll(folder, files);
  assert.deepEqual(differences(folder, files), []);
  assert.equal(existsSync(join(folder, 'old.json')), false);
  writeFileSync(join(folder, 'a.json'), '3');
  assert.deepEqual(differences(folder, files), ['a.json: differs']);
});

test('the same text compressed otherwise is no difference and is left alone', () => {
  const kept = gzipSync('text '.repeat(50), { level: 1 });
  writeFileSync(join(folder, 'a.gz'), kept);
  const files: GeneratedFiles = new Map([['a.gz', gzipSync('text '.repeat(50), { level: 9 })]]);
  assert.deepEqual(differences(folder, files), []);
  writeAll(folder, files);
  assert.deepEqual(readFileSync(join(folder, 'a.gz')), kept);
  files.set('a.gz', gzipSync('other'));
  assert.deepEqual(differences(folder, files), ['a.gz: differs']);
});
