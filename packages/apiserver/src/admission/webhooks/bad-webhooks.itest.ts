import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { startInMemory } from '../../testing/start-in-memory.ts';
import { patchOf, startWebhook, type WebhookBehaviour } from '../../testing/start-webhook.ts';
import { configMap, configure, createConfigMap, json } from './webhooks.cases.ts';

const FAILED = 'Internal error occurred: failed calling webhook "hook.example.com": ';

describe('a webhook that lies', () => {
  const lies: readonly {
    readonly title: string;
    readonly kind?: 'Mutating' | 'Validating';
    readonly answer: WebhookBehaviour;
    readonly message: string;
  }[] = [
    {
      title: 'about the uid',
      answer: () => ({ uid: 'other', allowed: true }),
      message: 'received invalid webhook response: expected response.uid=UID, got "other"',
    },
    {
      title: 'by sending no response',
      answer: raw('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}'),
      message: 'received invalid webhook response: webhook response was absent',
    },
    {
      title: 'about its kind',
      answer: ({ review }, answer) => {
        answer.end(JSON.stringify({ response: { uid: review.request.uid, allowed: true } }));
        return undefined;
      },
      message:
        'received invalid webhook response: expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got /, Kind=',
    },
    {
      title: 'by patching where it may only refuse',
      answer: () => ({ allowed: true, ...patchOf([]) }),
      message:
        'received invalid webhook response: validating webhook may not return response.patch',
    },
    {
      title: 'with a patch of no type',
      kind: 'Mutating',
      answer: () => ({ allowed: true, patch: 'W10=' }),
      message:
        'received invalid webhook response: webhook returned response.patch but not response.patchType',
    },
    {
      title: 'with a patch of an unknown type',
      kind: 'Mutating',
      answer: () => ({ allowed: true, ...patchOf([{ op: 'test', path: '' }]), patchType: 'Full' }),
      message: 'unsupported patch type "Full"',
    },
    {
      title: 'by sending no JSON',
      answer: raw('oops'),
      message:
        'failed to call webhook: couldn\'t get version/kind; json parse error: json: cannot unmarshal string into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }',
    },
    {
      title: 'with values of other types',
      answer: () => ({ allowed: 'yes' }),
      message:
        'failed to call webhook: json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    },
    {
      title: 'with an error',
      answer: (_call, answer) => {
        answer.statusCode = 500;
        answer.setHeader('content-type', 'text/plain');
        answer.end('boom\n');
        return undefined;
      },
      message:
        'failed to call webhook: an error on the server ("boom") has prevented the request from succeeding',
    },
    {
      title: 'by pointing elsewhere',
      answer: ({ headers }, answer) => {
        answer.writeHead(307, { location: `https://${headers.host ?? ''}/elsewhere` }).end();
        return undefined;
      },
      message:
        'failed to call webhook: the server responded with the status code 307 but did not return more information',
    },
  ];
  for (const { title, kind = 'Validating', answer, message } of lies) {
    test(`${title} fails the request`, async () => {
      await using server = await startInMemory();
      await using webhook = await startWebhook();
      webhook.on('/', answer);
      await configure(server, webhook, { kind });

      const { status, body } = await createConfigMap(server, 'a');

      const uid = webhook.received[0]?.review.request.uid ?? '';
      assert.equal(status, 500);
      assert.equal(body.message, `${FAILED}${message.replace('UID', JSON.stringify(uid))}`);
      assert.equal(webhook.received.length, 1, 'it is asked once, and nobody else is');
    });
  }

  test('does not matter where failures are ignored', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', raw('oops'));
    const hook = { failurePolicy: 'Ignore' };
    await configure(server, webhook, { kind: 'Validating', hook });
    await configure(server, webhook, { kind: 'Mutating', hook });

    assert.equal((await createConfigMap(server, 'a')).status, 201);
  });

  test('about how to patch fails the request even where failures are ignored', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({ allowed: true, ...patchOf([{ op: 'remove', path: '/none' }]) }));
    await configure(server, webhook, { kind: 'Mutating', hook: { failurePolicy: 'Ignore' } });

    const { status, body } = await createConfigMap(server, 'a');

    assert.equal(status, 500);
    assert.match(
      body.message,
      /^Internal error occurred: .*Unable to remove nonexistent key: none/,
    );
  });
});

describe('a webhook that cannot be reached', () => {
  test('is named with its address and the reason', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    await webhook[Symbol.asyncDispose]();
    await configure(server, webhook, { kind: 'Validating' });

    const { status, body } = await createConfigMap(server, 'a');

    const address = `127.0.0.1:${webhook.port}`;
    assert.equal(status, 500);
    assert.equal(
      body.message,
      `${FAILED}failed to call webhook: Post "https://${address}/?timeout=10s": dial tcp ${address}: connect: connection refused`,
    );
  });

  test('under a certificate we do not trust is not asked', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    await using stranger = await startWebhook();
    await configure(server, { ...webhook, caBundle: stranger.caBundle }, { kind: 'Validating' });

    const { body } = await createConfigMap(server, 'a');

    assert.match(
      body.message,
      /tls: failed to verify certificate: x509: certificate signed by unknown authority/,
    );
    assert.equal(webhook.received.length, 0);
  });

  test('under the certificate of another host is not asked', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook(['10.1.2.3']);
    await configure(server, webhook, { kind: 'Validating' });

    const { body } = await createConfigMap(server, 'a');

    assert.match(body.message, /x509: certificate is valid for 10\.1\.2\.3, not 127\.0\.0\.1/);
    assert.equal(webhook.received.length, 0);
  });

  test('behind a Service that does not exist, or has no such port', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    const service = { namespace: 'default', name: 'hook', path: '/x', port: 8443 };
    const hook = { clientConfig: { service, caBundle: webhook.caBundle } };
    await configure(server, webhook, { kind: 'Validating', hook });

    const missing = await createConfigMap(server, 'a');
    await server.send('POST /api/v1/namespaces/default/services', {
      body: {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: { name: 'hook' },
        spec: { ports: [{ port: 443 }] },
      },
    });
    const portless = await createConfigMap(server, 'a');

    const post = 'failed to call webhook: Post "https://hook.default.svc:8443/x?timeout=10s": ';
    assert.equal(missing.body.message, `${FAILED}${post}service "hook" not found`);
    assert.equal(
      portless.body.message,
      `${FAILED}${post}no service port 8443 found for service "hook"`,
    );
  });

  test('through a Service is asked under the name of the Service', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook(['hook.default.svc']);
    await server.send('POST /api/v1/namespaces/default/services', {
      body: {
        kind: 'Service',
        apiVersion: 'v1',
        metadata: { name: 'hook' },
        spec: { type: 'ExternalName', externalName: 'localhost' },
      },
    });
    const service = { namespace: 'default', name: 'hook', port: webhook.port };
    await configure(server, webhook, {
      kind: 'Validating',
      hook: { clientConfig: { service, caBundle: webhook.caBundle } },
    });

    assert.equal((await createConfigMap(server, 'a')).status, 201);
    assert.equal(webhook.received[0]?.headers.host, `hook.default.svc:${webhook.port}`);
  });
});

describe('a webhook that hangs', () => {
  const ways: Readonly<Record<string, WebhookBehaviour>> = {
    'without an answer': () => undefined,
    'in the middle of its answer': (_call, answer) => {
      answer.write('{');
      return undefined;
    },
    'while it streams for ever': (_call, answer) => {
      const drip = (): void => {
        if (!answer.destroyed) answer.write(' ', () => setImmediate(drip));
      };
      drip();
      return undefined;
    },
  };
  for (const [way, behaviour] of Object.entries(ways)) {
    test(`${way} fails the request when its time is over, and stops nobody else`, async () => {
      await using server = await startInMemory();
      await using webhook = await startWebhook();
      webhook.on('/', behaviour);
      await configure(server, webhook, { kind: 'Validating', hook: { timeoutSeconds: 1 } });

      const pending = createConfigMap(server, 'a');
      const other = await server.send('POST /api/v1/namespaces/default/secrets', {
        body: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 's' } },
      });
      const { status, body } = await pending;

      assert.equal(other.status, 201);
      assert.equal(status, 500);
      assert.match(body.message, /\?timeout=1s": context deadline exceeded$/);
    });
  }

  test('with a huge answer is cut off', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    webhook.on('/', (_call, answer) => {
      for (let i = 0; i < 20; i += 1) answer.write(chunk);
      answer.end();
      return undefined;
    });
    await configure(server, webhook, { kind: 'Validating' });

    const { body } = await createConfigMap(server, 'a');

    assert.match(body.message, /Original error: the answer is larger than 8388608 bytes$/);
  });

  test('up and closes the connection fails the request at once', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', (_call, answer) => {
      answer.socket?.destroy();
      return undefined;
    });
    await configure(server, webhook, { kind: 'Validating' });

    const { body } = await createConfigMap(server, 'a');

    assert.match(body.message, /\?timeout=10s": EOF$/);
  });

  test('and never even speaks TLS is given up on as well', async () => {
    await using server = await startInMemory();
    await using silent = await listenSilently();
    await using webhook = await startWebhook();
    const target = { ...webhook, url: `https://127.0.0.1:${silent.port}` };
    await configure(server, target, { kind: 'Validating', hook: { timeoutSeconds: 1 } });

    const { body } = await createConfigMap(server, 'a');

    assert.match(body.message, /context deadline exceeded$/);
  });

  test('cannot take all requests there may be: further calls fail at once', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => undefined);
    await configure(server, webhook, { kind: 'Validating', hook: { timeoutSeconds: 3 } });

    const first = Array.from({ length: 100 }, (_, i) => createConfigMap(server, `a${i}`));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const begun = performance.now();
    const next = await createConfigMap(server, 'b');
    const took = performance.now() - begun;
    const all = await Promise.all(first);

    assert.match(next.body.message, /it does not answer, and 100 calls wait for it already/);
    assert.ok(took < 500, `${took} ms`);
    assert.ok(all.every(({ status }) => status === 500));
  });
});

describe('ten webhooks', () => {
  test('are all asked, over connections that are kept', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    for (let i = 0; i < 10; i += 1) {
      await configure(server, webhook, { kind: 'Validating', name: `v${i}`, path: `/v${i}` });
      await configure(server, webhook, { kind: 'Mutating', name: `m${9 - i}`, path: `/m${9 - i}` });
    }

    for (let i = 0; i < 5; i += 1) {
      assert.equal((await createConfigMap(server, `a${i}`)).status, 201);
    }

    const paths = webhook.received.slice(0, 20).map(({ path }) => path.split('?')[0]);
    assert.deepEqual(
      paths.slice(0, 10),
      Array.from({ length: 10 }, (_, i) => `/m${i}`),
    );
    assert.equal(webhook.received.length, 100);
    assert.ok(webhook.connections() <= 40, `${webhook.connections()} connections`);
  });
});

describe('scenarios', () => {
  test('CP-61 a webhook by URL denies with its message, and is asked about a dry run only if it may', async () => {
    await using server = await startInMemory();
    await using webhook = await startWebhook();
    webhook.on('/', () => ({ allowed: false, status: { message: 'not today' } }));
    await configure(server, webhook, { kind: 'Validating' });
    const at = '/api/v1/namespaces/default/configmaps';

    const denied = await createConfigMap(server, 'a');
    const dry = await server.send(`POST ${at}?dryRun=All`, { body: configMap('a') });

    const message = 'admission webhook "hook.example.com" denied the request: not today';
    assert.equal(denied.body.message, message);
    assert.equal(json(dry.body).message, message);
    assert.equal(webhook.received[1]?.review.request['dryRun'], true);
    assert.equal((await server.send(`GET ${at}/a`)).status, 404);
  });
});

function raw(text: string): WebhookBehaviour {
  return (_call, answer) => {
    answer.setHeader('content-type', 'application/json');
    answer.end(text);
    return undefined;
  };
}

/** Accepts connections and says nothing. */
async function listenSilently(): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
