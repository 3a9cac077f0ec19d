import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { upConfig } from './config.ts';
import { pluginFolder } from './plugin-folder.ts';
import { welcome } from './welcome.ts';

const server = { url: 'https://127.0.0.1:6443', version: 'v1.34.4+flotilla' };
const configOf = (fleet: string) =>
  upConfig({ fleet }, { homeFolder: '/home/a', cwd: '/', realPath: (path) => path });

test('who has a fleet and the plugin is told how to ask all members at once', () => {
  const text = welcome(server, configOf('3'), '/opt/my tools');

  assert.match(text, /^ {2}export PATH='\/opt\/my tools':\$PATH\n {2}kubectl mc clusters\n/m);
});

test('without the plugin or without members nothing is said of kubectl mc', () => {
  assert.doesNotMatch(welcome(server, configOf('3'), undefined), /kubectl mc/);
  assert.doesNotMatch(welcome(server, configOf('0'), '/opt/tools'), /kubectl mc/);
});

test('the folder of the plugin is the first of the PATH that can run it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-plugin-'));
  try {
    const path = ['bin', '/nonexistent', folder].join(delimiter);
    writeFileSync(join(folder, 'kubectl-mc'), '#!/bin/sh\n');
    assert.equal(await pluginFolder(path), undefined);

    chmodSync(join(folder, 'kubectl-mc'), 0o755);
    assert.equal(await pluginFolder(path), folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
