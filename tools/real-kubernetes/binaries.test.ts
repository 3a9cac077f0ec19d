import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { binaryPath, ensureBinaries } from './binaries.ts';
import { kubernetesVersion } from './go.ts';

let folder: string;
let before: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'flotilla-assets-'));
  before = process.env['FLOTILLA_REAL_ASSETS'];
  process.env['FLOTILLA_REAL_ASSETS'] = folder;
});

afterEach(() => {
  if (before === undefined) delete process.env['FLOTILLA_REAL_ASSETS'];
  else process.env['FLOTILLA_REAL_ASSETS'] = before;
  rmSync(folder, { recursive: true });
});

function serverThatSays(text: string): void {
  const path = join(folder, 'kube-apiserver');
  writeFileSync(path, `#!/bin/sh\necho "${text}"\n`);
  chmodSync(path, 0o755);
}

test('the pinned kube-apiserver of a given folder is used', () => {
  serverThatSays(`Kubernetes ${kubernetesVersion()}`);
  ensureBinaries(['kube-apiserver']);
  assert.equal(binaryPath('kube-apiserver'), join(folder, 'kube-apiserver'));
});

test('a kube-apiserver that is our own server is refused', () => {
  serverThatSays('Flotilla 0.1.0');
  assert.throws(() => ensureBinaries(['kube-apiserver']), /it says "Flotilla 0.1.0", wanted/);
});

test('a folder without a wanted program is an error that names it', () => {
  serverThatSays(`Kubernetes ${kubernetesVersion()}`);
  assert.throws(
    () => ensureBinaries(['kube-apiserver', 'etcd']),
    /Cannot use FLOTILLA_REAL_ASSETS ".*": it has no etcd/,
  );
});
