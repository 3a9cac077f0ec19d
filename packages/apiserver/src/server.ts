import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createNamespaceIndex } from './admission/namespace-index.ts';
import { namespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { refuseEscalation } from './authz/escalation.ts';
import { type Authorizer, createAuthorizer } from './authz/rbac.ts';
import type { TokenVerdict } from './authz/reviews.ts';
import { refuseUnknownSigner } from './authz/signers.ts';
import { type Site, standingObjects } from './bootstrap.ts';
import type { BuiltinController } from './builtin/controller.ts';
import { expireEvents } from './builtin/event-expiry.ts';
import { namespaceContentController } from './builtin/namespace-defaults.ts';
import { namespaceLifecycleController } from './builtin/namespace-lifecycle.ts';
import { roleAggregationController } from './builtin/role-aggregation.ts';
import { runControllers } from './builtin/runner.ts';
import { createServicePools } from './builtin/service-pools.ts';
import { standingObjectsController } from './builtin/standing-objects.ts';
import { type Clock, systemClock } from './clock.ts';
import { dataFolder } from './data-files.ts';
import { createDiscovery } from './discovery/discovery.ts';
import { serveDiscovery } from './discovery/serve.ts';
import { changeViews } from './handlers/change-view.ts';
import { createFanOut } from './handlers/fan-out.ts';
import { type HealthCheck, health } from './handlers/health.ts';
import { createListCache } from './handlers/list-cache.ts';
import { negotiate } from './handlers/negotiate.ts';
import type { Exchange } from './handlers/route.ts';
import { methodNotAllowed } from './handlers/unsupported.ts';
import type { ApiRequest, ApiResponse, Handle } from './http/exchange.ts';
import { DEFAULT_NODE_PORTS } from './kinds/core/service-ip.ts';
import type { Admission, Engine, UserInfo } from './objects/engine.ts';
import { createOpenApi } from './openapi/openapi.ts';
import { pipeline } from './pipeline.ts';
import { builtinRegistry } from './resources/builtin-registry.ts';
import type { Registry } from './resources/registry.ts';
import type { ResourceDef } from './resources/resource.ts';
import { serverVersion } from './server-version.ts';
import type { Store, Tenant } from './storage/store.ts';
import type { TokenGrant } from './subresources/token.ts';

/** Everything that knows secrets: keys, certificates, tokens. */
export interface Identity {
  readonly authenticate: (request: ApiRequest, tenant: Tenant) => Promise<UserInfo>;
  readonly signToken: (grant: TokenGrant) => Promise<string>;
  readonly reviewToken: (
    tenant: Tenant,
    token: string,
    audiences: readonly string[],
  ) => Promise<TokenVerdict>;
  readonly audiences: (tenant: Tenant) => readonly string[];
  /** PEM bundle of the CAs that signed the serving certificate. */
  readonly caBundle: (tenant: Tenant) => string;
  /** Key and issuer documents of the tenant; undefined for other paths. */
  readonly openid: (tenant: Tenant, request: ApiRequest) => ApiResponse | undefined;
}

/** How a server is put together. */
export interface ApiServerOptions {
  /** A store whose tenants begin with `baseObjects`. */
  readonly store: Store;
  /** @default the kinds of Kubernetes itself */
  readonly registry?: Registry;
  /** Given once the engine exists, because tokens are checked against stored service accounts. */
  readonly identity: (context: IdentityContext) => Identity;
  /** Tells whom the caller acts as. */
  readonly impersonate: (exchange: Exchange, authorizer: Authorizer) => Promise<UserInfo>;
  readonly limit: (exchange: Exchange, next: () => Promise<ApiResponse>) => Promise<ApiResponse>;
  readonly resolveTenant: (request: ApiRequest) => { tenant: Tenant; request: ApiRequest };
  readonly clock?: Clock;
  /** Built-in controllers to leave out, by name. */
  readonly disabledControllers?: readonly string[];
  /** Where this server stands: its Service network, and the address others reach it at. */
  readonly site: Site;
  readonly report: (error: unknown) => void;
  readonly checks?: readonly HealthCheck[];
  /** Address shown in `/api`. */
  readonly address: () => string;
}

/** What the identity may look up. */
export interface IdentityContext {
  readonly engine: Engine;
  readonly registry: Registry;
}

/** A server without its sockets. */
export interface ApiServer extends AsyncDisposable {
  readonly handle: Handle;
  readonly registry: Registry;
  readonly engine: Engine;
  readonly authorizer: Authorizer;
  /** Starts the built-in controllers on a tenant. */
  readonly adopt: (tenant: Tenant) => void;
  /** Resolves when the built-in controllers have nothing left to do. */
  readonly settled: () => Promise<void>;
  /** Ends all watches in good order, and those that begin later as soon as they have begun. */
  readonly endWatches: () => void;
}

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Five characters that spell no words, as upstream's generateName uses. */
function nameSuffix(): string {
  return Array.from({ length: 5 }, () => SUFFIX_LETTERS[randomInt(SUFFIX_LETTERS.length)]).join('');
}

/** Puts the server together. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { store, report } = options;
  const clock = options.clock ?? systemClock;
  const registry = options.registry ?? builtinRegistry();
  const authorizer = createAuthorizer(store);
  const pools = createServicePools(store, {
    cidr: options.site.serviceCidr,
    nodePorts: DEFAULT_NODE_PORTS,
  });
  const namespaces = createNamespaceIndex(store);
  const engine: Engine = {
    store,
    now: clock.now,
    newUid: randomUUID,
    nameSuffix,
    admit: async (admission: Admission) => {
      // Upstream's order: a missing namespace is told before anything is said about the object.
      namespaceLifecycle(namespaces, admission);
      refuseEscalation(authorizer, admission);
      refuseUnknownSigner(authorizer, admission);
    },
    reserve: pools.reserve,
  };
  const identity = options.identity({ engine, registry });
  const runner = runControllers({
    store,
    clock,
    report,
    controllers: [
      ...builtinControllers(engine, registry, identity),
      standingObjectsController(engine, standingObjects(registry, options.site)),
    ].filter(({ name }) => !(options.disabledControllers ?? []).includes(name)),
  });
  const events = expireEvents({ store, clock, report });
  const lists = createListCache(store);
  const watches = new Set<() => void>();
  let isEnding = false;
  const endWatches = (): void => {
    isEnding = true;
    for (const end of [...watches]) end();
  };
  const reached = revisionWaiter(store, clock);
  const openApi = createOpenApi(`${dataFolder()}/openapi`, clock);
  const discover = serveDiscovery(
    createDiscovery(() => registry.groupVersions),
    options.address,
  );
  const index = pathIndex(registry);
  const healthOf = health([...(options.checks ?? []), ...HEALTH]);

  const handle = pipeline({
    resolveTenant: options.resolveTenant,
    authenticate: identity.authenticate,
    impersonate: (exchange) => options.impersonate(exchange, authorizer),
    authorizer,
    limit: options.limit,
    report,
    route: {
      engine,
      registry,
      authorizer,
      now: clock.now,
      reviewToken: identity.reviewToken,
      list: { engine, reached, cache: lists, report },
      watch: {
        engine,
        clock,
        view: changeViews(),
        fanOut: createFanOut(),
        report,
        random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
        reached,
        onShutdown: (end) => {
          watches.add(end);
          // It was asked for before the end, and began after it.
          if (isEnding) setImmediate(end);
          return () => watches.delete(end);
        },
      },
      token: {
        engine,
        audiences: identity.audiences,
        sign: identity.signToken,
        find: registry.find,
      },
      other: ({ request, tenant }) =>
        healthOf(request) ??
        version(request) ??
        discover(request) ??
        identity.openid(tenant, request) ??
        openApi(request) ??
        index(request),
    },
  });

  return {
    handle,
    registry,
    engine,
    authorizer,
    adopt: (tenant) => {
      runner.adopt(tenant);
      events.adopt(tenant);
    },
    settled: runner.idle,
    endWatches,
    [Symbol.asyncDispose]: async () => {
      endWatches();
      await runner[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      namespaces[Symbol.dispose]();
      pools[Symbol.dispose]();
      lists[Symbol.dispose]();
      authorizer[Symbol.dispose]();
    },
  };
}

const HEALTH: readonly HealthCheck[] = [
  { name: 'ping', on: ['healthz', 'livez', 'readyz'], check: () => undefined },
  // Monitoring asks for the store by upstream's name for it.
  { name: 'etcd', on: ['healthz', 'livez', 'readyz'], check: () => undefined },
];

/** Most documents can only be read; /apis and the health checks do not care how they are asked. */
function onlyGet(request: ApiRequest): void {
  if (request.method !== 'GET') throw methodNotAllowed();
}

/** People read this one with curl, so it is written for them. */
function version(request: ApiRequest): ApiResponse | undefined {
  if (request.path.replace(/\/$/, '') !== '/version') return undefined;
  onlyGet(request);
  negotiate(request.headers['accept'], 'document');
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(serverVersion, null, 2)),
  };
}

/** `/`: the paths there are. */
function pathIndex(registry: Registry) {
  return (request: ApiRequest): ApiResponse | undefined => {
    if (request.path !== '/') return undefined;
    const groups = [...new Set(registry.groupVersions.map(({ group }) => group))].filter(
      (group) => group !== '',
    );
    const versions = registry.groupVersions.filter(({ group }) => group !== '');
    const paths = [
      '/.well-known/openid-configuration',
      '/api',
      '/api/v1',
      '/apis',
      ...groups.map((group) => `/apis/${group}`),
      ...versions.map(({ group, version: each }) => `/apis/${group}/${each}`),
      ...HEALTH_PATHS,
      '/openapi/v2',
      '/openapi/v3',
      '/openid/v1/jwks',
      '/version',
    ];
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ paths: paths.sort() }, null, 2)),
    };
  };
}

const HEALTH_PATHS = ['healthz', 'livez', 'readyz'].flatMap((name) => [
  `/${name}`,
  `/${name}/etcd`,
  `/${name}/ping`,
]);

function builtinControllers(
  engine: Engine,
  registry: Registry,
  identity: Identity,
): BuiltinController[] {
  const namespaces = need(registry, '', 'namespaces');
  const serviceAccounts = need(registry, '', 'serviceaccounts');
  const configMaps = need(registry, '', 'configmaps');
  return [
    namespaceLifecycleController(engine, namespaces, () =>
      registry.stored().filter((def) => def.namespaced && def.verbs.includes('delete')),
    ),
    namespaceContentController(engine, namespaces, {
      controller: 'serviceaccount',
      def: serviceAccounts,
      name: 'default',
      make: () => ({ kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } }),
      isRight: () => true,
    }),
    namespaceContentController(engine, namespaces, {
      controller: 'root-ca-certificate-publisher',
      def: configMaps,
      name: 'kube-root-ca.crt',
      make: (tenant) => ({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: {
          name: 'kube-root-ca.crt',
          annotations: {
            'kubernetes.io/description':
              'The CAs that signed the certificate of this API server, for clients inside the cluster.',
          },
        },
        data: { 'ca.crt': identity.caBundle(tenant) },
      }),
      isRight: (tenant, object) =>
        (object['data'] as Record<string, string> | undefined)?.['ca.crt'] ===
        identity.caBundle(tenant),
    }),
    roleAggregationController(engine, need(registry, 'rbac.authorization.k8s.io', 'clusterroles')),
  ];
}

function need(registry: Registry, group: string, resource: string): ResourceDef {
  const def = registry.find(group, 'v1', resource);
  if (def === undefined) throw new Error(`Cannot start without "${resource}": no such resource`);
  return def;
}

/** Waits for a tenant to reach a revision; the change stream wakes everyone, so nothing polls. */
function revisionWaiter(store: Store, clock: Clock) {
  return (tenant: Tenant, revision: number, withinMs: number): Promise<boolean> => {
    if (store.revision(tenant) >= revision) return Promise.resolve(true);
    return new Promise((resolve) => {
      const finish = (reached: boolean): void => {
        subscription[Symbol.dispose]();
        cancel();
        resolve(reached);
      };
      const subscription = store.changes(() => {
        if (store.revision(tenant) >= revision) finish(true);
      });
      const cancel = clock.after(withinMs, () => finish(false));
    });
  };
}
