import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { defineKind, forbiddenError, systemClock } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { type LogFields, silentLogger } from '../observer.ts';
import { mutatingWebhook, validatingWebhook } from './admission.ts';
import { planCertificates } from './certificate-plan.ts';
import type { CertificatePair } from './certificates.ts';
import { ConversionError, conversionWebhook } from './conversion.ts';
import type { Webhook } from './webhook.ts';
import { startWebhookServer, type WebhookServerOptions } from './webhook-server.ts';

const Widgets = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  namespaced: true,
});
const PATH = '/validate-example-com-v1-widget';
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };

describe('a webhook server', () => {
  test('accepts, refuses and warns', async () => {
    await using server = await start([
      validatingWebhook(Widgets, ({ object, oldObject, request, warn, annotate }) => {
        warn(`old is ${oldObject?.metadata.name}, password=hunter22`);
        annotate('seen-by', request.userInfo.username ?? '');
        if (object?.metadata.name === 'bad') {
          throw forbiddenError({ group: 'example.com', resource: 'widgets' }, 'bad', 'it is bad');
        }
      }),
    ]);

    const good = await server.post(PATH, review({ object: widget, oldObject: widget }));
    const bad = await server.post(
      PATH,
      review({ object: { ...widget, metadata: { name: 'bad' } } }),
    );

    assert.deepEqual(JSON.parse(good.body), {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: {
        uid: 'u1',
        allowed: true,
        warnings: ['old is a, password=[redacted]'],
        auditAnnotations: { 'seen-by': 'me' },
      },
    });
    const { response } = JSON.parse(bad.body);
    assert.equal(response.allowed, false);
    assert.equal(response.status.code, 403);
    assert.equal(response.status.message, 'widgets.example.com "bad" is forbidden: it is bad');
  });

  test('answers with the patch that makes what a mutating webhook made, exact to the last digit', async () => {
    await using server = await start([
      mutatingWebhook(Widgets, async ({ object }) => {
        if (object === undefined) return;
        object.metadata.labels = { 'a/b': 'c' };
        object['big'] = 9_007_199_254_740_995n;
        delete object['drop'];
      }),
    ]);
    const path = '/mutate-example-com-v1-widget';

    const changed = await server.post(path, review({ object: { ...widget, drop: 1 } }));
    const deleted = await server.post(path, review({ operation: 'DELETE', oldObject: widget }));

    const { patch, patchType, allowed } = JSON.parse(changed.body).response;
    assert.deepEqual([allowed, patchType], [true, 'JSONPatch']);
    assert.equal(
      Buffer.from(patch, 'base64').toString(),
      '[{"op":"add","path":"/metadata/labels","value":{"a/b":"c"}},{"op":"remove","path":"/drop"},{"op":"add","path":"/big","value":9007199254740995}]',
    );
    assert.deepEqual(JSON.parse(deleted.body).response, { uid: 'u1', allowed: true });
  });

  test('drops what a validating webhook changes', async () => {
    await using server = await start([
      validatingWebhook(Widgets, ({ object }) => {
        if (object !== undefined) object['changed'] = true;
      }),
    ]);

    const { body } = await server.post(PATH, review({ object: widget }));

    assert.deepEqual(JSON.parse(body).response, { uid: 'u1', allowed: true });
  });

  test('converts all objects or none', async () => {
    await using server = await start([
      conversionWebhook([
        {
          group: 'example.com',
          kind: 'Widget',
          convert: (object, version) => {
            if (object['size'] === 0) throw new ConversionError('Cannot convert "a": it is empty');
            return { ...object, [version]: object['size'] };
          },
        },
      ]),
    ]);
    const convert = async (objects: object[]) => {
      const request = { uid: 'u1', desiredAPIVersion: 'example.com/v2', objects };
      const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request };
      return JSON.parse((await server.post('/convert', body)).body).response;
    };

    assert.deepEqual(await convert([{ ...widget, size: 1 }]), {
      uid: 'u1',
      result: { status: 'Success' },
      convertedObjects: [{ ...widget, apiVersion: 'example.com/v2', size: 1, v2: 1 }],
    });
    assert.deepEqual(await convert([widget, { ...widget, size: 0 }]), {
      uid: 'u1',
      result: { status: 'Failure', message: 'Cannot convert "a": it is empty' },
    });
    assert.deepEqual((await convert([{ ...widget, kind: 'Gadget' }])).result, {
      status: 'Failure',
      message: 'Cannot convert "example.com/v1 Gadget" to "example.com/v2": nobody knows how',
    });
  });

  describe('refuses', () => {
    const allow = validatingWebhook(Widgets, () => {});
    for (const [title, path, body, status, text] of [
      ['paths it does not know', '/other', '{}', 404, /no webhook/],
      ['what is no JSON', PATH, '{', 400, /it is no JSON/],
      ['what is no object', PATH, '[]', 400, /no JSON object/],
      ['other reviews', PATH, '{"kind":"X","apiVersion":"v1"}', 400, /instead of "admission/],
      [
        'reviews without a request',
        PATH,
        '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}',
        400,
        /no request with a uid/,
      ],
      [
        'old versions of reviews',
        PATH,
        '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}',
        400,
        /v1beta1/,
      ],
      [
        'kinds that are not those of the path',
        PATH,
        review({ kind: { group: '', version: 'v1', kind: 'Pod' } }),
        400,
        /this path is for "example.com\/v1, Kind=Widget"/,
      ],
      ['objects that are none', PATH, review({ object: 'x' }), 400, /its object is no object/],
      ['long bodies', PATH, 'x'.repeat(2_000), 413, /at most 1000 bytes/],
    ] as const) {
      test(title, async () => {
        await using server = await start([allow], { maxBytes: 1_000 });

        const answer = await server.post(path, body);

        assert.equal(answer.status, status, answer.body);
        assert.match(answer.body, text);
      });
    }

    test('long bodies that do not say how long they are', async () => {
      await using server = await start([allow], { maxBytes: 1_000 });

      const answer = await server.post(PATH, 'x'.repeat(100_000), {
        headers: { 'transfer-encoding': 'chunked' },
      });

      assert.equal(answer.status, 413);
    });

    test('other methods and media types', async () => {
      await using server = await start([allow]);

      const get = await server.post(PATH, '', { method: 'GET' });
      const text = await server.post(PATH, '{}', { headers: { 'content-type': 'text/plain' } });

      assert.deepEqual([get.status, text.status], [405, 415]);
    });

    test('two webhooks at one path', async () => {
      await assert.rejects(start([allow, allow]), /two of them have the same path/);
    });
  });

  test('keeps the cause of a fault for the log, and counts', async () => {
    const logged: LogFields[] = [];
    const counted: string[] = [];
    await using server = await start(
      [validatingWebhook(Widgets, () => Promise.reject(new Error('the cause')))],
      {
        logger: { ...silentLogger, error: (_message, fields = {}) => logged.push(fields) },
        meter: (path, outcome) => counted.push(`${path} ${outcome}`),
      },
    );

    const answer = await server.post(PATH, review({ object: widget }));
    await server.post('/wp-admin', '');

    assert.deepEqual([answer.status, answer.body], [500, 'The webhook failed\n']);
    assert.match(String(logged[0]?.['err']), /the cause/);
    assert.deepEqual(counted, [`${PATH} failed`, 'unknown bad']);
  });

  test('gives up after the time that the caller asks for, and tells the reviewer', async () => {
    const clock = new ManualClock();
    let isAborted = false;
    await using server = await start(
      [
        validatingWebhook(
          Widgets,
          ({ signal }) =>
            new Promise<void>(() => {
              signal.addEventListener('abort', () => {
                isAborted = true;
              });
              void clock.advance(2_000);
            }),
        ),
      ],
      { clock },
    );

    const answer = await server.post(`${PATH}?timeout=2s`, review({ object: widget }));

    assert.deepEqual([answer.status, answer.body], [504, 'There is no answer after 2000 ms\n']);
    assert.equal(isAborted, true);
  });

  test('sends more than it can take away', async () => {
    const waiting: (() => void)[] = [];
    const hold = validatingWebhook(
      Widgets,
      () => new Promise<void>((resolve) => waiting.push(resolve)),
    );
    await using server = await start([hold], { maxConcurrent: 1 });
    const first = server.post(PATH, review({ object: widget }));
    while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));

    const second = await server.post(PATH, review({ object: widget }));
    for (const go of waiting) go();

    assert.equal(second.status, 503);
    assert.equal((await first).status, 200);
  });

  test('finishes what is under way before it stops', async () => {
    let finish = () => {};
    const begun = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let answer = () => {};
    const server = await start([
      validatingWebhook(Widgets, () => {
        finish();
        return new Promise<void>((resolve) => {
          answer = resolve;
        });
      }),
    ]);
    const sent = server.post(PATH, review({ object: widget }));
    await begun;

    const stopped = server[Symbol.asyncDispose]();
    answer();

    assert.equal((await sent).status, 200);
    await stopped;
  });

  test('serves new connections with a new certificate and keeps the old ones', async () => {
    await using server = await start([validatingWebhook(Widgets, () => {})]);
    const { server: api } = server;
    const before = await server.post(PATH, review({ object: widget }));

    const renewed = api.renew();
    const after = await server.post(PATH, review({ object: widget }), { ca: renewed.authority });

    assert.notEqual(before.fingerprint, after.fingerprint);
    assert.equal(after.status, 200);
    await assert.rejects(server.post(PATH, review({ object: widget })), /certificate/);
  });
});

function review(request: object): string {
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'u1',
      kind: { group: 'example.com', version: 'v1', kind: 'Widget' },
      operation: 'UPDATE',
      userInfo: { username: 'me' },
      ...request,
    },
  });
}

function newCertificate() {
  const policy = { hosts: ['127.0.0.1'], authorityLifeMs: 8.64e7, servingLifeMs: 2e7 };
  const set = planCertificates(undefined, policy, { now: systemClock.now(), isTrusted: true });
  return { authority: set.authorities.join(''), serving: set.serving };
}

async function start(webhooks: readonly Webhook[], options: Partial<WebhookServerOptions> = {}) {
  let { authority, serving } = newCertificate();
  const listeners = new Set<(pair: CertificatePair) => void>();
  const running = await startWebhookServer({
    webhooks,
    certificates: {
      current: () => serving,
      subscribe: (told) => {
        listeners.add(told);
        return { [Symbol.dispose]: () => void listeners.delete(told) };
      },
    },
    clock: systemClock,
    logger: silentLogger,
    host: '127.0.0.1',
    port: 0,
    ...options,
  });
  const first = authority;
  const renew = () => {
    ({ authority, serving } = newCertificate());
    for (const told of listeners) told(serving);
    return { authority };
  };
  return {
    server: { renew },
    post: (path: string, body: string | object, sent: Sent = {}) =>
      post(running.port, path, { ca: first, ...sent, body }),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

interface Sent {
  readonly ca?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

async function post(
  port: number,
  path: string,
  sent: Sent & { ca: string; body: string | object },
) {
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    path,
    method: sent.method ?? 'POST',
    agent: false,
    ca: sent.ca,
    headers: { 'content-type': 'application/json', ...sent.headers },
  });
  request.end(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body));
  const [response] = await once(request, 'response');
  const { fingerprint256 } = (response.socket as TLSSocket).getPeerCertificate();
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode as number, body, fingerprint: fingerprint256 };
}
