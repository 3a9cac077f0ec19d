// Our webhook server called by an API server: admission, conversion, and certificates that are renewed while both run.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Access, type Client, CustomResourceDefinitions, Secrets } from '@flotilla/client';
import {
  type Clock,
  defineKind,
  invalid,
  invalidObject,
  isInternalError,
  isNotFound,
  isServiceUnavailable,
  type KubeObject,
  StatusError,
  systemClock,
} from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import {
  type CertificateKeeper,
  conversionWebhook,
  createCertificateKeeper,
  mutatingWebhook,
  silentLogger,
  startWebhookServer,
  validatingWebhook,
  type WebhookServer,
} from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { connectClient } from '../testing/connect-client.ts';

interface Widget extends KubeObject {
  spec?: { size?: number; colour?: string; height?: number };
}

const GROUP = 'webhook.example.com';
const widgetsIn = (version: string) =>
  defineKind<Widget>({
    group: GROUP,
    version,
    kind: 'Widget',
    plural: 'widgets',
    namespaced: true,
  });
const Widgets = widgetsIn('v1');
const TallWidgets = widgetsIn('v2');
const configurations = (kind: 'Mutating' | 'Validating') =>
  defineKind<KubeObject & { webhooks: { clientConfig: { caBundle?: string } }[] }>({
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind: `${kind}WebhookConfiguration`,
    plural: `${kind.toLowerCase()}webhookconfigurations`,
    namespaced: false,
  });
const Mutating = configurations('Mutating');
const Validating = configurations('Validating');
const SECRET = { namespace: 'default', name: 'webhook-certificates' };
const CRD = `widgets.${GROUP}`;
const DAY_MS = 24 * 60 * 60_000;

/** Runs the cases against whichever server `start` starts. */
export function webhookCases(
  start: () => Promise<{ readonly access: Access } & AsyncDisposable>,
): void {
  describe('webhooks', () => {
    test('change, refuse and convert what an API server sends, whose trust the keeper sets up', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      await using replica = await startReplica(client, systemClock);
      await define(client, replica.server.port);
      await replica.keeper.look(new AbortController().signal);

      const created = await firstCreated(client, widget('a', { size: 1 }));
      const refused = await refusalOf(client.create(Widgets, widget('b', { size: -1 })));
      const tall = await eventually(
        () => client.get(TallWidgets, { namespace: 'default', name: 'a' }),
        undefined,
        { tolerates: isTooEarly },
      );

      assert.deepEqual(created.spec, { size: 1, colour: 'red' });
      assert.equal(refused.code, 422);
      assert.match(refused.message, /Widget\.webhook\.example\.com "b" is invalid: spec\.size: /);
      assert.deepEqual(tall.spec, { height: 1, colour: 'red' });
      const secret = await client.get(Secrets, SECRET);
      assert.equal(secret.type, 'kubernetes.io/tls');
      assert.deepEqual(Object.keys(secret.data ?? {}).sort(), [
        'ca.crt',
        'ca.key',
        'tls.crt',
        'tls.key',
      ]);
      const { webhooks } = await client.get(Validating, { name: GROUP });
      assert.equal(webhooks[0]?.clientConfig.caBundle, secret.data?.['ca.crt']);
    });

    test('go on while authority and certificate are renewed, whichever replica is called', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      // Certificates must be valid by the API server's clock at all times, so the life of the first set began long ago.
      const clock = new ManualClock(systemClock.now() - 250 * DAY_MS);
      await using one = await startReplica(client, clock);
      await using two = await startReplica(client, clock);
      const { signal } = new AbortController();
      await define(client, one.server.port);
      await one.keeper.look(signal);
      await firstCreated(client, widget('before', { size: 1 }));
      const first = one.keeper.current();
      assert.deepEqual(two.keeper.current(), first);
      const works = async (name: string) => {
        for (const replica of [one, two]) {
          await pointTo(client, replica.server.port);
          const before = replica.reviews();
          let attempt = 0;
          // An API server may call the other one for a moment; each of these calls must work.
          await eventually(async () => {
            attempt += 1;
            const key = `${name}-${replica === one ? 'one' : 'two'}-${attempt}`;
            const { spec } = await client.create(Widgets, widget(key, { size: 1 }));
            assert.equal(spec?.colour, 'red');
            return replica.reviews() > before;
          });
        }
      };
      await works('start');
      await using writer = writeOn(client);

      await clock.advance(250 * DAY_MS);
      await one.keeper.look(signal);
      const announced = await authorities(client);
      await works('announced');
      const keptWhileAnnounced = one.keeper.current();
      await clock.advance(60_000);
      await one.keeper.look(signal);
      await works('half');
      const [oneHalf, twoHalf] = [one.keeper.current(), two.keeper.current()];
      await two.keeper.look(signal);
      await works('whole');

      await writer.stop();
      assert.ok(writer.writes() > 0);
      assert.equal(announced.length, 2);
      assert.deepEqual(keptWhileAnnounced, first);
      assert.notDeepEqual(oneHalf, first);
      assert.deepEqual(twoHalf, first);
      assert.deepEqual(two.keeper.current(), oneHalf);
      assert.deepEqual(await authorities(client), announced);
    });

    test('are trusted by configurations that come later, and replicas that begin at once agree', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      const clock = new ManualClock(systemClock.now());
      const keepers = [1, 2, 3, 4].map(() => keeperOf(client, clock));
      const stop = new AbortController();
      await Promise.all(keepers.map((keeper) => keeper.prepare(stop.signal)));
      await define(client, 1);
      const trusted = async () =>
        (await client.get(Mutating, { name: GROUP })).webhooks[0]?.clientConfig.caBundle;

      assert.equal(await trusted(), undefined);
      const running = keepers.map((keeper) => keeper.run(stop.signal));
      await clock.advance(60_000);
      const bundle = await eventually(trusted);
      stop.abort();
      await Promise.all(running);

      const secret = await client.get(Secrets, SECRET);
      assert.equal(bundle, secret.data?.['ca.crt']);
      const [first, ...others] = keepers.map((keeper) => keeper.current());
      for (const other of others) assert.deepEqual(other, first);
      assert.equal(clock.waiting, 0);
    });

    test('are ready while their certificate is valid, and no longer', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      const clock = new ManualClock(systemClock.now());
      const { signal } = new AbortController();
      const keeper = keeperOf(client, clock);
      const [check] = keeper.checks;

      assert.throws(() => check?.check(signal), /There is no certificate yet/);
      assert.throws(() => keeper.current(), /Cannot serve webhooks/);
      await keeper.prepare(signal);
      check?.check(signal);
      await clock.advance(350 * DAY_MS);
      assert.throws(() => check?.check(signal), /The certificate ended at/);
    });
  });
}

/** Writes one object after the other until it is stopped, which throws the first refusal. */
function writeOn(client: Client) {
  let isOver = false;
  let writes = 0;
  const writing = (async () => {
    while (!isOver) {
      const { spec } = await client.create(Widgets, widget('again', { size: 1 }), { dryRun: true });
      assert.equal(spec?.colour, 'red');
      writes += 1;
    }
  })();
  writing.catch(() => {
    isOver = true;
  });
  const stop = () => {
    isOver = true;
    return writing;
  };
  return { writes: () => writes, stop, [Symbol.asyncDispose]: stop };
}

interface Replica extends AsyncDisposable {
  readonly keeper: CertificateKeeper;
  readonly server: WebhookServer;
  /** How many it has answered. */
  readonly reviews: () => number;
}

function keeperOf(client: Client, clock: Clock): CertificateKeeper {
  return createCertificateKeeper({
    client,
    clock,
    logger: silentLogger,
    secret: SECRET,
    hosts: ['127.0.0.1'],
    authorityLifeMs: 360 * DAY_MS,
    servingLifeMs: 350 * DAY_MS,
    targets: [
      { kind: 'MutatingWebhookConfiguration', name: GROUP },
      { kind: 'ValidatingWebhookConfiguration', name: GROUP },
      { kind: 'CustomResourceDefinition', name: CRD },
    ],
  });
}

async function startReplica(client: Client, clock: Clock): Promise<Replica> {
  const keeper = keeperOf(client, clock);
  await keeper.prepare(new AbortController().signal);
  let reviews = 0;
  const server = await startWebhookServer({
    meter: (_path, outcome) => {
      assert.equal(outcome, 'answered');
      reviews += 1;
    },
    certificates: keeper,
    clock: systemClock,
    logger: silentLogger,
    host: '127.0.0.1',
    port: 0,
    webhooks: [
      mutatingWebhook(Widgets, ({ object }) => {
        if (object !== undefined) object.spec = { colour: 'red', ...object.spec };
      }),
      validatingWebhook(Widgets, ({ object }) => {
        const size = object?.spec?.size ?? 0;
        if (size >= 0) return;
        throw invalidObject({ group: GROUP, kind: 'Widget' }, object?.metadata.name ?? '', [
          invalid('spec.size', size, 'must not be negative'),
        ]);
      }),
      conversionWebhook([{ group: GROUP, kind: 'Widget', convert: convertWidget }]),
    ],
  });
  return {
    keeper,
    server,
    reviews: () => reviews,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What is `size` in v1 is `height` in v2. */
function convertWidget(object: Widget, version: string): Widget {
  const { size, height, ...rest } = object.spec ?? {};
  const value = size ?? height;
  if (value === undefined) return object;
  return { ...object, spec: { ...rest, [version === 'v1' ? 'size' : 'height']: value } };
}

async function define(client: Client, port: number): Promise<void> {
  const schema = (name: string) => ({
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { [name]: { type: 'integer' }, colour: { type: 'string' } },
        },
      },
    },
  });
  await client.create(CustomResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: CRD },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: schema('size') },
        { name: 'v2', served: true, storage: false, schema: schema('height') },
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: `https://127.0.0.1:${port}/convert` },
        },
      },
    },
  });
  for (const [kind, path] of [
    [Mutating, 'mutate'],
    [Validating, 'validate'],
  ] as const) {
    await client.create(kind, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: kind.kind,
      metadata: { name: GROUP },
      webhooks: [
        {
          name: `${path}.${GROUP}`,
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
          clientConfig: {
            url: `https://127.0.0.1:${port}/${path}-webhook-example-com-v1-widget`,
          },
          rules: [
            {
              apiGroups: [GROUP],
              apiVersions: ['v1'],
              operations: ['CREATE', 'UPDATE'],
              resources: ['widgets'],
            },
          ],
        },
      ],
    } as never);
  }
}

/** Makes API servers call another replica, as a Service would. */
async function pointTo(client: Client, port: number): Promise<void> {
  for (const [kind, path] of [
    [Mutating, 'mutate'],
    [Validating, 'validate'],
  ] as const) {
    const url = `https://127.0.0.1:${port}/${path}-webhook-example-com-v1-widget`;
    const body = [{ op: 'replace', path: '/webhooks/0/clientConfig/url', value: url }];
    await client.patch(kind, { name: GROUP }, { type: 'json', body });
  }
}

/** The kind is served, and the webhooks are called and trusted, a moment after they were defined. */
async function firstCreated(client: Client, object: Widget): Promise<Widget> {
  await eventually(
    () => client.create(Widgets, object, { dryRun: true }),
    ({ spec }) => spec?.colour === 'red',
    { tolerates: isTooEarly },
  );
  return client.create(Widgets, object);
}

/** A real server refuses with 503 what comes while it takes the handlers of a changed definition down. */
function isTooEarly(error: unknown): boolean {
  return isNotFound(error) || isInternalError(error) || isServiceUnavailable(error);
}

async function authorities(client: Client): Promise<string[]> {
  const { data = {} } = await client.get(Secrets, SECRET);
  const bundle = Buffer.from(data['ca.crt'] ?? '', 'base64').toString();
  return bundle.match(/-----BEGIN CERTIFICATE-----[^-]+/g) ?? [];
}

function widget(name: string, spec: Widget['spec'] & object): Widget {
  return {
    apiVersion: `${GROUP}/v1`,
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
    spec,
  };
}

async function refusalOf(write: Promise<unknown>): Promise<StatusError> {
  const error = await write.then(
    () => new Error('Cannot go on: the write was accepted'),
    (refusal: unknown) => refusal,
  );
  if (error instanceof StatusError) return error;
  throw error;
}
