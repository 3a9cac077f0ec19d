import { ClusterRegistrations } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { apiVersionOf, type Clock, defineKind, type KubeObject } from '@flotilla/machinery';
import {
  createCertificateKeeper,
  type HealthCheck,
  type Logger,
  startWebhookServer,
  validatingWebhook,
} from '@flotilla/runtime';
import { type FindByName, reviewRegistration } from './review-registration.ts';

/** Where API servers reach the webhook. */
export interface WebhookPlace {
  readonly port: number;
  /** @default 0.0.0.0 */
  readonly host?: string;
  /** A Service in front of it, or a host that API servers know. */
  readonly reachedAt:
    | {
        readonly service: {
          readonly namespace: string;
          readonly name: string;
          readonly port: number;
        };
      }
    | { readonly host: string };
  /** The Secret that holds its certificates. */
  readonly secret: { readonly namespace: string; readonly name: string };
}

/** What the webhook is made of. */
export interface RegistrationWebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly place: WebhookPlace;
  readonly findByName: FindByName;
}

/** A webhook that runs. */
export interface RegistrationWebhook extends AsyncDisposable {
  readonly port: number;
  readonly checks: readonly HealthCheck[];
}

/** The name of the configuration, which a chart may have made already. */
export const WEBHOOK_CONFIGURATION = 'flotilla-registration';

const FIELD_MANAGER = 'flotilla-registration';
/** Short: it only tells early what the controller tells anyway. */
const TIMEOUT_SECONDS = 3;

interface Configuration extends KubeObject {
  webhooks: object[];
}

const ValidatingWebhookConfigurations = defineKind<Configuration>({
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
});

/** Serves the webhook and has API servers call it; whatever fails there never keeps anybody from writing. */
export async function startRegistrationWebhook(
  options: RegistrationWebhookOptions,
  signal: AbortSignal,
): Promise<RegistrationWebhook> {
  const { client, clock, logger, place, findByName } = options;
  const webhook = validatingWebhook(ClusterRegistrations, (review) =>
    reviewRegistration(review, findByName),
  );
  const keeper = createCertificateKeeper({
    client,
    clock,
    logger,
    secret: place.secret,
    hosts: hostsOf(place),
    targets: [{ kind: 'ValidatingWebhookConfiguration', name: WEBHOOK_CONFIGURATION }],
  });
  await keeper.prepare(signal);
  const server = await startWebhookServer({
    webhooks: [webhook],
    certificates: keeper,
    clock,
    logger,
    port: place.port,
    ...(place.host === undefined ? {} : { host: place.host }),
  });
  const configuration = configurationOf(place, { path: webhook.path, port: server.port });
  const applying = { fieldManager: FIELD_MANAGER, force: true, signal };
  await client.apply(ValidatingWebhookConfigurations, configuration, applying);
  // It had nobody to publish to before.
  await keeper.look(signal);
  const ending = new AbortController();
  const keeping = keeper.run(AbortSignal.any([signal, ending.signal]));
  return {
    port: server.port,
    checks: keeper.checks,
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await keeping;
      await server[Symbol.asyncDispose]();
    },
  };
}

function hostsOf({ reachedAt }: WebhookPlace): string[] {
  if ('host' in reachedAt) return [reachedAt.host];
  const { namespace, name } = reachedAt.service;
  return [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}

function configurationOf(
  { reachedAt }: WebhookPlace,
  { path, port }: { readonly path: string; readonly port: number },
): Configuration {
  const { group, version, plural } = ClusterRegistrations;
  return {
    apiVersion: apiVersionOf(ValidatingWebhookConfigurations),
    kind: ValidatingWebhookConfigurations.kind,
    metadata: { name: WEBHOOK_CONFIGURATION },
    webhooks: [
      {
        name: 'registration.flotilla.dev',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        matchPolicy: 'Equivalent',
        timeoutSeconds: TIMEOUT_SECONDS,
        clientConfig:
          'host' in reachedAt
            ? { url: `https://${reachedAt.host}:${port}${path}` }
            : { service: { ...reachedAt.service, path } },
        rules: [
          {
            operations: ['CREATE', 'UPDATE'],
            apiGroups: [group],
            apiVersions: [version],
            resources: [plural],
            scope: 'Namespaced',
          },
        ],
      },
    ],
  };
}
