// Plays the scenes on one server and writes down what came of them.
import { setTimeout as pause } from 'node:timers/promises';
import { type Connection, connect, type WireAnswer } from '../../conformance/index.ts';
import type { TestWebhook } from '../../packages/apiserver/src/testing/start-webhook.ts';
import type { Side } from '../sides.ts';
import type { Scene, SceneRequest } from './scene.ts';

/** What happened to one request, as far as two servers must agree on it. */
export interface Played {
  readonly scene: string;
  readonly request: string;
  readonly code: number;
  readonly body: unknown;
  readonly warning: string;
  /** What the webhook was asked meanwhile. */
  readonly reviews: readonly unknown[];
}

const PATIENCE_MS = 60_000;

/** Plays all scenes, each in a namespace of its own. */
export async function play(
  side: Side,
  webhook: TestWebhook,
  scenes: readonly Scene[],
): Promise<Played[]> {
  const connection = connect(side);
  const send = (request: SceneRequest, ns: string) => sendTo(connection, side, { request, ns });
  try {
    for (const scene of scenes) {
      const ns = namespaceOf(scene);
      await send({ method: 'POST', path: '/api/v1/namespaces', body: namespace(ns) }, ns);
      await settled(connection, side, ns);
      for (const request of scene.before ?? []) {
        let { code } = await send(request, ns);
        while (request.until !== undefined && code !== request.until) {
          await pause(100);
          ({ code } = await send(request, ns));
        }
      }
    }
    for (const scene of scenes) {
      const path = `/${scene.name}`;
      if (scene.answer !== undefined) webhook.on(path, scene.answer);
      for (const { name, answer } of scene.others ?? []) webhook.on(`${path}-${name}`, answer);
      await send(configuration(scene, webhook), namespaceOf(scene));
    }
    await active(send, webhook);
    const played: Played[] = [];
    for (const scene of scenes) {
      const ns = namespaceOf(scene);
      for (const request of scene.requests) {
        webhook.received.length = 0;
        // A real server reads its cache first, and asks again when that was late.
        await pause(50);
        const answer = await send(request, ns);
        played.push({
          scene: scene.name,
          request: `${request.method} ${request.path}`,
          code: answer.code,
          body: normalise(decode(answer)),
          warning: String(answer.headers['warning'] ?? ''),
          reviews: webhook.received
            .filter(({ path }) => path.startsWith(`/${scene.name}`))
            .map(({ review }) => review.request)
            .filter(({ userInfo }) => isOurs(userInfo))
            .map(({ userInfo: _user, ...rest }) => normalise(shown(rest)))
            // When its cache was late, a real server asks the same again.
            .filter((each, i, all) => JSON.stringify(each) !== JSON.stringify(all[i - 1])),
        });
      }
    }
    return played;
  } finally {
    connection.close();
  }
}

const namespaceOf = ({ name }: Scene): string => `scene-${name}`;

const namespace = (name: string) => ({ kind: 'Namespace', apiVersion: 'v1', metadata: { name } });

/** The servers' own controllers and loopback clients write too; when they do is not the point. */
function isOurs(user: unknown): boolean {
  const { username = '' } = user as { username?: string };
  return !username.startsWith('system:');
}

function configuration(scene: Scene, webhook: TestWebhook): SceneRequest {
  const { name, kind, rule, hook, others = [] } = scene;
  return {
    method: 'POST',
    path: `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}webhookconfigurations`,
    body: {
      kind: `${kind}WebhookConfiguration`,
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata: { name },
      webhooks: [
        { name, hook },
        ...others.map((each) => ({ ...each, name: `${name}-${each.name}` })),
      ].map((each) => ({
        name: `${each.name}.example.com`,
        clientConfig: { url: `${webhook.url}/${each.name}`, caBundle: webhook.caBundle },
        rules: [rule],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': `scene-${name}` } },
        ...each.hook,
      })),
    },
  };
}

type Send = (request: SceneRequest, ns: string) => Promise<WireAnswer>;

/** A real server follows its configurations with some delay, in the order they were written. */
async function active(send: Send, webhook: TestWebhook): Promise<void> {
  const rule = { operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['secrets'] };
  for (const kind of ['Mutating', 'Validating'] as const) {
    const name = `probe-${kind.toLowerCase()}`;
    const probe: Scene = { name, kind, rule, requests: [], hook: { namespaceSelector: {} } };
    await send(configuration(probe, webhook), 'default');
    const deadline = performance.now() + PATIENCE_MS;
    const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'probe' } };
    const request = {
      method: 'POST',
      path: '/api/v1/namespaces/default/secrets?dryRun=All',
      body: secret,
    };
    while (!webhook.received.some(({ path }) => path.startsWith(`/${name}?`))) {
      if (performance.now() > deadline) throw new Error(`Cannot play: "${name}" is never asked`);
      await send(request, 'default');
      await pause(100);
    }
  }
}

/** Pods need the default ServiceAccount, which comes a moment after its namespace. */
async function settled(connection: Connection, side: Side, ns: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (const path of ['serviceaccounts/default', 'configmaps/kube-root-ca.crt']) {
    const request = { method: 'GET', path: `/api/v1/namespaces/{ns}/${path}` };
    while ((await sendTo(connection, side, { request, ns })).code !== 200) {
      if (performance.now() > deadline) throw new Error(`Cannot play in "${ns}": no ${path}`);
      await pause(100);
    }
  }
}

function sendTo(
  connection: Connection,
  side: Side,
  { request, ns }: { request: SceneRequest; ns: string },
): Promise<WireAnswer> {
  const { method, path, body, type = 'application/json' } = request;
  const text = body === undefined ? undefined : JSON.stringify(body).replaceAll('{ns}', ns);
  return connection.send({
    method,
    path: path.replaceAll('{ns}', ns),
    token: side.token,
    headers: {
      accept: 'application/json',
      ...(text === undefined ? {} : { 'content-type': type }),
    },
    bytes: text === undefined ? undefined : Buffer.from(text),
  });
}

function decode({ bytes }: WireAnswer): unknown {
  const text = bytes.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Upstream also says who manages the fields of what is never stored; nobody can read it there. */
function shown(request: Record<string, unknown>): Record<string, unknown> {
  if (!['binding', 'eviction', 'scale'].includes(String(request['subResource']))) return request;
  const bare = (value: unknown): unknown => {
    const { metadata, ...rest } = (value ?? {}) as { metadata?: Record<string, unknown> };
    if (value === null || metadata === undefined) return value;
    const { managedFields: _managed, ...kept } = metadata;
    return { ...rest, metadata: kept };
  };
  return { ...request, object: bare(request['object']), oldObject: bare(request['oldObject']) };
}

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Leaves out what two equal servers may answer differently. */
function normalise(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((each) => normalise(each));
    if (key !== 'managedFields') return items;
    // Entries of one second have no order.
    return items.map((each) => JSON.stringify(each)).sort();
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => [name, normalise(each, name)]),
    );
  }
  if (typeof value !== 'string') return value;
  if (key === 'resourceVersion' || key === 'token') return `<${key}>`;
  if (TIME.test(value)) return '<time>';
  return value.replace(UID, '<uid>').replace(/\bg-[a-z0-9]{5}\b/g, 'g-<suffix>');
}
