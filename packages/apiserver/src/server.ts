import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { createChain } from './admission/chain.ts';
import { extensiblePlugins } from './admission/extensible.ts';
import { createNamespaceIndex } from './admission/namespace-index.ts';
import type { PluginChoice } from './admission/order.ts';
import type { PluginDeps } from './admission/plugin.ts';
import { builtinPlugins } from './admission/plugins/index.ts';
import { refuseUnreadableParams } from './admission/policy/params-access.ts';
import { standardPlugins } from './admission/standard.ts';

import type { LegacySubject } from './authn/legacy-tokens.ts';
import type { RequestedCertificate } from './authn/sign-request.ts';
import { refuseEscalation } from './authz/escalation.ts';
import { type Authorizer, createAuthorizer } from './authz/rbac.ts';
import type { TokenVerdict } from './authz/reviews.ts';
import { type Site, standingObjects } from './bootstrap.ts';
import { builtinControllers } from './builtin/all-controllers.ts';
import { expireEvents } from './builtin/event-expiry.ts';
import { runControllers } from './builtin/runner.ts';
import { createServicePools } from './builtin/service-pools.ts';
import { standingObjectsController } from './builtin/standing-objects.ts';
import { tokenTrackingController } from './builtin/token-tracking.ts';
import { type Clock, systemClock } from './clock.ts';
import { crdControllers, refuseWhileTerminating } from './custom/controllers.ts';
import { conversionWebhook } from './custom/conversion-webhook.ts';
import { createCrdIndex } from './custom/crd-index.ts';
import { createRegistries, type Registries } from './custom/registries.ts';
import { dataFolder } from './data-files.ts';
import { discoveryByTenant } from './discovery/by-tenant.ts';
import { changeViews } from './handlers/change-view.ts';
import { createFanOut } from './handlers/fan-out.ts';
import { type HealthCheck, health } from './handlers/health.ts';
import { createListCache } from './handlers/list-cache.ts';
import { negotiate } from './handlers/negotiate.ts';
import { type Exchange, type RouteDeps, route } from './handlers/route.ts';
import { methodNotAllowed } from './handlers/unsupported.ts';
import type { ApiRequest, ApiResponse, Handle } from './http/exchange.ts';
import type { UpgradeHandle } from './http/h1.ts';
import { DEFAULT_NODE_PORTS } from './kinds/core/service-ip.ts';
import { mountedServicesController } from './mounted/api-services.ts';
import type { Mount } from './mounted/mount.ts';
import { createMounts, type OwnServer } from './mounted/mounts.ts';
import { createMountedDocuments } from './mounted/openapi.ts';
import { ownRequests } from './mounted/own-requests.ts';
import type { Engine, UserInfo } from './objects/engine.ts';
import { customDocuments } from './openapi/custom-documents.ts';
import { createOpenApi } from './openapi/openapi.ts';
import { storedDocuments } from './openapi/stored-documents.ts';
import { pipeline } from './pipeline.ts';
import { builtinRegistry } from './resources/builtin-registry.ts';
import type { Registry } from './resources/registry.ts';
import { serverVersion } from './server-version.ts';
import type { Store, Tenant } from './storage/store.ts';
import { type KubeletOptions, kubeletClient } from './subresources/kubelet-client.ts';
import type { TokenGrant } from './subresources/token.ts';
import { createWebhookClient } from './webhook/client.ts';

/** Everything that knows secrets: keys, certificates, tokens. */
export interface Identity {
  readonly authenticate: (request: ApiRequest, tenant: Tenant) => Promise<UserInfo>;
  readonly signToken: (grant: TokenGrant) => Promise<string>;
  /** Signs a token that lives in a Secret; without it such Secrets stay empty. */
  readonly signLegacyToken?: (tenant: Tenant, subject: LegacySubject) => string;
  readonly reviewToken: (
    tenant: Tenant,
    token: string,
    audiences: readonly string[],
  ) => Promise<TokenVerdict>;
  readonly audiences: (tenant: Tenant) => readonly string[];
  /** PEM bundle of the CAs that signed the serving certificate. */
  readonly caBundle: (tenant: Tenant) => string;
  /** Signs with the tenant's authority for clients; without it certificate requests stay unanswered. */
  readonly certify?: (tenant: Tenant, request: RequestedCertificate) => string;
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
  /** Whether to do what a kube-controller-manager would do as well. @default true */
  readonly doesManagersWork?: boolean;
  /** @default RBAC */
  readonly authorizer?: (store: Store) => Authorizer;
  /** Whether to ask the authorizer about someone without credentials, instead of refusing them. @default false */
  readonly asksForAnonymous?: boolean;
  /** Admission plug-ins to add to the default ones or to leave out, by name. */
  readonly admissionPlugins?: PluginChoice;
  /** Groups that packages serve inside this server. After `isServedFor` of one has changed, `adopt` the tenant again. */
  readonly mounts?: readonly Mount[];
  /** How the server speaks to the kubelets of nodes. */
  readonly kubelet?: KubeletOptions;
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
  /** For clients that ask for another protocol; undefined when no mounted group speaks one. */
  readonly upgrade: UpgradeHandle | undefined;
  /** The kinds of Kubernetes itself. */
  readonly registry: Registry;
  /** What each tenant serves. */
  readonly registries: Registries;
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
  const webhookClient = createWebhookClient({ store, clock });
  const crds = createCrdIndex(store, (tenant, crd) =>
    conversionWebhook({ client: webhookClient, newUid: randomUUID }, tenant, crd),
  );
  const registries = createRegistries(registry, crds);
  const mounts = createMounts(options.mounts ?? [], registries.of);
  const authorizer = (options.authorizer ?? createAuthorizer)(store);
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
    admit: async (admission) => {
      refuseWhileTerminating(admission);
      await chain.mutate(admission);
      // No plug-in, and after all of them: nothing that changes a role may get around it.
      refuseEscalation(authorizer, admission);
    },
    validate: async (admission) => {
      refuseUnreadableParams({ store, authorizer, registryOf: registries.of }, admission);
      await chain.validate(admission);
    },
    reserve: pools.reserve,
  };
  const pluginDeps: PluginDeps = {
    engine,
    authorizer,
    registryOf: registries.of,
    clock,
    report,
  };
  const chain = createChain(
    [
      ...standardPlugins(pluginDeps, namespaces),
      ...builtinPlugins.map((create) => create(pluginDeps)),
      ...extensiblePlugins(pluginDeps, webhookClient),
    ],
    options.admissionPlugins,
  );
  const identity = options.identity({ engine, registry });
  const runner = runControllers({
    store,
    clock,
    report,
    controllers: [
      ...builtinControllers({
        engine,
        registry,
        registryOf: registries.of,
        authorizer,
        identity,
        report,
      }),
      standingObjectsController(engine, standingObjects(registry, options.site)),
      tokenTrackingController(engine, registry),
    ].filter(
      ({ name, yields }) =>
        !(options.disabledControllers ?? []).includes(name) &&
        !(yields && options.doesManagersWork === false),
    ),
  });
  // A queue of their own: whoever waits for a CRD does not wait for the garbage collector.
  const crdRunner = runControllers({
    store,
    clock,
    report,
    controllers: [
      ...crdControllers({ engine, registry, crds }),
      mountedServicesController({ engine, registry, mounts: options.mounts ?? [] }),
    ],
  });
  const events = expireEvents({ store, clock, report });
  const lists = createListCache(store);
  const watches = new Set<() => void>();
  let isEnding = false;
  const stopping = new AbortController();
  // One listener for each stream of a mounted group.
  setMaxListeners(0, stopping.signal);
  const endWatches = (): void => {
    isEnding = true;
    stopping.abort();
    for (const end of [...watches]) end();
  };
  const reached = revisionWaiter(store, clock);
  const openApi = createOpenApi(`${dataFolder()}/openapi`, clock);
  const mountedOpenApi = createMountedDocuments();
  const customOpenApi = customDocuments(crds, storedDocuments(`${dataFolder()}/openapi`));
  const discover = discoveryByTenant({ of: mounts.registryOf }, options.address);
  const healthOf = health([...(options.checks ?? []), ...HEALTH]);

  const itself: OwnServer = {
    ask: ownRequests((exchange) => route(routes, exchange)),
    stopping: stopping.signal,
  };
  const routes: RouteDeps = {
    engine,
    registryOf: mounts.registryOf,
    mounted: (exchange) => mounts.answer(exchange, itself),
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
    kubelets: kubeletClient(options.kubelet ?? {}, clock),
    token: {
      engine,
      audiences: identity.audiences,
      sign: identity.signToken,
      find: registry.find,
    },
    other: ({ request, tenant }) =>
      healthOf(request) ??
      version(request) ??
      discover(tenant, request) ??
      identity.openid(tenant, request) ??
      openApi(request, {
        v2: () => customOpenApi.v2(tenant),
        v3: () => mountedOpenApi(mounts.of(tenant), customOpenApi.v3(tenant)),
      }) ??
      pathIndex(mounts.registryOf(tenant), request),
  };
  const handle = pipeline({
    resolveTenant: options.resolveTenant,
    authenticate: identity.authenticate,
    impersonate: (exchange) => options.impersonate(exchange, authorizer),
    authorizer,
    asksForAnonymous: options.asksForAnonymous ?? false,
    limit: options.limit,
    report,
    route: routes,
  });

  const hasUpgrades = (options.mounts ?? []).some((mount) => mount.upgrade !== undefined);
  return {
    handle,
    upgrade: hasUpgrades ? mounts.upgrade(handle) : undefined,
    registry,
    registries,
    engine,
    authorizer,
    adopt: (tenant) => {
      crdRunner.adopt(tenant);
      runner.adopt(tenant);
      events.adopt(tenant);
    },
    settled: async () => {
      await crdRunner.idle();
      await runner.idle();
    },
    endWatches,
    [Symbol.asyncDispose]: async () => {
      endWatches();
      for (const mount of options.mounts ?? []) mount.close?.();
      await crdRunner[Symbol.asyncDispose]();
      await runner[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      chain[Symbol.dispose]();
      webhookClient[Symbol.dispose]();
      crds[Symbol.dispose]();
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
function pathIndex(registry: Registry, request: ApiRequest): ApiResponse | undefined {
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
}

const HEALTH_PATHS = ['healthz', 'livez', 'readyz'].flatMap((name) => [
  `/${name}`,
  `/${name}/etcd`,
  `/${name}/ping`,
]);

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
