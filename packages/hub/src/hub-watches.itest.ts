import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, createTransport } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import { createHub, defaultHubConfig } from './hub.ts';
import { installKinds } from './install/install-kinds.ts';

test('registration and inventory share their watches', async () => {
  const watched: string[] = [];
  await using server = await startServer({
    around: (request, next) => {
      if (request.query.get('watch') === 'true') watched.push(request.path);
      return next(request);
    },
  });
  const transport = createTransport({ access: server.access, clock, random: () => 0.5 });
  await using client = createClient(transport);
  const stop = new AbortController();
  await installKinds(client, { clusterProfiles: true }, stop.signal);
  const hub = createHub({ client, clock, random: () => 0.5, config: defaultHubConfig });
  const running = hub.run(stop.signal);
  // The last that it follows: the inventory begins once everything else is known.
  await eventually(() => watched.some((path) => path.endsWith('/clusterprofiles')), Boolean);
  stop.abort();
  await running;

  const times = (end: string) => watched.filter((path) => path.endsWith(end)).length;
  assert.deepEqual(
    [times('/clusterregistrations'), times('/namespaces/vela-system/secrets')],
    [1, 1],
  );
});
