import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Access,
  type ApiResource,
  type Client,
  type ConfigMap,
  ConfigMaps,
  CustomResourceDefinitions,
  createClient,
  createDiscovery,
  createTransport,
  Deployments,
  Namespaces,
  resourcesOf,
  Secrets,
  type ServerWarning,
  ServiceAccounts,
  type Transport,
  type WatchEvent,
} from '@flotilla/client';
import {
  defineKind,
  isAlreadyExists,
  isConflict,
  isExpired,
  isInvalid,
  isNotFound,
  type KubeObject,
  StatusError,
  systemClock,
} from '@flotilla/machinery';

/** A server to run the cases on. */
export interface CasesServer extends AsyncDisposable {
  readonly access: Access;
}

/** In what servers may differ and yet be right. */
export interface CasesOptions {
  /** True when a kind's revisions from before it was first watched count as gone. @default false */
  readonly forgetsEarly?: boolean;
}

const Widgets = defineKind({
  group: 'cases.example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
});

/** One more than a double can tell from its neighbour. */
const HUGE = 9_007_199_254_740_993n;

/** Registers what a client must do with any server: the same cases run on ours and on a real one. */
export function clientCases(
  startServer: () => Promise<CasesServer>,
  { forgetsEarly = false }: CasesOptions = {},
): void {
  let server: CasesServer;
  let client: Client;
  const warnings: ServerWarning[] = [];
  let namespaces = 0;

  /** A namespace of its own for each test. */
  const freshNamespace = async (): Promise<string> => {
    const name = `cases-${++namespaces}`;
    await client.create(Namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    return name;
  };
  const freshMaps = async (count: number): Promise<string> => {
    const namespace = await freshNamespace();
    for (let number = 0; number < count; number++) {
      await client.create(ConfigMaps, configMap(namespace, `m${number}`));
    }
    return namespace;
  };

  before(async () => {
    server = await startServer();
    client = createClient(transportTo(server.access), {
      onWarning: (warning) => warnings.push(warning),
    });
    await client.create(CustomResourceDefinitions, widgetDefinition());
    await served(client);
  });
  after(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  describe('verbs', () => {
    test('an object is created, read, replaced, patched and deleted', async () => {
      const namespace = await freshNamespace();
      const key = { namespace, name: 'one' };

      const created = await client.create(ConfigMaps, configMap(namespace, 'one', { a: '1' }));
      assert.notEqual(created.metadata.uid, undefined);
      const read = await client.get(ConfigMaps, key);
      assert.deepEqual(read, created);
      const replaced = await client.replace(ConfigMaps, { ...read, data: { a: '2' } });
      assert.deepEqual(replaced.data, { a: '2' });
      const merged = await client.patch(ConfigMaps, key, {
        type: 'merge',
        body: { data: { b: '3' } },
      });
      assert.deepEqual(merged.data, { a: '2', b: '3' });
      const edited = await client.patch(ConfigMaps, key, {
        type: 'json',
        body: [{ op: 'remove', path: '/data/a' }],
      });
      assert.deepEqual(edited.data, { b: '3' });
      const relabelled = await client.patch(ConfigMaps, key, {
        type: 'strategic',
        body: { metadata: { labels: { tier: 'x' } } },
      });
      assert.deepEqual(relabelled.metadata.labels, { tier: 'x' });

      const gone = await client.delete(ConfigMaps, key);
      assert.equal(gone['status'], 'Success');
      await assert.rejects(client.get(ConfigMaps, key), isNotFound);
    });

    test('no field is dropped and no integer rounded, whatever the kind', async () => {
      const namespace = await freshNamespace();
      const spec = { huge: HUGE, deep: { list: [{ unknown: 'field' }], small: 1.5, none: {} } };
      const widget = { ...namedWidget(namespace, 'huge'), spec };

      const created = await client.create(Widgets, widget);
      assert.deepEqual(created['spec'], spec);
      const read = await client.get(Widgets, { namespace, name: 'huge' });
      assert.deepEqual(read['spec'], spec);
      const { items } = await client.list(Widgets, { namespace });
      assert.deepEqual(items[0]?.['spec'], spec);
      const replaced = await client.replace(Widgets, {
        ...read,
        metadata: { ...read.metadata, labels: { touched: 'yes' } },
      });
      assert.deepEqual(replaced['spec'], spec);
      const [event] = await take(client.watch(Widgets, { namespace, resourceVersion: '0' }), 1);
      assert.deepEqual(event?.object['spec'], spec);
    });

    test('a dry run, a field manager and a precondition are handed on', async () => {
      const namespace = await freshNamespace();
      const key = { namespace, name: 'm0' };

      await client.create(ConfigMaps, configMap(namespace, 'm0', { z: '0' }), {
        fieldManager: 'first',
      });
      await client.create(ConfigMaps, configMap(namespace, 'never'), { dryRun: true });
      await assert.rejects(client.get(ConfigMaps, { namespace, name: 'never' }), isNotFound);
      const patched = await client.patch(ConfigMaps, key, {
        type: 'merge',
        body: { data: { a: 'b' } },
        fieldManager: 'cases',
      });
      assert.deepEqual(
        patched.metadata.managedFields?.map((entry) => Object(entry).manager).sort(),
        ['cases', 'first'],
      );
      await assert.rejects(
        client.delete(ConfigMaps, key, { preconditions: { uid: 'another' } }),
        isConflict,
      );
      await client.delete(ConfigMaps, key, { dryRun: true });
      await client.get(ConfigMaps, key);
    });

    test('apply owns fields, tells conflicts by field, and takes over by force', async () => {
      const namespace = await freshNamespace();
      const mine = configMap(namespace, 'shared', { a: 'mine' });
      const theirs = configMap(namespace, 'shared', { a: 'theirs' });

      await client.apply(ConfigMaps, mine, { fieldManager: 'me' });
      await assert.rejects(
        client.apply(ConfigMaps, theirs, { fieldManager: 'they' }),
        (error: unknown) => {
          assert.ok(error instanceof StatusError && isConflict(error));
          assert.deepEqual(
            error.details?.causes?.map(({ reason, field }) => ({ reason, field })),
            [{ reason: 'FieldManagerConflict', field: '.data.a' }],
          );
          return true;
        },
      );
      const taken = await client.apply(ConfigMaps, theirs, { fieldManager: 'they', force: true });
      assert.deepEqual(taken.data, { a: 'theirs' });
    });

    test('subresources are read and written beside their object', async () => {
      const namespace = await freshNamespace();
      const key = { namespace, name: 'web' };
      await client.create(Deployments, deployment(namespace, 'web'));

      const scale = await client.get(Deployments, key, { subresource: 'scale' });
      assert.equal(scale.kind, 'Scale');
      const grown = await client.replace(
        Deployments,
        { ...scale, spec: { replicas: 3 } },
        { subresource: 'scale' },
      );
      assert.equal(grown.spec?.replicas, 3);
      const status = await client.patch(Deployments, key, {
        type: 'merge',
        body: { spec: { replicas: 9 }, status: { replicas: 2 } },
        subresource: 'status',
      });
      assert.deepEqual([status.spec?.replicas, status.status?.replicas], [3, 2]);

      await client.create(ServiceAccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace, name: 'robot' },
      });
      const token = await client.create(
        ServiceAccounts,
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          metadata: { namespace, name: 'robot' },
          spec: { expirationSeconds: 3600 },
        },
        { subresource: 'token' },
      );
      assert.match(String(Object(token['status']).token), /^ey/);
    });

    test('a collection is deleted by selector', async () => {
      const namespace = await freshMaps(2);
      await client.create(ConfigMaps, {
        ...configMap(namespace, 'kept'),
        metadata: { namespace, name: 'kept', labels: { keep: 'yes' } },
      });

      await client.deleteCollection(ConfigMaps, { namespace, labelSelector: '!keep' });

      const names = await namesIn(client, namespace);
      assert.deepEqual(
        names.filter((name) => name !== 'kube-root-ca.crt'),
        ['kept'],
      );
    });

    test('any path can be asked', async () => {
      assert.equal(Object(await client.raw({ path: '/version' })).major, '1');
      assert.equal(await client.raw({ path: '/healthz' }), 'ok');
    });

    test('an object that has no name or namespace never becomes a collection', async () => {
      await assert.rejects(client.delete(ConfigMaps, { namespace: 'x', name: '' }), TypeError);
      await assert.rejects(client.delete(ConfigMaps, { name: 'x' }), TypeError);
      await assert.rejects(client.get(ConfigMaps, { namespace: 'x', name: '..' }), TypeError);
      await assert.rejects(client.create(ConfigMaps, configMap('', 'x')), TypeError);
    });
  });

  describe('refusals', () => {
    test('tell code, reason, details and causes', async () => {
      const namespace = await freshMaps(1);

      const missing = await refusal(client.get(ConfigMaps, { namespace, name: 'nobody' }));
      assert.equal(missing.code, 404);
      assert.equal(missing.reason, 'NotFound');
      assert.equal(missing.message, 'configmaps "nobody" not found');
      assert.deepEqual(missing.details, { name: 'nobody', kind: 'configmaps' });
      const twice = await refusal(client.create(ConfigMaps, configMap(namespace, 'm0')));
      assert.ok(isAlreadyExists(twice));
      const old = await client.get(ConfigMaps, { namespace, name: 'm0' });
      await client.replace(ConfigMaps, { ...old, data: { a: '1' } });
      const stale = await refusal(client.replace(ConfigMaps, { ...old, data: { a: '2' } }));
      assert.ok(isConflict(stale));
      const wrong = await refusal(
        client.create(Secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace, name: 'Wrong_Name' },
        }),
      );
      assert.ok(isInvalid(wrong));
      assert.equal(wrong.details?.causes?.[0]?.field, 'metadata.name');
    });

    test('that are no Status get the words client-go has for them', async () => {
      const unknown = defineKind({
        group: 'nothing.example.com',
        version: 'v1',
        kind: 'Nothing',
        plural: 'nothings',
        namespaced: true,
      });

      const error = await refusal(client.get(unknown, { namespace: 'x', name: 'y' }));

      assert.equal(
        error.message,
        'the server could not find the requested resource (get nothings.nothing.example.com y)',
      );
      assert.deepEqual(error.details, {
        name: 'y',
        group: 'nothing.example.com',
        kind: 'nothings',
        causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }],
      });
    });
  });

  describe('lists', () => {
    test('come in pages of one revision and as one list', async () => {
      const namespace = await freshMaps(7);
      const fieldSelector = 'metadata.name!=kube-root-ca.crt';
      const options = { namespace, fieldSelector };

      const pages: number[] = [];
      const revisions = new Set<string | undefined>();
      for await (const page of client.pages(ConfigMaps, { ...options, pageSize: 3 })) {
        pages.push(page.items.length);
        revisions.add(page.metadata.resourceVersion);
      }
      assert.deepEqual(pages, [3, 3, 1]);
      assert.equal(revisions.size, 1);
      const whole = await client.list(ConfigMaps, { ...options, pageSize: 3 });
      assert.equal(whole.items.length, 7);
      assert.equal(whole.metadata.continue, undefined);
      assert.deepEqual(whole.items, (await client.list(ConfigMaps, options)).items);
    });

    test('say of each item what it is, and select by label and field', async () => {
      const namespace = await freshMaps(3);
      await client.patch(
        ConfigMaps,
        { namespace, name: 'm1' },
        { type: 'merge', body: { metadata: { labels: { pick: 'me' } } } },
      );

      const { items } = await client.list(ConfigMaps, { namespace, labelSelector: 'pick=me' });
      assert.deepEqual(
        items.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name]),
        [['v1', 'ConfigMap', 'm1']],
      );
      const everywhere = await client.list(ConfigMaps, { fieldSelector: 'metadata.name=m2' });
      assert.ok(everywhere.items.some(({ metadata }) => metadata.namespace === namespace));
    });

    test('of metadata alone carry nothing else', async () => {
      const namespace = await freshNamespace();
      await client.create(ConfigMaps, configMap(namespace, 'one', { big: 'x'.repeat(1_000) }));
      const metadataOnly = true;
      const key = { namespace, name: 'one' };

      const got = await client.get(ConfigMaps, key, { metadataOnly });
      const list = await client.list(ConfigMaps, {
        namespace,
        metadataOnly,
        fieldSelector: 'metadata.name=one',
      });
      const events = client.watch(ConfigMaps, {
        namespace,
        metadataOnly,
        fieldSelector: 'metadata.name=one',
        resourceVersion: '0',
      });
      const [event] = await take(events, 1);

      const full = await client.get(ConfigMaps, key);
      const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: full.metadata };
      assert.deepEqual(got, wanted);
      assert.deepEqual(list.items, [wanted]);
      assert.deepEqual(event?.object, wanted);
      assert.match(list.metadata.resourceVersion ?? '', /^\d+$/);
    });

    test('as tables carry as much of their objects as was asked for', async () => {
      const namespace = await freshMaps(3);
      const fieldSelector = 'metadata.name!=kube-root-ca.crt';
      const options = { namespace, fieldSelector, pageSize: 2 };

      const bare = await client.table(ConfigMaps, { ...options, includeObject: 'None' });
      assert.deepEqual(
        bare.columnDefinitions.map(({ name }) => name),
        ['Name', 'Data', 'Age'],
      );
      assert.deepEqual(
        bare.rows.map(({ cells, object }) => [cells[0], cells[1], object ?? null]),
        [
          ['m0', 0, null],
          ['m1', 0, null],
          ['m2', 0, null],
        ],
      );
      assert.equal(bare.isFromServer, true);
      const partial = await client.table(ConfigMaps, options);
      assert.equal(partial.rows[0]?.object?.kind, 'PartialObjectMetadata');
      assert.equal(partial.rows[0]?.object?.metadata.name, 'm0');
      const full = await client.table(ConfigMaps, { ...options, includeObject: 'Object' });
      assert.equal(full.rows[2]?.object?.kind, 'ConfigMap');
      const one = await client.table(ConfigMaps, { namespace, name: 'm1' });
      assert.deepEqual(
        one.rows.map(({ cells }) => cells[0]),
        ['m1'],
      );
      const [event] = await take(
        client.watchTable(ConfigMaps, { ...options, resourceVersion: '0' }),
        1,
      );
      assert.equal(event?.type, 'ADDED');
      assert.equal(event.table.rows.length, 1);
    });
  });

  describe('watches', () => {
    test('tell what happens, in order, from a revision on', async () => {
      const namespace = await freshMaps(1);
      const { metadata } = await client.list(ConfigMaps, { namespace });
      const { resourceVersion = '' } = metadata;
      const key = { namespace, name: 'late' };
      const fieldSelector = 'metadata.name=late';

      const watched = take(
        client.watch(ConfigMaps, { namespace, fieldSelector, resourceVersion }),
        3,
      );
      await client.create(ConfigMaps, configMap(namespace, 'late'));
      await client.patch(ConfigMaps, key, { type: 'merge', body: { data: { a: 'b' } } });
      await client.delete(ConfigMaps, key);

      assert.deepEqual(
        (await watched).map(({ type, object }) => [type, object.metadata.name, object.data]),
        [
          ['ADDED', 'late', undefined],
          ['MODIFIED', 'late', { a: 'b' }],
          ['DELETED', 'late', { a: 'b' }],
        ],
      );
    });

    test('begin with what there is when asked to, and mark its end', async () => {
      const namespace = await freshMaps(2);

      const events: WatchEvent<ConfigMap>[] = [];
      for await (const event of client.watch(ConfigMaps, {
        namespace,
        fieldSelector: 'metadata.name!=kube-root-ca.crt',
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      })) {
        events.push(event);
        if (event.type === 'BOOKMARK') break;
      }

      assert.deepEqual(
        events.map(({ type }) => type),
        ['ADDED', 'ADDED', 'BOOKMARK'],
      );
      const bookmark = events.at(-1)?.object.metadata;
      assert.deepEqual(bookmark?.annotations, { 'k8s.io/initial-events-end': 'true' });
      assert.match(bookmark?.resourceVersion ?? '', /^\d+$/);
    });

    if (forgetsEarly) {
      test('from a revision that is gone end with 410', async () => {
        const events = client.watch(Widgets, { resourceVersion: '1', timeoutSeconds: 5 });

        await assert.rejects(take(events, 1_000), isExpired);
      });
    }

    test('end when the server ends them, and when they are given up', async () => {
      const namespace = await freshMaps(1);

      await take(client.watch(ConfigMaps, { namespace, timeoutSeconds: 1 }), 1_000);
      const abort = new AbortController();
      const given = take(client.watch(ConfigMaps, { namespace, signal: abort.signal }), 1_000);
      await take(client.watch(ConfigMaps, { namespace }), 1);
      abort.abort();

      await assert.rejects(given);
    });
  });

  test('warnings are handed on, each once', async () => {
    const namespace = await freshNamespace();
    const odd = { ...deployment(namespace, 'odd'), nonsense: 1 };
    const options = { fieldValidation: 'Warn', dryRun: true } as const;
    warnings.length = 0;

    await client.create(Deployments, odd, options);
    await client.create(Deployments, odd, options);

    assert.deepEqual(warnings, [{ code: 299, agent: '-', text: 'unknown field "nonsense"' }]);
  });

  describe('discovery', () => {
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
      const namespace = await freshNamespace();

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

function transportTo(access: Access): Transport {
  return createTransport({ access, clock: systemClock, random: Math.random });
}

/** Waits until a custom kind can be listed. */
async function served(client: Client, plural = 'widgets'): Promise<void> {
  const kind = { ...Widgets, plural };
  for (let tries = 0; ; tries++) {
    try {
      await client.list(kind);
      return;
    } catch (error) {
      if (!isNotFound(error) || tries === 100) throw error;
      await systemClock.wait(50);
    }
  }
}

async function take<T>(events: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

async function refusal(work: Promise<unknown>): Promise<StatusError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'The server did not refuse' });
}

async function namesIn(client: Client, namespace: string): Promise<(string | undefined)[]> {
  const { items } = await client.list(ConfigMaps, { namespace });
  return items.map(({ metadata }) => metadata.name);
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

function configMap(namespace: string, name: string, data?: Record<string, string>): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name },
    ...(data === undefined ? {} : { data }),
  };
}

function deployment(namespace: string, name: string): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'example.com/image' }] },
      },
    },
  };
}

function namedWidget(namespace: string, name: string): KubeObject {
  return {
    apiVersion: 'cases.example.com/v1',
    kind: 'Widget',
    metadata: { namespace, name },
  };
}

function widgetDefinition(singular = 'widget') {
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.cases.example.com` },
    spec: {
      group: 'cases.example.com',
      scope: 'Namespaced',
      names: {
        plural: `${singular}s`,
        singular,
        kind,
        shortNames: singular === 'widget' ? ['wd'] : [],
        categories: ['all'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  };
}
