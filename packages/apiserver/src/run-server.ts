import { randomUUID } from 'node:crypto';
import { StatusError } from '@flotilla/machinery';
import { impersonate } from './authn/impersonate.ts';
import type { Authorizer } from './authz/rbac.ts';
import { baseObjects } from './bootstrap.ts';
import type { Clock } from './clock.ts';
import type { Exchange } from './handlers/route.ts';
import { withPath } from './http/derive.ts';
import type { ApiRequest, ApiResponse, Around, Handle } from './http/exchange.ts';
import { createInflight } from './http/inflight.ts';
import { type Listener, listen, type ServingCertificates } from './http/listener.ts';
import { isLongRunning } from './http/long-running.ts';
import { builtinRegistry } from './resources/builtin-registry.ts';
import {
  type ApiServer,
  type ApiServerOptions,
  createApiServer,
  type Identity,
  type IdentityContext,
} from './server.ts';
import { withBaseLayer } from './storage/layered.ts';
import { ROOT_TENANT, type Store, type Tenant } from './storage/store.ts';

/** What a server on sockets is made from. */
export interface RunOptions {
  /** Holds what was written; the objects every control plane begins with are put below it. */
  readonly store: Store;
  readonly certificates: ServingCertificates;
  readonly identity: (context: IdentityContext, listener: Listener) => Identity;
  readonly host: string | undefined;
  readonly port: number;
  readonly advertiseAddress: string | undefined;
  readonly serviceCidr: string;
  /** What differs from a server as we would run it. */
  readonly server: ServerChoices;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
  /** Sees every request first, refused ones included. @default nobody */
  readonly around?: Around;
}

/** The parts of a server that whoever starts it may choose. */
export type ServerChoices = Pick<
  ApiServerOptions,
  | 'disabledControllers'
  | 'doesManagersWork'
  | 'authorizer'
  | 'asksForAnonymous'
  | 'admissionPlugins'
  | 'kubelet'
  | 'mounts'
>;

/** How a server is asked to stop. */
export interface StopOptions {
  /** How long it says so at /readyz before it takes no more connections. */
  readonly delayMs: number;
  /** How long requests under way may take. @default 30 s */
  readonly graceMs?: number;
}

/** A server with its sockets; the store stays the caller's to close. */
export interface Running {
  readonly listener: Listener;
  readonly api: ApiServer;
  readonly stop: (options: StopOptions) => Promise<void>;
}

/** Opens the port, puts the server together behind it, and starts its one control plane. */
export async function runServer(options: RunOptions): Promise<Running> {
  const { clock, report, serviceCidr } = options;
  const state: { stopping: boolean; api?: ApiServer } = { stopping: false };
  // Ports are taken before the data is served, because the base objects name the port.
  const serve: Handle = (request) =>
    state.api === undefined ? notYet() : state.api.handle(request);
  const { around } = options;
  const listener = await listen({
    handle: around === undefined ? serve : (request) => around(request, serve),
    certificates: options.certificates,
    ...(speaksOtherProtocols(options)
      ? { upgrade: async (...asked) => state.api?.upgrade?.(...asked) ?? notYet() }
      : {}),
    ...(options.host === undefined ? {} : { host: options.host }),
    port: options.port,
    report,
    clock,
  });
  const closing: (() => unknown)[] = [() => listener.close()];
  const close = async (): Promise<void> => {
    for (const each of closing.reverse()) await each();
  };
  try {
    const registry = builtinRegistry();
    const advertised =
      options.advertiseAddress === undefined
        ? undefined
        : { address: options.advertiseAddress, port: listener.port };
    const site = { serviceCidr, advertised };
    const store = withBaseLayer(options.store, baseObjects(registry, site));
    await store.createTenant(ROOT_TENANT, {
      uid: randomUUID(),
      createdAt: clock.now().getTime(),
    });
    const api = createApiServer({
      ...options.server,
      store,
      registry,
      clock,
      site,
      report,
      identity: (context) => options.identity(context, listener),
      impersonate: actAs,
      limit: limiter(),
      resolveTenant,
      checks: [
        {
          name: 'shutdown',
          on: ['readyz'],
          check: () => (state.stopping ? 'the server is stopping' : undefined),
        },
      ],
      address: () => `${listener.host}:${listener.port}`,
    });
    closing.push(() => api[Symbol.asyncDispose]());
    // In the turn the GOAWAYs go out: ended earlier, a client would watch again on the same connection.
    listener.draining.addEventListener('abort', () => api.endWatches(), { once: true });
    api.adopt(ROOT_TENANT);
    state.api = api;
    return {
      listener,
      api,
      stop: async (how) => {
        state.stopping = true;
        await listener.drain(how);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function speaksOtherProtocols({ server }: RunOptions): boolean {
  return (server.mounts ?? []).some(({ upgrade }) => upgrade !== undefined);
}

async function notYet(): Promise<ApiResponse> {
  const error = new StatusError(503, 'ServiceUnavailable', 'the server is starting', {
    retryAfterSeconds: 1,
  });
  return {
    status: 503,
    headers: { 'content-type': 'application/json', 'retry-after': '1' },
    body: Buffer.from(JSON.stringify(error.toStatus())),
  };
}

const TENANT_PATH = /^\/clusters\/([^/]+)\/control-plane(?=\/|$)/;

/** There is one control plane so far; it answers at the root and under its own path. */
function resolveTenant(request: ApiRequest): { tenant: Tenant; request: ApiRequest } {
  const match = TENANT_PATH.exec(request.path);
  if (match === null) return { tenant: ROOT_TENANT, request };
  if (match[1] !== ROOT_TENANT) {
    throw new StatusError(404, 'NotFound', `Cannot find control plane "${match[1] ?? ''}"`);
  }
  const rest = request.path.slice(match[0].length);
  return { tenant: ROOT_TENANT, request: withPath(request, rest === '' ? '/' : rest) };
}

async function actAs({ request, user, tenant }: Exchange, authorizer: Authorizer) {
  const acting = await impersonate(request, user, async (asked) =>
    authorizer.decide(tenant, { ...asked, isResource: true, path: '' }),
  );
  return acting.user;
}

/** Upstream's caps, per tenant; administrators always get through, so that they can repair things. */
function limiter() {
  const inflight = createInflight();
  return async (
    { request, tenant, user }: Exchange,
    next: () => Promise<ApiResponse>,
  ): Promise<ApiResponse> => {
    if (isLongRunning(request)) return next();
    const leave = inflight.enter(tenant, request.method !== 'GET' && request.method !== 'HEAD');
    if (leave === undefined) {
      if (user.groups.includes('system:masters')) return next();
      throw new StatusError(429, 'TooManyRequests', 'Too many requests, please try again later.', {
        retryAfterSeconds: 1,
      });
    }
    try {
      return await next();
    } finally {
      leave();
    }
  };
}
