import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';
import { type ReceivedReview, startWebhook, type TestWebhook } from '../testing/start-webhook.ts';
import { openWatch } from '../testing/watch-events.ts';
import { CRDS, define, make, merge, version, WIDGETS, widget, widgets } from './widgets.cases.ts';

const WIDGETS_V2 = '/apis/example.com/v2/namespaces/default/widgets';

describe('versions without a converter', () => {
  test('differ in their apiVersion and in what their schemas keep', async () => {
    await using server = await startInMemory();
    await define(server, widgets({ versions: [version('v1'), version('v2')] }));
    await make(server, WIDGETS, widget('a'));
    const watch = await openWatch(server, `${WIDGETS_V2}?watch=true`);

    assert.equal((await server.send(`GET ${WIDGETS_V2}/a`)).json().apiVersion, 'example.com/v2');
    const { items } = (await server.send(`GET ${WIDGETS_V2}?limit=5`)).json();
    assert.equal(items[0].apiVersion, 'example.com/v2');
    const before = server.store.revision(ROOT_TENANT);
    await merge(server, `${WIDGETS_V2}/a`, { spec: { size: 1 } });
    assert.equal(server.store.revision(ROOT_TENANT), before, 'nothing changed, nothing is written');
    await merge(server, `${WIDGETS_V2}/a`, { spec: { size: 2 } });
    assert.match(
      String(server.store.read(ROOT_TENANT, 'example.com/widgets/default/a')?.value),
      /"apiVersion":"example.com\/v1","kind":"Widget"/,
    );
    const events = await watch.take(2);
    assert.deepEqual(
      events.map(({ type, object }) => [type, object.apiVersion, object.spec.size]),
      [
        ['ADDED', 'example.com/v2', 1],
        ['MODIFIED', 'example.com/v2', 2],
      ],
    );
    watch.stream.cancel();
  });

  test('keep only what the stored version knows, in dry runs too', async () => {
    await using server = await startInMemory();
    const schemaOf = (spec: object) => ({
      openAPIV3Schema: {
        type: 'object',
        properties: { spec: { type: 'object', properties: spec } },
      },
    });
    const size = { type: 'integer' };
    const old = { type: 'string', default: 'from-v2' };
    await define(
      server,
      widgets({
        versions: [
          version('v1', { schema: schemaOf({ size, kept: { type: 'string', default: 'v1' } }) }),
          version('v2', { schema: schemaOf({ size, old, kept: { type: 'string' } }) }),
        ],
      }),
    );
    const sent = { ...widget('a', { size: 1, old: 'x' }), apiVersion: 'example.com/v2' };
    const wanted = { kept: 'v1', size: 1 };

    assert.deepEqual((await make(server, `${WIDGETS_V2}?dryRun=All`, sent)).spec, wanted);
    assert.deepEqual((await make(server, WIDGETS_V2, sent)).spec, wanted);
    const change = { spec: { size: 2, old: 'y' } };
    const dry = await merge(server, `${WIDGETS_V2}/a?dryRun=All`, change);
    assert.deepEqual(dry.spec, { ...wanted, size: 2 });
    assert.equal(dry.apiVersion, 'example.com/v2');
    assert.deepEqual((await merge(server, `${WIDGETS_V2}/a`, change)).spec, { ...wanted, size: 2 });
  });

  test('read what was stored in a version that is no longer the stored one', async () => {
    await using server = await startInMemory();
    await define(server, widgets({ versions: [version('v1'), version('v2')] }));
    await make(server, WIDGETS, widget('a'));

    await merge(server, `${CRDS}/widgets.example.com`, {
      spec: { versions: [version('v1', { storage: false }), version('v2', { storage: true })] },
    });
    await make(server, WIDGETS_V2, { ...widget('b'), apiVersion: 'example.com/v2' });

    const list = (await server.send(`GET ${WIDGETS_V2}?limit=5`)).json();
    const versions = list.items.map(({ apiVersion }: { apiVersion: string }) => apiVersion);
    assert.deepEqual(versions, ['example.com/v2', 'example.com/v2']);
    const streamed = String(await (await server.send(`GET ${WIDGETS_V2}`)).whole());
    assert.ok(!streamed.includes('{"apiVersion":"example.com/v1","kind"'), streamed);
    const crd = (await server.send(`GET ${CRDS}/widgets.example.com`)).json();
    assert.deepEqual(crd.status.storedVersions, ['v1', 'v2']);
  });
});

describe('a conversion webhook', () => {
  test('converts what is read and written in other versions, lists in one go', async () => {
    await using rig = await start();
    await make(rig.server, WIDGETS, widget('a', { size: 1 }));
    await make(rig.server, WIDGETS_V2, {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'b' },
      spec: { dimensions: { size: 2 } },
    });

    assert.deepEqual((await rig.server.send(`GET ${WIDGETS}/b`)).json().spec, { size: 2 });
    assert.deepEqual((await rig.server.send(`GET ${WIDGETS_V2}/a`)).json().spec, {
      dimensions: { size: 1 },
    });
    rig.webhook.received.length = 0;
    const list = (await rig.server.send(`GET ${WIDGETS_V2}`)).json();
    assert.deepEqual(
      list.items.map(({ spec }: { spec: object }) => spec),
      [{ dimensions: { size: 1 } }, { dimensions: { size: 2 } }],
    );
    assert.equal(rig.webhook.received.length, 1);
    const [asked] = rig.webhook.received;
    assert.equal(asked?.review.apiVersion, 'apiextensions.k8s.io/v1');
    assert.equal(asked?.review.request['desiredAPIVersion'], 'example.com/v2');
    const patched = await merge(rig.server, `${WIDGETS_V2}/a`, {
      spec: { dimensions: { size: 7 } },
    });
    assert.deepEqual(patched.spec, { dimensions: { size: 7 } });
    assert.equal(patched.metadata.generation, 2);
    assert.deepEqual((await rig.server.send(`GET ${WIDGETS}/a`)).json().spec, { size: 7 });
  });

  test('answers writes with what they left in the store, in dry runs too', async () => {
    await using rig = await start();
    const limited = (object: Widget, desired: string): object => {
      const converted = convert(object, desired) as Widget;
      const { size = 0 } = converted.spec;
      return desired === 'example.com/v1'
        ? { ...converted, spec: { size: Math.min(size, 5) } }
        : converted;
    };
    rig.answer((objects, desired) => objects.map((object) => limited(object, desired)));
    const sent = (size: number) => ({
      ...widget('a', { dimensions: { size } }),
      apiVersion: 'example.com/v2',
    });
    const wanted = { dimensions: { size: 5 } };

    assert.deepEqual((await make(rig.server, `${WIDGETS_V2}?dryRun=All`, sent(9))).spec, wanted);
    assert.deepEqual((await make(rig.server, WIDGETS_V2, sent(9))).spec, wanted);
    const [path, change] = [`${WIDGETS_V2}/a`, { spec: { dimensions: { size: 7 } } }];
    assert.deepEqual((await merge(rig.server, `${path}?dryRun=All`, change)).spec, wanted);
    assert.deepEqual((await merge(rig.server, path, change)).spec, wanted);
  });

  test('that is not there when an update comes leaves nobody owning what others did', async () => {
    await using rig = await start();
    await make(rig.server, WIDGETS_V2, {
      ...widget('a', { dimensions: { size: 1 } }),
      apiVersion: 'example.com/v2',
    });
    rig.webhook.on('/', reply({ result: { status: 'Failure', message: 'not today' } }));

    const { spec, metadata } = await merge(rig.server, `${WIDGETS}/a`, { spec: { size: 2 } });

    assert.deepEqual([spec, metadata.managedFields], [{ size: 2 }, undefined]);
  });

  test('converts what is watched, in order', async () => {
    await using rig = await start();
    await make(rig.server, WIDGETS, widget('a', { size: 1 }));
    const watch = await openWatch(rig.server, `${WIDGETS_V2}?watch=true`);
    await merge(rig.server, `${WIDGETS}/a`, { spec: { size: 2 } });
    await merge(rig.server, `${WIDGETS}/a`, { spec: { size: 3 } });
    await rig.server.send(`DELETE ${WIDGETS_V2}/a`);

    const events = await watch.take(4);

    assert.deepEqual(
      events.map(({ type, object }) => [type, object.apiVersion, object.spec.dimensions.size]),
      [
        ['ADDED', 'example.com/v2', 1],
        ['MODIFIED', 'example.com/v2', 2],
        ['MODIFIED', 'example.com/v2', 3],
        ['DELETED', 'example.com/v2', 3],
      ],
    );
    watch.stream.cancel();
  });

  test('may change labels and annotations, and nothing else about who an object is', async () => {
    await using rig = await start();
    await make(rig.server, WIDGETS, widget('a', { size: 1 }));
    rig.answer((objects) =>
      objects.map((object) => ({
        ...convert(object, 'example.com/v2'),
        metadata: {
          ...object.metadata,
          labels: { made: 'here' },
          resourceVersion: '999999',
          finalizers: ['x/y'],
        },
      })),
    );

    const { metadata } = (await rig.server.send(`GET ${WIDGETS_V2}/a`)).json();

    assert.deepEqual(metadata.labels, { made: 'here' });
    assert.notEqual(metadata.resourceVersion, '999999');
    assert.equal(metadata.finalizers, undefined);
  });

  const lies: [string, (rig: Rig) => void, RegExp][] = [
    [
      'another name',
      (rig) =>
        rig.answer((objects) =>
          objects.map((object) => ({
            ...convert(object, 'example.com/v2'),
            metadata: { ...object.metadata, name: 'other' },
          })),
        ),
      /^conversion webhook for example.com\/v1, Kind=Widget returned invalid converted object at index 0: must have the same name: a != other$/,
    ],
    [
      'another version',
      (rig) => rig.answer((objects) => objects.map((object) => convert(object, 'example.com/v3'))),
      /invalid groupVersion \(expected example.com\/v2, received example.com\/v3\)$/,
    ],
    ['too few objects', (rig) => rig.answer(() => []), /returned 0 objects, expected 1$/],
    [
      'a refusal',
      (rig) => rig.webhook.on('/', reply({ result: { status: 'Failure', message: 'not today' } })),
      /^conversion webhook for example.com\/v1, Kind=Widget failed: not today$/,
    ],
    [
      'the answer to another question',
      (rig) => rig.webhook.on('/', reply({ uid: 'x', result: { status: 'Success' } })),
      /failed: expected response.uid="[0-9a-f-]+", got "x"$/,
    ],
    [
      'nonsense',
      (rig) =>
        rig.webhook.on('/', (_review, answer) => {
          answer.end('nonsense');
          return undefined;
        }),
      /failed: /,
    ],
  ];
  for (const [what, lie, message] of lies) {
    test(`that answers with ${what} makes the request fail, and no other`, async () => {
      await using rig = await start();
      await make(rig.server, WIDGETS, widget('a', { size: 1 }));
      lie(rig);

      const failed = await rig.server.send(`GET ${WIDGETS_V2}/a`);

      assert.equal(failed.status, 500, failed.text());
      assert.match(failed.json().message.replace('Internal error occurred: ', ''), message);
      assert.equal(
        (await rig.server.send(`GET ${WIDGETS}/a`)).status,
        200,
        'the stored version needs nobody',
      );
      const watch = await openWatch(rig.server, `${WIDGETS_V2}?watch=true`);
      const [event] = await watch.take(1);
      assert.equal(event?.type, 'ERROR');
    });
  }

  test('that is not there keeps neither a namespace nor the definition from going', async () => {
    await using rig = await start();
    await rig.server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'team' } } });
    await make(rig.server, '/apis/example.com/v1/namespaces/team/widgets', widget('a'));
    await make(rig.server, WIDGETS, widget('b'));
    await rig.webhook[Symbol.asyncDispose]();

    await rig.server.send('DELETE /api/v1/namespaces/team');
    await rig.server.send(`DELETE ${CRDS}/widgets.example.com`);
    await rig.server.api.settled();

    assert.equal((await rig.server.send('GET /api/v1/namespaces/team')).status, 404);
    assert.equal((await rig.server.send(`GET ${CRDS}/widgets.example.com`)).status, 404);
  });

  test('is found through a Service of the tenant', async () => {
    await using rig = await start((webhook) => ({
      service: { namespace: 'default', name: 'hook', port: webhook.port },
      caBundle: webhook.caBundle,
    }));
    await make(rig.server, WIDGETS, widget('a', { size: 1 }));

    const missing = await rig.server.send(`GET ${WIDGETS_V2}/a`);

    assert.equal(missing.status, 500);
    assert.match(missing.json().message, /service "hook" not found/);
  });
});

interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Record<string, unknown>;
  readonly spec: { readonly size?: number; readonly dimensions?: { readonly size?: number } };
}

interface Rig extends AsyncDisposable {
  readonly server: TestServer;
  readonly webhook: TestWebhook;
  readonly answer: (convertAll: (objects: readonly Widget[], desired: string) => unknown[]) => void;
}

/** Version 2 keeps the size one level deeper. */
function convert(object: Widget, desired: string): object {
  const size = object.spec.size ?? object.spec.dimensions?.size;
  const spec = desired === 'example.com/v1' ? { size } : { dimensions: { size } };
  return { ...object, apiVersion: desired, spec };
}

function reply(response: object) {
  return ({ review }: ReceivedReview, answer: { end: (text: string) => void }): undefined => {
    const { uid } = review.request;
    answer.end(
      JSON.stringify({
        kind: 'ConversionReview',
        apiVersion: review.apiVersion,
        response: { uid, ...response },
      }),
    );
  };
}

async function start(
  clientConfig: (webhook: TestWebhook) => object = ({ url, caBundle }) => ({
    url: `${url}/convert`,
    caBundle,
  }),
): Promise<Rig> {
  const webhook = await startWebhook();
  const server = await startInMemory();
  const answer: Rig['answer'] = (convertAll) =>
    webhook.on('/', (received, raw) => {
      const { objects, desiredAPIVersion } = received.review.request as unknown as {
        objects: Widget[];
        desiredAPIVersion: string;
      };
      const convertedObjects = convertAll(objects, desiredAPIVersion);
      return reply({ convertedObjects, result: { status: 'Success' } })(received, raw);
    });
  answer((objects, desired) => objects.map((object) => convert(object, desired)));
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  await define(
    server,
    widgets({
      versions: [version('v1', { schema }), version('v2', { schema })],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: clientConfig(webhook), conversionReviewVersions: ['v1'] },
      },
    }),
  );
  return {
    server,
    webhook,
    answer,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await webhook[Symbol.asyncDispose]();
    },
  };
}
