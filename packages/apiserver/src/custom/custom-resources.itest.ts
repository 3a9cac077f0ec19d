import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../authn/manual-clock.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory } from '../testing/start-in-memory.ts';
import { openWatch } from '../testing/watch-events.ts';
import { CRDS, define, make, merge, version, WIDGETS, widget, widgets } from './widgets.cases.ts';

describe('a custom resource', () => {
  test('is served, in discovery and in OpenAPI before its definition says so', async () => {
    await using server = await startInMemory();
    const watch = await openWatch(server, `${CRDS}?watch=true&resourceVersion=0`);
    const times: number[] = [];
    // The first ones load tables; a busy machine may hold up any of them.
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const group = `${name}.example.com`;
      const begun = performance.now();
      await server.send(`POST ${CRDS}`, { body: widgets({ group }, { name: `widgets.${group}` }) });
      const conditions: string[][] = [];
      while (conditions.at(-1)?.[1] !== 'Established True InitialNamesAccepted') {
        const [event] = await watch.take(1);
        conditions.push(
          (event?.object.status.conditions ?? []).map(
            ({ type, status, reason }: Record<string, string>) => `${type} ${status} ${reason}`,
          ),
        );
      }
      times.push(performance.now() - begun);

      const path = `/apis/${group}/v1`;
      assert.equal((await server.send(`GET ${path}/widgets?limit=1`)).status, 200);
      assert.equal((await server.send(`GET ${path}`)).status, 200);
      const openApi = (await server.send(`GET /openapi/v3${path}`)).json();
      assert.ok(openApi.components.schemas[`com.example.${name}.v1.Widget`]);
      assert.deepEqual(conditions.at(-2), [
        'NamesAccepted True NoConflicts',
        'Established False Installing',
      ]);
    }
    assert.ok(Math.min(...times) < 100, `established after ${times.join(', ')} ms`);
    watch.stream.cancel();
  });

  test('has the defaults of a status that its creator may not set, in dry runs too', async () => {
    await using server = await startInMemory();
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: { type: 'object', properties: { size: { type: 'integer' } } },
          status: {
            type: 'object',
            default: { observedGeneration: -1 },
            properties: { observedGeneration: { type: 'integer' }, phase: { type: 'string' } },
          },
        },
      },
    };
    await define(server, widgets({ versions: [version('v1', { schema })] }));
    const wanted = { observedGeneration: -1 };
    const sent = widget('a', { size: 1 }, { status: { phase: 'Done' } });

    assert.deepEqual((await make(server, `${WIDGETS}?dryRun=All`, sent)).status, wanted);
    const created = await server.send(`POST ${WIDGETS}`, { body: sent });
    assert.deepEqual(created.json().status, wanted);
    assert.deepEqual((await server.send(`GET ${WIDGETS}/a`)).text(), created.text());

    const [path, dry] = [`${WIDGETS}/a`, `${WIDGETS}/a?dryRun=All`];
    assert.deepEqual((await merge(server, dry, { spec: { size: 2 } })).status, wanted);
    assert.deepEqual((await merge(server, path, { spec: { size: 2 } })).status, wanted);
    const ofStatus = (where: string) => where.replace('widgets/a', 'widgets/a/status');
    assert.deepEqual((await merge(server, ofStatus(dry), { status: null })).status, wanted);
    assert.deepEqual((await merge(server, ofStatus(path), { status: null })).status, wanted);
  });

  test('whose parts are not of their types has no owners of its fields', async () => {
    await using server = await startInMemory();
    const schema = {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { size: { type: 'integer' }, at: { type: 'string', format: 'date-time' } },
          },
          status: { type: 'object', properties: { phase: { type: 'string' } } },
        },
      },
    };
    await define(server, widgets({ versions: [version('v1', { schema })] }));
    const ownersOf = ({ metadata }: { metadata: { managedFields?: object[] } }) =>
      metadata.managedFields?.length ?? 0;
    const sent = widget('a', { size: 1 }, { status: { phase: 'Done' } });
    const misfit = { status: { phase: ['Done'] } };

    assert.equal(ownersOf(await make(server, WIDGETS, sent)), 1);
    assert.equal(ownersOf(await merge(server, `${WIDGETS}/a`, { spec: { size: 2 } })), 1);
    assert.equal(
      ownersOf(await merge(server, `${WIDGETS}/a`, { spec: { size: 3 }, ...misfit })),
      0,
    );
    assert.equal(ownersOf(await make(server, WIDGETS, widget('b', { size: 1 }, misfit))), 0);
    assert.equal(ownersOf(await make(server, WIDGETS, widget('c', { at: ['now'] }))), 0);
  });

  test('is shown in as many cells as columns, up to the first path that nobody can read', async () => {
    await using server = await startInMemory();
    const column = (name: string, jsonPath: string) => ({ name, type: 'string', jsonPath });
    const additionalPrinterColumns = [
      column('Color', '.spec.color'),
      column('Odd', '.spec.list['),
      column('Size', '.spec.size'),
    ];
    await define(server, widgets({ versions: [version('v1', { additionalPrinterColumns })] }));
    await make(server, WIDGETS, widget('a'));

    const table = await server.send(`GET ${WIDGETS}/a`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });

    const { columnDefinitions, rows } = table.json();
    const names = columnDefinitions.map(({ name }: { name: string }) => name);
    assert.deepEqual(
      [names, rows[0].cells],
      [
        ['Name', 'Color'],
        ['a', 'red'],
      ],
    );
  });

  test('is written as Go writes a map: keys in order, from the first byte on', async () => {
    await using server = await startInMemory();
    await define(server);

    const created = await server.send(`POST ${WIDGETS}`, {
      body: widget('a', { size: 1, color: 'blue' }),
    });

    assert.match(created.text(), /^\{"apiVersion":"example.com\/v1","kind":"Widget","metadata":/);
    assert.match(created.text(), /"spec":\{"color":"blue","size":1\}\}\n$/);
    const list = await server.send(`GET ${WIDGETS}?limit=5`);
    assert.match(list.text(), /^\{"apiVersion":"example.com\/v1","items":\[\{"apiVersion":/);
    assert.match(
      list.text(),
      /"kind":"WidgetList","metadata":\{"continue":"","resourceVersion":"\d+"\}\}\n$/,
    );
  });

  test('tells null, nothing and an empty list apart', async () => {
    await using server = await startInMemory();
    const free = {
      openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    };
    await define(server, widgets({ versions: [version('v1', { schema: free })] }));
    const before = await make(server, WIDGETS, widget('a', {}));

    const after = await merge(server, `${WIDGETS}/a`, { spec: { list: [] } });

    assert.deepEqual(after.spec, { list: [] });
    assert.equal(after.metadata.generation, before.metadata.generation + 1);
  });

  test('is gone with its definition, and watches of it end', async () => {
    await using server = await startInMemory();
    await define(server);
    await make(server, WIDGETS, widget('a'));
    const watch = await openWatch(server, `${WIDGETS}?watch=true`);
    await watch.take(1);

    const deleted = await server.send(`DELETE ${CRDS}/widgets.example.com`);
    assert.equal(deleted.json().status.conditions.at(-1).reason, 'InstanceDeletionPending');
    await server.api.settled();

    const [gone] = await watch.take(1);
    assert.equal(gone?.type, 'DELETED');
    assert.deepEqual(await watch.take(1), [], 'the watch has ended');
    assert.equal((await server.send(`GET ${CRDS}/widgets.example.com`)).status, 404);
    assert.equal((await server.send(`GET ${WIDGETS}`)).status, 404);
    assert.equal((await server.send('GET /apis/example.com')).status, 404);
    assert.equal(
      (await server.send('GET /apis/apiregistration.k8s.io/v1/apiservices/v1.example.com')).status,
      404,
    );
    using snapshot = server.store.snapshot(ROOT_TENANT);
    assert.deepEqual(snapshot.range('example.com/', { limit: 10 }), []);
  });

  test('holds its definition while a finalizer holds it, and lets nothing follow', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock });
    await define(server);
    await make(
      server,
      WIDGETS,
      widget('a', {}, { metadata: { name: 'a', finalizers: ['x.y/z'] } }),
    );

    await server.send(`DELETE ${CRDS}/widgets.example.com`);
    await server.api.settled();

    const refused = await server.send(`POST ${WIDGETS}`, { body: widget('b') });
    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /create not allowed while custom resource definition is terminating$/,
    );
    const { resources } = (await server.send('GET /apis/example.com/v1')).json();
    assert.deepEqual(resources[0].verbs, ['delete', 'deletecollection', 'get', 'list', 'watch']);
    const waiting = (await server.send(`GET ${CRDS}/widgets.example.com`)).json();
    assert.equal(waiting.status.conditions.at(-1).reason, 'InstanceDeletionInProgress');
    await merge(server, `${WIDGETS}/a`, { metadata: { finalizers: null } });
    await server.api.settled();
    assert.equal((await server.send(`GET ${CRDS}/widgets.example.com`)).status, 404);
  });

  test('that is being created while its definition goes does not stay behind', async () => {
    await using server = await startInMemory();
    await define(server);

    const creates = Array.from({ length: 20 }, (_, index) =>
      server.send(`POST ${WIDGETS}`, { body: widget(`w${index}`) }),
    );
    const deletion = server.send(`DELETE ${CRDS}/widgets.example.com`);
    await Promise.all([...creates, deletion]);
    await server.api.settled();
    while ((await server.send(`GET ${CRDS}/widgets.example.com`)).status !== 404) {
      await new Promise((resolve) => setImmediate(resolve));
    }

    using snapshot = server.store.snapshot(ROOT_TENANT);
    assert.deepEqual(snapshot.range('example.com/', { limit: 10 }), []);
  });

  test('shows fields that a later schema fills in or drops, in every view of it', async () => {
    await using server = await startInMemory();
    await define(server);
    await make(server, WIDGETS, widget('a', { size: 1, color: 'blue' }));
    const watch = await openWatch(server, `${WIDGETS}?watch=true`);
    await watch.take(1);

    const spec = {
      type: 'object',
      properties: { size: { type: 'integer' }, shape: { type: 'string', default: 'round' } },
    };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    await merge(server, `${CRDS}/widgets.example.com`, {
      spec: { versions: [version('v1', { schema })] },
    });

    const wanted = { size: 1, shape: 'round' };
    assert.deepEqual((await server.send(`GET ${WIDGETS}/a`)).json().spec, wanted);
    assert.deepEqual((await server.send(`GET ${WIDGETS}?limit=5`)).json().items[0].spec, wanted);
    const streamed = await server.send(`GET ${WIDGETS}`);
    assert.match(String(await streamed.whole()), /"spec":\{"shape":"round","size":1\}/);
    assert.deepEqual(await watch.take(1), [], 'whoever watched under the old schema begins anew');
    const again = await openWatch(server, `${WIDGETS}?watch=true`);
    assert.deepEqual((await again.take(1))[0]?.object.spec, wanted);
    again.stream.cancel();
  });

  test('comes back after a restart, with everything that is said about it', async () => {
    await using first = await startInMemory();
    await define(first);
    await make(first, WIDGETS, widget('a'));
    await using second = await startInMemory({ store: first.store });

    assert.equal((await second.send(`GET ${WIDGETS}/a`)).json().spec.color, 'red');
    assert.equal((await second.send('GET /apis/example.com/v1')).status, 200);
    const revision = second.store.revision(ROOT_TENANT);
    await second.api.settled();
    assert.equal(second.store.revision(ROOT_TENANT), revision, 'nothing had to be written again');
  });

  test('is deleted with its namespace', async () => {
    await using server = await startInMemory();
    await define(server);
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    await make(server, '/apis/example.com/v1/namespaces/team/widgets', widget('a'));

    await server.send('DELETE /api/v1/namespaces/team');
    await server.api.settled();

    assert.equal((await server.send('GET /api/v1/namespaces/team')).status, 404);
    assert.deepEqual(
      (await server.send('GET /apis/example.com/v1/widgets?limit=5')).json().items,
      [],
    );
  });

  test('has an APIService, which comes back when someone deletes or changes it', async () => {
    await using server = await startInMemory();
    await define(server);
    const path = '/apis/apiregistration.k8s.io/v1/apiservices/v1.example.com';
    const made = (await server.send(`GET ${path}`)).json();
    assert.equal(made.metadata.labels['kube-aggregator.kubernetes.io/automanaged'], 'true');
    assert.deepEqual(made.spec, {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 100,
    });

    await merge(server, path, { spec: { groupPriorityMinimum: 5 } });
    await server.api.settled();
    assert.equal((await server.send(`GET ${path}`)).json().spec.groupPriorityMinimum, 1000);
    await server.send(`DELETE ${path}`);
    await server.api.settled();
    assert.equal((await server.send(`GET ${path}`)).status, 200);
  });

  test('is never taken for the built-in kind whose name it has', async () => {
    await using server = await startInMemory();
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, a test' };
    await define(
      server,
      widgets(
        {
          group: 'networking.k8s.io',
          names: { plural: 'ingresses', singular: 'ingress', kind: 'Ingress' },
        },
        { name: 'ingresses.networking.k8s.io', annotations },
      ),
    );
    const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
    const spec = { defaultBackend: { service: { name: 'x', port: { number: 80 } } } };
    await make(server, path, { metadata: { name: 'a' }, spec });

    await server.send(`DELETE ${CRDS}/ingresses.networking.k8s.io`);
    await server.api.settled();

    assert.equal((await server.send(`GET ${CRDS}/ingresses.networking.k8s.io`)).status, 404);
    assert.equal(
      (await server.send(`GET ${path}/a`)).status,
      200,
      'it was not the CRD’s to delete',
    );
  });
});

describe('names', () => {
  test('that two definitions want at once are given to one of them', async () => {
    await using server = await startInMemory();
    const other = widgets(
      { names: { plural: 'gadgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] } },
      { name: 'gadgets.example.com' },
    );

    await Promise.all([
      server.send(`POST ${CRDS}`, { body: widgets() }),
      server.send(`POST ${CRDS}`, { body: other }),
    ]);
    await server.api.settled();

    const crds = (await server.send(`GET ${CRDS}?limit=10`)).json().items;
    const verdicts = crds.map(
      ({ status }: { status: { conditions: { status: string }[] } }) =>
        status.conditions[0]?.status,
    );
    assert.deepEqual(verdicts.sort(), ['False', 'True']);
  });
});

describe('a thousand definitions', () => {
  test('are not read at the start, nor when one of them is used', async () => {
    await using first = await startInMemory();
    await define(first);
    const copy = async (kind: string, from: string, to: (group: string) => string) => {
      const text = String(first.store.read(ROOT_TENANT, `${kind}/${from}`)?.value);
      await Promise.all(
        Array.from({ length: 1000 }, (_, index) => {
          const group = `g${index}.example.com`;
          const copied = text.replaceAll('"example.com"', `"${group}"`).replaceAll(from, to(group));
          const value = (revision: number) =>
            Buffer.from(
              copied.replace(/"resourceVersion":"\d+"/, `"resourceVersion":"${revision}"`),
            );
          const key = `${kind}/${to(group)}`;
          return first.store.write(ROOT_TENANT, { key, expect: 0, value });
        }),
      );
    };
    await copy('apiregistration.k8s.io/apiservices', 'v1.example.com', (group) => `v1.${group}`);
    await copy(
      'apiextensions.k8s.io/customresourcedefinitions',
      'widgets.example.com',
      (group) => `widgets.${group}`,
    );
    await first.api.settled();
    const begun = performance.now();
    await using second = await startInMemory({ store: first.store });

    const path = '/apis/g500.example.com/v1/namespaces/default/widgets?limit=1';
    assert.equal((await second.send(`GET ${path}`)).status, 200);
    const ms = performance.now() - begun;
    assert.ok(ms < 2000, `first answer after ${ms} ms`);
    assert.ok((await second.send('GET /apis')).json().groups.length > 1000);
    const index = (await second.send('GET /openapi/v3')).text();
    assert.ok(index.includes('apis/g999.example.com/v1'));
  });
});
