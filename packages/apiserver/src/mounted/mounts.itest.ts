import assert from 'node:assert/strict';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { notFound } from '@flotilla/machinery';
import { respond } from '../handlers/respond.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { h1, testAuthority, testListener } from '../http/testing.ts';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import type { Mount, MountedExchange } from './mount.ts';

const GROUP = 'widgets.example.com';
const WIDGETS = `/apis/${GROUP}/v1/namespaces/default/widgets`;
const SERVICE = `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`;

describe('a mounted group', () => {
  test('is in discovery, in both its forms', async () => {
    await using server = await start();

    const groups = (await server.send('GET /apis')).json().groups;
    assert.deepEqual(
      groups.find(({ name }: { name: string }) => name === GROUP),
      {
        name: GROUP,
        versions: [{ groupVersion: `${GROUP}/v1`, version: 'v1' }],
        preferredVersion: { groupVersion: `${GROUP}/v1`, version: 'v1' },
      },
    );
    assert.equal((await server.send(`GET /apis/${GROUP}`)).json().name, GROUP);
    assert.deepEqual((await server.send(`GET /apis/${GROUP}/v1`)).json().resources, [
      {
        name: 'widgets',
        singularName: 'widget',
        namespaced: true,
        kind: 'Widget',
        verbs: ['get', 'list', 'watch'],
        shortNames: ['wi'],
      },
      {
        name: 'widgets/proxy',
        singularName: '',
        namespaced: true,
        kind: 'WidgetProxyOptions',
        verbs: ['create', 'get'],
      },
    ]);
    const aggregated = await server.send('GET /apis', {
      headers: {
        accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      },
    });
    const found = aggregated
      .json()
      .items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === GROUP);
    assert.equal(found.versions[0].resources[0].resource, 'widgets');
    assert.deepEqual(found.versions[0].resources[0].subresources, [
      {
        subresource: 'proxy',
        responseKind: { group: GROUP, version: 'v1', kind: 'WidgetProxyOptions' },
        verbs: ['create', 'get'],
      },
    ]);
    const paths = (await server.send('GET /')).json().paths;
    assert.ok(paths.includes(`/apis/${GROUP}/v1`));
  });

  test('has an APIService that says Available, and comes back when it is deleted', async () => {
    await using server = await start();

    const { spec, status } = (await server.send(`GET ${SERVICE}`)).json();
    assert.equal(spec.group, GROUP);
    assert.equal(status.conditions[0].type, 'Available');
    assert.equal(status.conditions[0].status, 'True');

    await server.send(`DELETE ${SERVICE}`);
    await until(async () => (await available(server)) === 'True');
  });

  test('is described in OpenAPI, with the schemas it gave', async () => {
    await using server = await start();

    const { paths } = (await server.send('GET /openapi/v3')).json();
    const { serverRelativeURL: url } = paths[`apis/${GROUP}/v1`];
    const document = (await server.send(`GET ${url}`)).json();

    const widget = document.components.schemas['com.example.widgets.v1.Widget'];
    assert.deepEqual(widget.properties.size, { type: 'integer', description: 'In mm.' });
    assert.deepEqual(widget['x-kubernetes-group-version-kind'], [
      { group: GROUP, kind: 'Widget', version: 'v1' },
    ]);
    assert.deepEqual(Object.keys(document.paths), [
      `/apis/${GROUP}/v1/namespaces/{namespace}/widgets`,
      `/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}`,
      `/apis/${GROUP}/v1/widgets`,
      `/apis/${GROUP}/v1/namespaces/{namespace}/widgets/{name}/proxy`,
    ]);
  });

  test('answers its requests itself, watches too', async () => {
    await using server = await start();

    assert.equal((await server.send(`GET ${WIDGETS}/a`)).json().metadata.name, 'a');
    assert.equal((await server.send(`GET ${WIDGETS}/none`)).status, 404);
    assert.equal((await server.send(`GET /apis/${GROUP}/v1/widgets`)).json().kind, 'WidgetList');
    const { stream } = await server.send(`GET ${WIDGETS}?watch=true`);
    assert.match((await stream?.next())?.toString() ?? '', /"type":"ADDED"/);
    stream?.cancel();
  });

  test('gets what it told discovery of and nothing else', async () => {
    await using server = await start();

    for (const [request, status] of [
      [`GET /apis/${GROUP}/v1/namespaces/default/gadgets`, 404],
      [`GET ${WIDGETS}/a/status`, 404],
      [`GET ${WIDGETS}/a/proxy`, 200],
      [`PUT ${WIDGETS}/a/proxy`, 405],
      [`POST ${WIDGETS}`, 405],
      [`DELETE ${WIDGETS}/a`, 405],
      [`GET /apis/${GROUP}/v1/widgets/a`, 404],
      [`GET /apis/${GROUP}/v2/widgets`, 404],
    ] as const) {
      assert.equal((await server.send(request)).status, status, request);
    }
  });

  test('is asked only by those whom RBAC lets, each subresource for itself', async () => {
    await using server = await start();
    const ask = async (path: string) => (await server.send(`GET ${path}`, { as: 'eve' })).status;
    assert.equal(await ask(`${WIDGETS}/a`), 403);
    await server.send('POST /apis/rbac.authorization.k8s.io/v1/clusterroles', {
      body: {
        metadata: { name: 'see-widgets' },
        rules: [{ apiGroups: [GROUP], resources: ['widgets'], verbs: ['get', 'list'] }],
      },
    });
    await server.send('POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      body: {
        metadata: { name: 'eve' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'see-widgets',
        },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
      },
    });

    assert.equal(await ask(`${WIDGETS}/a`), 200);
    assert.equal(await ask(WIDGETS), 200);
    assert.equal(await ask(`${WIDGETS}?watch=true`), 403);
    const refused = await server.send(`GET ${WIDGETS}/a/proxy/x`, { as: 'eve' });
    assert.equal(
      refused.json().message,
      `widgets.${GROUP} "a" is forbidden: User "eve" cannot get resource "widgets/proxy" in API group "${GROUP}" in the namespace "default"`,
    );
  });

  test('sees the rest of a path below a subresource as it was sent', async () => {
    await using server = await start();
    const rest = async (path: string) =>
      (await server.send(`GET ${WIDGETS}/a/proxy${path}`)).json().rest;

    assert.equal(await rest(''), '');
    assert.equal(await rest('/'), '/');
    assert.equal(await rest('/a%20b/c?x=1'), '/a%20b/c');
    assert.equal(await rest('/c/'), '/c/');
  });

  test('is there for the tenants that have it, and goes where it is turned off', async () => {
    const state = { isOn: true };
    await using server = await start({ isServedFor: () => state.isOn });
    assert.equal((await server.send(`GET ${WIDGETS}/a`)).status, 200);

    state.isOn = false;
    server.api.adopt(ROOT_TENANT);
    await until(async () => (await server.send(`GET ${SERVICE}`)).status === 404);
    assert.equal((await server.send(`GET ${WIDGETS}/a`)).status, 404);
    assert.equal((await server.send(`GET /apis/${GROUP}`)).status, 404);
    const { groups } = (await server.send('GET /apis')).json();
    assert.equal(
      groups.some(({ name }: { name: string }) => name === GROUP),
      false,
    );

    state.isOn = true;
    server.api.adopt(ROOT_TENANT);
    await until(async () => (await available(server)) === 'True');
    assert.equal((await server.send(`GET ${WIDGETS}/a`)).status, 200);
  });

  test('takes over connections that ask for another protocol, of those who may', async () => {
    const upgrade = async (exchange: MountedExchange, socket: Duplex): Promise<undefined> => {
      const { user, rest } = exchange;
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n',
      );
      socket.end(`${user.name} at ${rest}`);
      return undefined;
    };
    await using server = await start({ upgrade });
    const { api } = server;
    await using listener = await testListener(api.handle, {
      ...(api.upgrade === undefined ? {} : { upgrade: api.upgrade }),
    });
    const headers = { connection: 'upgrade', upgrade: 'echo', authorization: 'Bearer admin' };

    const said = await new Promise<string>((resolve, reject) => {
      const call = httpsRequest({
        host: '127.0.0.1',
        port: listener.port,
        path: `${WIDGETS}/a/proxy/shell`,
        ca: testAuthority.certificate,
        agent: false,
        headers,
      });
      call.on('upgrade', (_response, socket: Duplex, head: Buffer) => {
        let text = head.toString();
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        socket.on('end', () => resolve(text));
      });
      call.on('error', reject);
      call.end();
    });
    assert.equal(said, 'admin at /shell');

    const eve = await h1(listener, `${WIDGETS}/a/proxy/shell`, {
      headers: { ...headers, authorization: 'Bearer eve' },
    });
    assert.equal(eve.status, 403);
    // Everyone else is answered as if they had not asked, streams included.
    const config = '/api/v1/namespaces/default/configmaps';
    const listed = await h1(listener, config, { headers });
    assert.equal(JSON.parse(listed.body.toString()).kind, 'ConfigMapList');
    const watch = await h1(listener, `${config}?watch=true&timeoutSeconds=1`, { headers });
    assert.match(watch.body.toString(), /"type":"ADDED"/);
  });
});

function start(options: Partial<Mount> = {}): Promise<TestServer> {
  return startInMemory({ server: { mounts: [{ ...widgets, ...options }] } });
}

const widgets: Mount = {
  group: GROUP,
  version: 'v1',
  resources: [
    {
      name: 'widgets',
      kind: 'Widget',
      namespaced: true,
      verbs: ['get', 'list', 'watch'],
      shortNames: ['wi'],
    },
    {
      name: 'widgets/proxy',
      kind: 'WidgetProxyOptions',
      namespaced: true,
      verbs: ['create', 'get'],
    },
  ],
  schemas: {
    Widget: { type: 'object', properties: { size: { type: 'integer', description: 'In mm.' } } },
  },
  handle: async ({ info, resource, rest }): Promise<ApiResponse> => {
    if (resource.name === 'widgets/proxy') return respond(200, { rest });
    const widget = { kind: 'Widget', apiVersion: `${GROUP}/v1`, metadata: { name: 'a' }, size: 3 };
    if (info.verb === 'list') {
      return respond(200, { kind: 'WidgetList', apiVersion: `${GROUP}/v1`, items: [widget] });
    }
    if (info.verb === 'watch') {
      const event = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: widget })}\n`);
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { start: (sink) => void sink.write(event) },
      };
    }
    if (info.name !== 'a') throw notFound({ group: GROUP, resource: 'widgets' }, info.name);
    return respond(200, widget);
  },
};

async function available(server: TestServer): Promise<string | undefined> {
  return (await server.send(`GET ${SERVICE}`)).json().status?.conditions?.[0]?.status;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail('it did not happen in time');
}
