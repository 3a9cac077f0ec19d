import { type ClusterRegistration, clusterRegistration, draftOf } from '@flotilla/api';
import {
  type Client,
  CustomResourceDefinitions,
  createClient,
  createTransport,
  type Secret,
  Secrets,
} from '@flotilla/client';
import { defineKind, type KubeObject, systemClock } from '@flotilla/machinery';
import { silentLogger } from '@flotilla/runtime';
import { eventually, startServer } from '@flotilla/testkit';
import { createMint } from '../../exec-profiles/mint-credential.ts';
import { type ResolvedSource, resolveSource, SourceProblem } from '../resolve-source.ts';
import type { SourceDeps, SourcePolicy } from '../resolved-source.ts';

/** Now, in the tests of sources. */
export const NOW = new Date('2026-06-01T12:00:00Z');

/** What a test may change about the hub that reads a source. */
export interface SourceTestOptions extends Partial<SourcePolicy> {
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly now?: Date;
  readonly client?: Pick<Client, 'get' | 'raw'>;
  readonly runExec?: SourceDeps['runExec'];
}

/** The embedded API server as a hub, with what tests of sources do on it. */
export interface SourceHub extends AsyncDisposable {
  readonly client: Client;
  readonly clientAs: (user: string) => Client;
  readonly createSecret: (
    place: string,
    texts: Record<string, string>,
    metadata?: Partial<Secret['metadata']>,
  ) => Promise<Secret>;
  readonly resolve: (
    credentialSource: ClusterRegistration['spec']['credentialSource'] | object,
    options?: SourceTestOptions & {
      readonly namespace?: string;
      readonly name?: string;
      readonly registeredName?: string;
      readonly conditions?: NonNullable<ClusterRegistration['status']>['conditions'];
    },
  ) => Promise<ResolvedSource>;
  /** The problem that resolving ends with. */
  readonly refuse: (...args: Parameters<SourceHub['resolve']>) => Promise<SourceProblem>;
}

/** Starts it with the namespaces of the tests. */
export async function startSourceHub(): Promise<SourceHub> {
  const server = await startServer();
  const connect = (access = server.access) =>
    createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
  const client = connect();
  const others: Client[] = [];
  const namespaces = defineKind({
    group: '',
    version: 'v1',
    kind: 'Namespace',
    plural: 'namespaces',
    namespaced: false,
  });
  for (const name of ['vela-system', 'team', 'other']) {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const resolve: SourceHub['resolve'] = (credentialSource, options = {}) => {
    const {
      namespace = 'vela-system',
      name = 'west',
      registeredName,
      conditions,
      ...rest
    } = options;
    const registration: ClusterRegistration = draftOf(
      clusterRegistration,
      { name, namespace },
      { credentialSource: withDefaults(credentialSource) },
    );
    registration.status = {
      ...(registeredName === undefined ? {} : { registeredName }),
      ...(conditions === undefined ? {} : { conditions }),
    };
    return resolveSource(depsOf({ client, ...rest }), registration, new AbortController().signal);
  };
  return {
    client,
    clientAs: (user) => {
      const made = connect(server.accessAs(user));
      others.push(made);
      return made;
    },
    createSecret: (place, texts, metadata = {}) => {
      const [namespace = '', name = ''] = place.split('/');
      return client.create(Secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name, ...metadata },
        data: Object.fromEntries(
          Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
        ),
      });
    },
    resolve,
    refuse: async (...args) => {
      try {
        await resolve(...args);
      } catch (error) {
        if (error instanceof SourceProblem) return error;
        throw error;
      }
      throw new Error('Cannot see a problem: the source was resolved');
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of [client, ...others]) await each[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Deps of a hub that denies loopback, with what a test says differently. */
export function depsOf({
  client,
  addresses = {},
  now = NOW,
  runExec,
  ...policy
}: SourceTestOptions & { readonly client: Pick<Client, 'get' | 'raw'> }): SourceDeps {
  return {
    client,
    now: () => now,
    resolveHost: (host) => Promise.resolve(addresses[host] ?? []),
    runExec: runExec ?? createMint({ clock: systemClock, logger: silentLogger }).mint,
    policy: {
      gatewayNamespace: 'vela-system',
      sourceNamespaces: ['default', 'vela-system'],
      allowInsecureTls: false,
      endpoints: { allow: [], deny: [], allowsLoopback: false },
      execProfiles: [],
      ...policy,
    },
  };
}

/** What the server fills in. */
function withDefaults(source: object): ClusterRegistration['spec']['credentialSource'] {
  const filled = Object.entries(source).map(([member, value]) => [
    member,
    {
      ...(member === 'secretRef' || member === 'externalSecretRef' ? { key: 'kubeconfig' } : {}),
      ...(value as object),
    },
  ]);
  return Object.fromEntries(filled) as ClusterRegistration['spec']['credentialSource'];
}

/** Installs the kinds of the External Secrets Operator that a registration reads. */
export async function installExternalSecrets(
  client: Client,
  versions: readonly string[],
): Promise<void> {
  for (const [kind, plural] of [
    ['ExternalSecret', 'externalsecrets'],
    ['SecretStore', 'secretstores'],
  ] as const) {
    await client.create(CustomResourceDefinitions, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.external-secrets.io` },
      spec: {
        group: 'external-secrets.io',
        scope: 'Namespaced',
        names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
        versions: versions.map((name, index) => ({
          name,
          served: true,
          storage: index === 0,
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        })),
      },
    });
    const served = kindOf(kind, plural, versions[0] ?? '');
    await eventually(() => client.list(served), undefined, { tolerates: () => true });
  }
}

/** A kind of the operator's. */
export function kindOf(kind: string, plural: string, version = 'v1') {
  return defineKind<KubeObject>({
    group: 'external-secrets.io',
    version,
    kind,
    plural,
    namespaced: true,
  });
}

/** A kubeconfig of one context, as text; each part can be replaced. */
export function kubeconfig({
  cluster = 'server: "https://api.example.com:6443"',
  user = 'token: s3cret-token',
  context = 'ctx',
} = {}): string {
  return `apiVersion: v1
kind: Config
current-context: ${context}
contexts:
- {name: ctx, context: {cluster: c, user: u}}
clusters: [{name: c, cluster: {${cluster}}}]
users: [{name: u, user: {${user}}}]
`;
}

/** A JWT with these claims, signed by nobody. */
export function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2ln`;
}
