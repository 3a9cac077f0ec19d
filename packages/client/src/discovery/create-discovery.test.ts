import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import type { WireRequest } from '../transport.ts';
import { createClient } from '../verbs/create-client.ts';
import { type Scripted, scriptedTransport } from '../verbs/testing/scripted-transport.ts';
import { createDiscovery } from './create-discovery.ts';

describe('a resource that is only assumed', () => {
  test('is looked up when the server does not have it, and used as it is there', async () => {
    const { transport, client, discovery } = connect(({ path }) => {
      if (path === '/apis') return aggregated('autoscaling', ['v1'], 'horizontalpodautoscalers');
      if (path.startsWith('/apis/autoscaling/v1/')) return { body: { metadata: {}, items: [] } };
      return notServed;
    });

    const version = await discovery.use('hpa', async (kind) => {
      await client.list(kind);
      return kind.version;
    });

    assert.equal(version, 'v1');
    assert.deepEqual(
      transport.requests.map(({ path }) => path.split('?')[0]),
      [
        '/apis/autoscaling/v2/horizontalpodautoscalers',
        '/api',
        '/apis',
        '/apis/autoscaling/v1/horizontalpodautoscalers',
      ],
    );
  });

  test('is not doubted because one of its objects is missing', async () => {
    const status = { kind: 'Status', status: 'Failure', code: 404, reason: 'NotFound' };
    const { transport, client, discovery } = connect(() => ({
      status: 404,
      body: { ...status, message: 'pods "x" not found', details: { name: 'x', kind: 'pods' } },
    }));

    await assert.rejects(
      discovery.use('po', (kind) => client.get(kind, { namespace: 'a', name: 'x' })),
      { message: 'pods "x" not found' },
    );

    assert.equal(transport.requests.length, 1);
  });

  test('stays refused when the server has nothing of the name', async () => {
    const { client, discovery } = connect(({ path }) =>
      path === '/apis' ? aggregated('other', ['v1'], 'others') : notServed,
    );

    await assert.rejects(
      discovery.use('hpa', (kind) => client.list(kind)),
      { code: 404 },
    );
  });

  test('is never one of a group that is only begun', async () => {
    const { transport, discovery } = connect(({ path }) =>
      path === '/apis' ? aggregated('app', ['v1'], 'deployments') : notServed,
    );

    const found = await discovery.find('deployments.app');

    assert.equal(found?.group, 'app');
    assert.equal(transport.requests.length, 2);
  });
});

describe('what is remembered', () => {
  test('is asked for once, however many ask at once', async () => {
    const { transport, discovery } = connect(({ path }) =>
      path === '/apis' ? aggregated('g', ['v1'], 'things') : notServed,
    );

    const found = await Promise.all(
      ['things', 'thing', 'Thing'].map((name) => discovery.find(name)),
    );

    assert.deepEqual(
      found.map((one) => one?.plural),
      ['things', 'things', 'things'],
    );
    assert.equal(transport.requests.length, 2);
  });

  test('is doubted when something is missing from it, once', async () => {
    let versions = ['v1'];
    const { transport, discovery } = connect(({ path }) =>
      path === '/apis' ? aggregated('g', versions, 'things') : notServed,
    );
    await discovery.find('things');
    versions = ['v2', 'v1'];

    assert.equal((await discovery.find('things.v2.g'))?.version, 'v2');
    assert.equal(transport.requests.length, 4);
    assert.equal(await discovery.find('nobody'), undefined);
    assert.equal(transport.requests.length, 6);
  });

  test('grows old, and is confirmed by its fingerprint', async () => {
    const clock = new ManualClock();
    const { transport, discovery } = connect(({ path, headers }) => {
      if (path !== '/apis') return notServed;
      if (headers?.['if-none-match'] === '"e"') return { status: 304 };
      return { ...aggregated('g', ['v1'], 'things'), headers: { ...json, etag: '"e"' } };
    }, clock);
    await discovery.find('things');
    await clock.advance(10 * 60_000 - 1);
    await discovery.find('things');
    assert.equal(transport.requests.length, 2);

    await clock.advance(1);

    assert.equal((await discovery.find('things'))?.plural, 'things');
    assert.equal(transport.requests.length, 4);
  });

  test('does not hold those who give up', async () => {
    const { discovery } = connect(() => notServed);
    const abort = new AbortController();

    const waiting = discovery.surface(abort.signal);
    abort.abort(new Error('enough'));

    await assert.rejects(waiting, { message: 'enough' });
  });
});

test('a version that could not be described is told, and hides nothing else', async () => {
  const { discovery } = connect(({ path }) => {
    if (path !== '/apis') return notServed;
    const { body } = aggregated('g', ['v1', 'v2'], 'things') as { body: { items: Item[] } };
    for (const version of body.items[0]?.versions ?? []) {
      if (version['version'] === 'v1') version['freshness'] = 'Stale';
    }
    return { body };
  });

  const { failed } = await discovery.surface();

  assert.deepEqual(failed, ['g/v1']);
  assert.equal((await discovery.find('things'))?.version, 'v2');
});

test('the older form is read group version by group version, and one may fail', async () => {
  const { discovery } = connect(({ path }) => {
    const answers: Record<string, unknown> = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/api/v1': {
        groupVersion: 'v1',
        resources: [
          { name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'], shortNames: ['po'] },
          { name: 'pods/log', kind: 'Pod', namespaced: true, verbs: ['get'] },
        ],
      },
      '/apis': {
        kind: 'APIGroupList',
        groups: [
          {
            name: 'g',
            versions: [{ version: 'v1' }, { version: 'v2' }, { version: 'v3' }],
            preferredVersion: { version: 'v2' },
          },
        ],
      },
      '/apis/g/v1': { groupVersion: 'g/v1', resources: [{ name: 'as', kind: 'A' }] },
      '/apis/g/v2': { groupVersion: 'g/v2', resources: [{ name: 'as', kind: 'A' }] },
    };
    return path in answers ? { body: answers[path] } : { ...notServed, status: 503 };
  });

  const { groups, failed } = await discovery.surface();

  assert.deepEqual(failed, ['g/v3']);
  assert.deepEqual(groups[0]?.versions[0]?.resources, [
    {
      group: '',
      version: 'v1',
      kind: 'Pod',
      plural: 'pods',
      namespaced: true,
      singular: 'pod',
      shortNames: ['po'],
      categories: [],
      verbs: ['get'],
      subresources: ['log'],
    },
  ]);
  assert.deepEqual(
    groups[1]?.versions.map(({ version }) => version),
    ['v2', 'v1'],
  );
});

type Item = { versions: Record<string, unknown>[] };

const json = { 'content-type': 'application/json' };
const notServed: Scripted = {
  status: 404,
  headers: { 'content-type': 'text/plain' },
  body: '404 page not found\n',
};

function connect(script: (request: WireRequest) => Scripted, clock = new ManualClock()) {
  const transport = scriptedTransport(script);
  const discovery = createDiscovery(transport, { clock });
  return { transport, discovery, client: createClient(transport) };
}

function aggregated(group: string, versions: readonly string[], plural: string): Scripted {
  const singular = plural.slice(0, -1);
  const kind = `${singular.charAt(0).toUpperCase()}${singular.slice(1)}`;
  const resource = {
    resource: plural,
    responseKind: { group, version: '', kind },
    scope: 'Namespaced',
    singularResource: singular,
    verbs: ['list'],
    shortNames: plural === 'horizontalpodautoscalers' ? ['hpa'] : [],
  };
  return {
    body: {
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.k8s.io/v2beta1',
      items: [
        {
          metadata: { name: group },
          versions: versions.map((version) => ({ version, resources: [resource] })),
        },
      ],
    },
  };
}
