import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ConfigMaps,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  createClient,
  createTransport,
} from '@flotilla/client';
import { systemClock as clock, isNotFound, parseYaml } from '@flotilla/machinery';
import { createManager, isTrue } from '@flotilla/runtime';
import { eventually, expectSoundStatus, startServer } from '@flotilla/testkit';
import { type Site, Sites, siteConditions, siteController } from './site-controller.ts';

const random = () => 0.5;
const crd = parseYaml(readFileSync(join(FLOTILLA_ROOT, 'e2e/guide/crd.yaml'), 'utf8')).value;
const blog = { namespace: 'default', name: 'blog' };

test('a site publishes its page, heals it, and leaves the directory when it goes', async () => {
  await using server = await startServer();
  await using client = createClient(createTransport({ access: server.access, clock, random }));
  await client.create(CustomResourceDefinitions, crd as unknown as CustomResourceDefinition);
  await eventually(() => client.list(Sites), Boolean, { tolerates: isNotFound });
  const stop = new AbortController();
  const manager = createManager({ client, controllers: [siteController(client)], clock, random });
  const running = manager.run(stop.signal);
  const readTitle = async () => (await client.get(ConfigMaps, blog)).data?.['index.md'];
  const readDirectory = async () =>
    (await client.get(ConfigMaps, { ...blog, name: 'sites' })).data ?? {};

  await client.create(Sites, {
    apiVersion: 'guide.flotilla.dev/v1',
    kind: 'Site',
    metadata: blog,
    spec: { title: 'Hello' },
  } as Site);
  const site = await eventually(
    () => client.get(Sites, blog),
    ({ status }) => isTrue(status?.conditions ?? [], 'Ready'),
  );
  expectSoundStatus(site, siteConditions);
  assert.equal(await readTitle(), '# Hello\n');
  assert.deepEqual(await readDirectory(), { blog: 'Hello' });

  await client.delete(ConfigMaps, blog);
  await eventually(readTitle, (title) => title === '# Hello\n', { tolerates: isNotFound });

  await client.delete(Sites, blog);
  await eventually(async () => (await client.list(Sites)).items.length === 0);
  assert.deepEqual(await readDirectory(), {});

  stop.abort();
  await running;
});
