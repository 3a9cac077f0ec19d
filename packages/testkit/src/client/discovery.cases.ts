import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import {
  type ApiResource,
  type Client,
  CustomResourceDefinitions,
  createDiscovery,
  resourcesOf,
  type Transport,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { namedWidget, served, Widgets, widgetDefinition } from './fixtures.ts';
import type { CasesPlace } from './place.ts';

/** What a server serves, and under which names. */
export function discoveryCases(place: CasesPlace): void {
  describe('discovery', () => {
    let client: Client;
    before(() => {
      client = place.client();
    });

    test('names are found as kubectl finds them', async () => {
      const discovery = createDiscovery(client.transport, {
        clock: systemClock,
        trustBuiltIns: false,
      });
      const found = async (name: string) => {
        const resource = await discovery.find(name);
        return resource && [resource.plural, resource.version, resource.group].join('.');
      };

      for (const name of ['po', 'pod', 'pods', 'Pod', 'Pods']) {
        assert.equal(await found(name), 'pods.v1.', name);
      }
      for (const name of ['deploy', 'deployments.apps', 'deployment.v1.apps', 'Deployment.apps']) {
        assert.equal(await found(name), 'deployments.v1.apps', name);
      }
      assert.equal(await found('wd'), 'widgets.v1.cases.example.com');
      assert.equal(await found('widget.cases'), 'widgets.v1.cases.example.com');
      assert.equal(await found('hpa'), 'horizontalpodautoscalers.v2.autoscaling');
      assert.equal(await found('hpa.v1.autoscaling'), 'horizontalpodautoscalers.v1.autoscaling');
      assert.equal(await found('events'), 'events.v1.');
      assert.equal(await found('nobody'), undefined);
      const all = await discovery.category('all');
      assert.deepEqual(
        all.slice(0, 5).map(({ plural }) => plural),
        ['pods', 'replicationcontrollers', 'services', 'daemonsets', 'deployments'],
      );
      assert.ok(all.some(({ plural }) => plural === 'widgets'));
    });

    test('what is built in needs no request, and agrees with the server', async () => {
      const requests: string[] = [];
      const discovery = createDiscovery(counted(client.transport, requests), {
        clock: systemClock,
      });
      const truth = createDiscovery(client.transport, { clock: systemClock, trustBuiltIns: false });
      const listable = [...resourcesOf(await truth.surface())].filter(
        ({ group, verbs }) => group !== Widgets.group && verbs.includes('list'),
      );
      const names = [
        ...listable.map(({ plural, group }) => (group === '' ? plural : `${plural}.${group}`)),
        ...listable.flatMap(({ shortNames }) => shortNames),
        ...listable.map(({ kind }) => kind),
      ];

      const guesses = await Promise.all(names.map((name) => discovery.find(name)));

      assert.deepEqual(requests, []);
      const real = await Promise.all(names.map((name) => truth.find(name)));
      const essence = (resource?: ApiResource) =>
        resource && { ...resource, categories: [], verbs: [], subresources: [] };
      assert.deepEqual(guesses, real.map(essence));
      assert.ok(names.length > 100);
    });

    test('the older form tells the same', async () => {
      const old = createDiscovery(withoutAggregation(client.transport), {
        clock: systemClock,
        trustBuiltIns: false,
      });
      const modern = createDiscovery(client.transport, { clock: systemClock });

      assert.deepEqual(
        sorted((await old.surface()).groups),
        sorted((await modern.surface()).groups),
      );
    });

    test('a kind that was just added is found, and its objects served', async () => {
      const discovery = createDiscovery(client.transport, { clock: systemClock });
      await discovery.surface();
      await client.create(CustomResourceDefinitions, widgetDefinition('gadget'));
      await served(client, 'gadgets');
      const namespace = await place.freshNamespace();

      const items = await discovery.use('gadgets', async (kind) => {
        await client.create(kind, { ...namedWidget(namespace, 'g'), kind: 'Gadget' });
        return (await client.list(kind, { namespace })).items;
      });

      assert.deepEqual(
        items.map(({ metadata }) => metadata.name),
        ['g'],
      );
      await assert.rejects(
        discovery.use('nobodys', async () => {}),
        { message: `the server doesn't have a resource type "nobodys"` },
      );
    });

    test('is remembered on disk, asked for again only in part, and never trusted blindly', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'flotilla-discovery-'));
      try {
        let now = 0;
        const clock = { ...systemClock, now: () => now };
        const cache = { folder, server: 'https://host:6443/../x' };
        const run = async () => {
          const requests: string[] = [];
          const discovery = createDiscovery(counted(client.transport, requests), {
            clock,
            cache,
            ttlMs: 1_000,
          });
          return { surface: await discovery.surface(), requests };
        };

        const first = await run();
        assert.deepEqual(first.requests.toSorted(), ['/api 200', '/apis 200']);
        const [file = '', ...others] = await readdir(folder);
        assert.deepEqual(others, []);
        assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
        const second = await run();
        assert.deepEqual(second, { ...first, requests: [] });
        now = 1_000;
        const third = await run();
        assert.deepEqual(third.requests.toSorted(), ['/api 304', '/apis 304']);
        assert.deepEqual(third.surface, first.surface);
        const text = await readFile(join(folder, file), 'utf8');
        for (const damaged of ['', text.slice(0, -9), '{}', text.replace('"plural":', '"x":')]) {
          await writeFile(join(folder, file), damaged);
          assert.deepEqual((await run()).requests.toSorted(), ['/api 200', '/apis 200']);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  });
}

/** Notes which paths are asked for, and with what success. */
function counted(transport: Transport, requests: string[]): Transport {
  return {
    ...transport,
    send: async (request) => {
      const answer = await transport.send(request);
      requests.push(`${request.path} ${answer.status}`);
      return answer;
    },
  };
}

/** As a client from before aggregated discovery asks. */
function withoutAggregation(transport: Transport): Transport {
  return {
    ...transport,
    send: (request) =>
      transport.send({ ...request, headers: { ...request.headers, accept: 'application/json' } }),
  };
}

/** The two forms list resources of a version in different orders. */
function sorted(groups: readonly { versions: readonly { resources: readonly ApiResource[] }[] }[]) {
  return groups.map((group) => ({
    ...group,
    versions: group.versions.map((version) => ({
      ...version,
      resources: version.resources
        .map((resource) => ({ ...resource, subresources: [...resource.subresources].sort() }))
        .sort((one, other) => one.plural.localeCompare(other.plural)),
    })),
  }));
}
