import { type Client, CustomResourceDefinitions } from '@flotilla/client';
import { defineKind, isNotFound, type KubeObject } from '@flotilla/machinery';

interface ClientConfig {
  readonly caBundle?: string;
}

interface WebhookConfiguration extends KubeObject {
  webhooks?: { readonly name: string; readonly clientConfig: ClientConfig }[];
}

const admission = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };

const configurations = {
  MutatingWebhookConfiguration: defineKind<WebhookConfiguration>({
    ...admission,
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
  }),
  ValidatingWebhookConfiguration: defineKind<WebhookConfiguration>({
    ...admission,
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
  }),
} as const;

/** An object in which API servers look up whom to trust when they call us. */
export interface TrustTarget {
  readonly kind: keyof typeof configurations | 'CustomResourceDefinition';
  readonly name: string;
}

/**
 * Makes an object trust a bundle (PEM). One that does not exist calls nobody, so there is nothing to do; one that
 * someone took the bundle out of gets it back.
 */
export async function trustBundle(
  client: Client,
  target: TrustTarget,
  { bundle, signal }: { readonly bundle: string; readonly signal: AbortSignal },
): Promise<void> {
  const caBundle = Buffer.from(bundle).toString('base64');
  try {
    if (target.kind === 'CustomResourceDefinition') {
      await trustInDefinition(client, target.name, { caBundle, signal });
    } else {
      await trustInConfiguration(client, { ...target, kind: target.kind }, { caBundle, signal });
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

interface Wanted {
  readonly caBundle: string;
  readonly signal: AbortSignal;
}

async function trustInConfiguration(
  client: Client,
  { kind, name }: { readonly kind: keyof typeof configurations; readonly name: string },
  { caBundle, signal }: Wanted,
): Promise<void> {
  const descriptor = configurations[kind];
  const { webhooks = [] } = await client.get(descriptor, { name }, { signal });
  const steps = webhooks.flatMap((webhook, index) =>
    webhook.clientConfig.caBundle === caBundle
      ? []
      : [
          // Another writer may have moved the webhooks since they were read.
          { op: 'test', path: `/webhooks/${index}/name`, value: webhook.name },
          { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value: caBundle },
        ],
  );
  if (steps.length === 0) return;
  await client.patch(descriptor, { name }, { type: 'json', body: steps, signal });
}

async function trustInDefinition(
  client: Client,
  name: string,
  { caBundle, signal }: Wanted,
): Promise<void> {
  const { spec } = await client.get(CustomResourceDefinitions, { name }, { signal });
  const { webhook } = (spec?.['conversion'] ?? {}) as {
    readonly webhook?: { readonly clientConfig?: ClientConfig };
  };
  // Without a conversion webhook nobody calls us for this kind.
  if (webhook?.clientConfig === undefined || webhook.clientConfig.caBundle === caBundle) return;
  const body = { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
  await client.patch(CustomResourceDefinitions, { name }, { type: 'merge', body, signal });
}
