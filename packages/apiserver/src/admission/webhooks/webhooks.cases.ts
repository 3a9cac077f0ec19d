import assert from 'node:assert/strict';
import type { TestServer } from '../../testing/start-in-memory.ts';
import type { TestWebhook } from '../../testing/start-webhook.ts';

/** What a configuration for a test says beyond the usual. */
export interface Configured {
  readonly kind: 'Mutating' | 'Validating';
  readonly name?: string;
  readonly path?: string;
  readonly operations?: readonly string[];
  readonly rule?: object;
  readonly hook?: object;
}

/** Stores a configuration with one webhook. */
export async function configure(
  server: TestServer,
  webhook: TestWebhook,
  { kind, name = 'hooks', path = '', operations = ['CREATE'], rule = {}, hook = {} }: Configured,
): Promise<void> {
  const resource = `${kind.toLowerCase()}webhookconfigurations`;
  const { status, body } = await server.send(
    `POST /apis/admissionregistration.k8s.io/v1/${resource}`,
    {
      body: {
        kind: `${kind}WebhookConfiguration`,
        apiVersion: 'admissionregistration.k8s.io/v1',
        metadata: { name },
        webhooks: [
          {
            name: 'hook.example.com',
            clientConfig: { url: `${webhook.url}${path}`, caBundle: webhook.caBundle },
            rules: [
              {
                operations,
                apiGroups: [''],
                apiVersions: ['*'],
                resources: ['configmaps'],
                ...rule,
              },
            ],
            sideEffects: 'None',
            admissionReviewVersions: ['v1'],
            ...hook,
          },
        ],
      },
    },
  );
  assert.equal(status, 201, String(body));
}

/** What tests look at in an answer. */
export interface Answer {
  readonly message: string;
  readonly reason: string;
  readonly metadata: { readonly labels?: Record<string, string> };
}

/** Reads a body. */
export const json = (body: Buffer): Answer => JSON.parse(body.toString()) as Answer;

/** Creates a ConfigMap in `default`. */
export async function createConfigMap(server: TestServer, name: string) {
  const at = '/api/v1/namespaces/default/configmaps';
  const { status, body, headers } = await server.send(`POST ${at}`, { body: configMap(name) });
  return { status, body: json(body), headers };
}

/** An empty ConfigMap. */
export const configMap = (name: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
});

const container = { name: 'c', image: 'i' };

/** A small pod. */
export const pod = (name: string) => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [container] },
});

/** A small deployment. */
export const deployment = (name: string) => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: 'x' } },
    template: { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } },
  },
});

/** An autoscaler in the stored version. */
export const autoscaler = () => ({
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  metadata: { name: 'a' },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    maxReplicas: 3,
  },
});
