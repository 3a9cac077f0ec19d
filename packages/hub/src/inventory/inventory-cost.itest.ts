import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, startServer } from '@flotilla/testkit';
import { readyStatus, register, SPACE } from './testing/objects.ts';
import { ensureNamespace, openInventory } from './testing/open-inventory.ts';

test('many clusters cost two writes of a profile each and one of the registration, and none later', async () => {
  await using hub = await openInventory(startServer);
  const { client } = hub;
  await hub.stop();
  await ensureNamespace(client, SPACE);
  const names = Array.from({ length: 200 }, (_, at) => `member-${at}`);
  const waiting = names.values();
  const make = async () => {
    for (const name of waiting) await register(client, name, { status: readyStatus(name) });
  };
  await Promise.all(Array.from({ length: 8 }, make));

  hub.start();
  await eventually(() => hub.writes.length >= 600, Boolean, { withinMs: 60_000 });
  await hub.stop();
  const looks = hub.passes.length;
  hub.start();
  await eventually(() => hub.passes.length >= looks + 200, Boolean, { withinMs: 60_000 });
  await hub.stop();

  const count = (start: string) => hub.writes.filter((write) => write.startsWith(start)).length;
  assert.deepEqual(
    [
      count('apply clusterprofiles '),
      count('apply clusterprofiles/status '),
      count('apply clusterregistrations/status '),
      hub.writes.length,
    ],
    [200, 200, 200, 600],
  );
});
