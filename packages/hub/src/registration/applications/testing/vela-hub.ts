import {
  type Access,
  type Client,
  CustomResourceDefinitions,
  createClient,
  createTransport,
} from '@flotilla/client';
import { type Kind, type KubeObject, systemClock } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { ResourceTrackers } from '../../resource-trackers/kinds.ts';
import { isServed } from '../../served-kinds.ts';
import { type Application, Applications } from '../kinds.ts';

/** A hub of a test, and its administrator. */
export interface TestHub extends AsyncDisposable {
  readonly server: TestApiServer;
  readonly client: Client;
  readonly connect: (access: Access) => Client;
}

/** Which KubeVela the hub has. 1.11 understands app.oam.dev/restart-workflow. */
export type VelaVersion = '1.10' | '1.11';

/** Never aborted. */
export const calm = new AbortController().signal;

/** Starts a hub. */
export async function startHub(): Promise<TestHub> {
  const server = await startServer();
  const clients: Client[] = [];
  const connect = (access: Access) => {
    const client = createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
    clients.push(client);
    return client;
  };
  return {
    server,
    client: connect(server.access),
    connect,
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Starts a hub with the kinds of a KubeVela. */
export async function startVelaHub(version: VelaVersion = '1.11'): Promise<TestHub> {
  const hub = await startHub();
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await installKind(hub.client, Applications, {
    spec: anything,
    status: {
      ...anything,
      properties: {
        status: { type: 'string' },
        ...(version === '1.11'
          ? { workflowRestartScheduledAt: { type: 'string', format: 'date-time' } }
          : {}),
      },
    },
  });
  await installKind(hub.client, ResourceTrackers, { spec: anything });
  return hub;
}

/** Adds a kind to a server, with what its objects have beside their metadata. */
export async function installKind(
  client: Client,
  kind: Kind,
  properties: Record<string, unknown>,
): Promise<void> {
  const { group, version, plural, namespaced } = kind;
  await client.create(CustomResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { plural, kind: kind.kind, singular: kind.kind.toLowerCase() },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  });
  await eventually(() => isServed(client, kind, calm));
}

/** An Application with one topology policy of these properties. */
export function application(
  name: string,
  properties: unknown,
  annotations: Record<string, string> = {},
): Application {
  return {
    apiVersion: 'core.oam.dev/v1beta1',
    kind: 'Application',
    metadata: { namespace: 'default', name, annotations },
    spec: {
      components: [{ name: 'web', type: 'webservice' }],
      policies: [
        { name: 'where', type: 'topology', properties },
        { name: 'health', type: 'health', properties: { probeInterval: 5 } },
      ],
    },
  };
}

/** Creates Applications. */
export async function createApplications(client: Client, ...all: Application[]): Promise<void> {
  for (const one of all) await client.create(Applications, one);
}

/** One Application's annotations, and its resourceVersion. */
export async function annotationsOf(
  client: Client,
  name: string,
): Promise<Record<string, string> & { readonly at: string }> {
  const { metadata } = await client.get(Applications, { namespace: 'default', name });
  return { ...metadata.annotations, at: metadata.resourceVersion ?? '' };
}

/** A ResourceTracker with this spec. */
export function tracker(name: string, spec: Record<string, unknown>): KubeObject {
  return {
    apiVersion: 'core.oam.dev/v1beta1',
    kind: 'ResourceTracker',
    metadata: { name },
    spec: { type: 'versioned', applicationGeneration: 1, ...spec },
  };
}
