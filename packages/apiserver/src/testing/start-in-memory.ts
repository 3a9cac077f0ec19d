import { unauthorized } from '@flotilla/machinery';
import { baseObjects } from '../bootstrap.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type InjectedRequest, type InjectedResponse, inject } from '../http/inject.ts';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import { type ApiServer, type ApiServerOptions, createApiServer } from '../server.ts';
import { type LayeredStore, withBaseLayer } from '../storage/layered.ts';
import { createMemoryStore } from '../storage/memory.ts';
import { ROOT_TENANT } from '../storage/store.ts';

const SITE = { serviceCidr: '10.0.0.0/24', advertised: undefined };

/** What a test sends beside method and path. */
export interface Sent {
  readonly body?: object | string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Who asks. @default the admin, a member of system:masters */
  readonly as?: string;
}

/** A whole server in memory: one tenant, no sockets, anyone may say who they are. */
export interface TestServer extends AsyncDisposable {
  readonly api: ApiServer;
  readonly store: LayeredStore;
  readonly send: (request: string, sent?: Sent) => Promise<InjectedResponse>;
  /** Errors of our own so far; disposing throws the first of them. */
  readonly failures: unknown[];
}

/** Starts one. `send('POST /api/v1/namespaces', {body})` talks to it. */
export async function startInMemory(
  options: {
    clock?: Clock;
    disabledControllers?: readonly string[];
    /** Knows users and signs. @default anyone is who they say */
    identity?: ApiServerOptions['identity'];
    /** What an earlier server left behind. @default an empty one */
    store?: LayeredStore;
    /** Whatever else is to be different. */
    server?: Partial<ApiServerOptions>;
  } = {},
): Promise<TestServer> {
  const clock = options.clock ?? systemClock;
  const registry = builtinRegistry();
  const store =
    options.store ??
    withBaseLayer(
      createMemoryStore({ now: () => clock.now().getTime() }),
      baseObjects(registry, SITE),
    );
  const failures: unknown[] = [];
  const api = createApiServer({
    store,
    registry,
    clock,
    disabledControllers: options.disabledControllers ?? [],
    identity:
      options.identity ??
      (() => ({
        authenticate: async ({ headers }) => {
          const name = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
          if (name === undefined) throw unauthorized('Unauthorized');
          const groups = name === 'admin' ? ['system:masters'] : [];
          return { name, groups: [...groups, 'system:authenticated'] };
        },
        signToken: async () => 'signed',
        reviewToken: async () => ({}),
        audiences: () => ['https://kubernetes.default.svc'],
        caBundle: () => 'the CA',
        openid: () => undefined,
      })),
    impersonate: async ({ user }) => user,
    limit: async (_exchange, next) => next(),
    resolveTenant: (request) => ({ tenant: ROOT_TENANT, request }),
    report: (error) => failures.push(error),
    site: SITE,
    address: () => '127.0.0.1:6443',
    ...options.server,
  });
  await store.createTenant(ROOT_TENANT, {
    uid: '00000000-0000-4000-8000-000000000000',
    createdAt: clock.now().getTime(),
  });
  api.adopt(ROOT_TENANT);
  await api.settled();
  return {
    api,
    store,
    failures,
    send: (request, { body, headers, as = 'admin' } = {}) => {
      const [method = 'GET', path = '/'] = request.split(' ');
      const injected: InjectedRequest = {
        method,
        path,
        headers: { authorization: `Bearer ${as}`, ...headers },
        ...(body === undefined ? {} : { body }),
        clock,
      };
      return inject(api.handle, injected);
    },
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]();
      if (options.store === undefined) await store[Symbol.asyncDispose]();
      // A test that met one of our bugs must not pass.
      if (failures.length > 0) throw failures[0];
    },
  };
}
