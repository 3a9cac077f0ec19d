import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '../clock.ts';
import { createMemoryStore } from '../storage/memory.ts';
import { startWebhook, type TestWebhook } from '../testing/start-webhook.ts';
import { createWebhookClient, type WebhookClient } from './client.ts';

describe('the client of webhooks', () => {
  test('gives up when nobody waits any more, and closes the connection', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();
    const gone = new AbortController();
    const closed = new Promise<void>((resolve) => {
      webhook.on('/', (_call, answer) => {
        answer.on('close', resolve);
        gone.abort();
        return undefined;
      });
    });

    await assert.rejects(post(client, webhook, { signal: gone.signal }), /context canceled$/);
    await closed;
  });

  test('does not even begin for someone who has left', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();

    await assert.rejects(
      post(client, webhook, { signal: AbortSignal.abort() }),
      /context canceled$/,
    );
    assert.equal(webhook.connections(), 0);
  });

  test('keeps connections, and gets over those that were closed meanwhile', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();
    await post(client, webhook);
    await post(client, webhook);
    assert.equal(webhook.connections(), 1);

    webhook.hangUp();
    await post(client, webhook);

    assert.equal(webhook.connections(), 2);
    assert.equal(webhook.received.length, 3);
  });

  test('shares no connection between tenants or authorities', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();

    await post(client, webhook, { tenant: 'one' });
    await post(client, webhook, { tenant: 'two' });

    assert.equal(webhook.connections(), 2);
  });

  test('refuses a bundle that holds no certificate before it dials', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();

    await assert.rejects(
      post(client, { ...webhook, caBundle: Buffer.from('nothing').toString('base64') }),
      { stage: 'client', message: /unable to parse bytes as PEM block/ },
    );
    assert.equal(webhook.connections(), 0);
  });

  test('names the place without what a path could hide', async () => {
    await using webhook = await startWebhook();
    using client = clientOfNothing();

    await post(client, { ...webhook, url: `${webhook.url}/a/../b//c/` });

    assert.equal(webhook.received[0]?.path, '/b/c?timeout=5s');
  });
});

function clientOfNothing(): WebhookClient {
  return createWebhookClient({
    store: createMemoryStore({ now: () => 0 }),
    clock: systemClock,
  });
}

function post(
  client: WebhookClient,
  { url, caBundle }: Pick<TestWebhook, 'url' | 'caBundle'>,
  more: { tenant?: string; signal?: AbortSignal } = {},
): Promise<Buffer> {
  const review = { apiVersion: 'admission.k8s.io/v1', request: { uid: 'u' } };
  return client.post({
    tenant: 'root',
    target: { url, caBundle },
    body: Buffer.from(JSON.stringify(review)),
    timeoutSeconds: 5,
    ...more,
  });
}
