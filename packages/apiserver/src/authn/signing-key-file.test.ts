import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { addSigningKey, ensureSigningKeys } from './signing-key-file.ts';

test('signing keys outlive a restart, and a new one goes in front of the old', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-keys-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'service-account-keys.pem');
  const ids = (keys: { id: string }[]): string[] => keys.map((key) => key.id);

  const first = ids(ensureSigningKeys(path));
  assert.equal(first.length, 1);
  assert.deepEqual(ids(ensureSigningKeys(path)), first);

  const both = ids(addSigningKey(path));
  assert.equal(both.length, 2);
  assert.equal(both[1], first[0]);
  assert.deepEqual(ids(ensureSigningKeys(path)), both);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});
