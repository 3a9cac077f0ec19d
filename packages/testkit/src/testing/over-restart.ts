import assert from 'node:assert/strict';
import type { Client } from '@flotilla/client';
import { eventually } from '../eventually.ts';
import type { TestApiServer } from '../start-server.ts';
import { createMap, keyOf, listMaps } from './config-maps.ts';
import { assertHolds, follow } from './followed.ts';
import { runInformers } from './run-informers.ts';

/** Has an informer follow a server over a restart: it goes on from where it was, with the objects it had. */
export async function followOverRestart(
  server: TestApiServer,
  client: Client,
  whileAway: () => Promise<void> = async () => {},
): Promise<void> {
  await using run = runInformers();
  await createMap(client, 'one');
  const informer = run.start({ client });
  const followed = follow(informer);
  await informer.synced();
  const known = informer.get(keyOf('one'));

  await server.stop();
  await whileAway();
  await server.start();
  await eventually(() => createMap(client, 'two'), Boolean, { tolerates: () => true });

  await eventually(
    async () => assertHolds(followed, await listMaps(client)),
    () => true,
  );
  assert.equal(informer.get(keyOf('one')), known);
}
