import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { StatusError, toYaml } from '@flotilla/machinery';
import { impersonate } from './authn/impersonate.ts';
import { type CertificateKeeper, keepCertificates, pkiFile } from './authn/keeper.ts';
import { writePrivateFile } from './authn/private-file.ts';
import { ensureTokenFile } from './authn/static-tokens.ts';
import type { Authorizer } from './authz/rbac.ts';
import { baseObjects } from './bootstrap.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Exchange } from './handlers/route.ts';
import { withPath } from './http/derive.ts';
import type { ApiRequest, ApiResponse } from './http/exchange.ts';
import { createInflight } from './http/inflight.ts';
import { type Listener, listen } from './http/listener.ts';
import { isLongRunning } from './http/long-running.ts';
import { rootIdentity } from './identity.ts';
import { builtinRegistry } from './resources/builtin-registry.ts';
import { type ApiServer, createApiServer } from './server.ts';
import { serverVersion } from './server-version.ts';
import { withBaseLayer } from './storage/layered.ts';
import { openLmdbStore } from './storage/lmdb.ts';
import { ROOT_TENANT, type Tenant } from './storage/store.ts';

/** How a server on this machine is to run. */
export interface StartOptions {
  /** Everything the server keeps is below this folder. */
  readonly dataFolder: string;
  /** Where the admin's kubeconfig is written. */
  readonly kubeconfigFile: string;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Address others reach the server at; shown in the Endpoints of default/kubernetes. */
  readonly advertiseAddress?: string;
  /** @default '10.0.0.0/16' */
  readonly serviceCidr?: string;
  /** Built-in controllers to leave out, by name. */
  readonly disabledControllers?: readonly string[];
  /** One line a happening that whoever runs the server may want to know of. */
  readonly log: (line: string) => void;
  /** How long a server that stops says so at /readyz before it takes no more connections. @default 0 */
  readonly shutdownDelayMs?: number;
  readonly clock?: Clock;
}

/** A server on its sockets. */
export interface RunningServer {
  readonly url: string;
  readonly version: string;
  readonly readyMs: number;
  /** Says not ready, finishes what is under way, ends watches after a bookmark, then closes everything. */
  readonly stop: () => Promise<void>;
}

/** Roomier than kube-apiserver's default of 254 Services. */
const SERVICE_CIDR = '10.0.0.0/16';

/** Opens the data, starts the server, and writes the kubeconfig that leads to it. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { dataFolder, log } = options;
  const clock = options.clock ?? systemClock;
  const begun = clock.now().getTime();
  const report = (error: unknown): void =>
    log(`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const serviceCidr = options.serviceCidr ?? SERVICE_CIDR;
  const registry = builtinRegistry();
  // First of all: it is the lock on the folder, and nothing may be written without it.
  const disk = await openLmdbStore({
    dir: join(dataFolder, 'store'),
    now: () => clock.now().getTime(),
  });
  const closing: (() => unknown)[] = [() => disk[Symbol.asyncDispose]()];
  try {
    const certificates = keepCertificates({
      tenant: ROOT_TENANT,
      storage: pkiFile(dataFolder),
      clock,
      extraHosts: extraHosts(options),
      report,
    });
    closing.push(() => certificates[Symbol.dispose]());
    const adminToken = ensureTokenFile(join(dataFolder, 'admin.token'));
    const state: { stopping: boolean; listener?: Listener; api?: ApiServer } = { stopping: false };
    const listener = await listen({
      // Ports are taken before the data is served, because the base objects name the port.
      handle: (request) => (state.api === undefined ? notYet() : state.api.handle(request)),
      certificates: { main: servingPair(certificates) },
      ...(options.host === undefined ? {} : { host: options.host }),
      port: options.port,
      report,
      clock,
    });
    closing.push(() => listener.close());
    const advertised =
      options.advertiseAddress === undefined
        ? undefined
        : { address: options.advertiseAddress, port: listener.port };
    const site = { serviceCidr, advertised };
    const store = withBaseLayer(disk, baseObjects(registry, site));
    await store.createTenant(ROOT_TENANT, { uid: randomUUID(), createdAt: begun });
    const api = createApiServer({
      store,
      registry,
      clock,
      site,
      report,
      identity: (context) =>
        rootIdentity(
          {
            folder: dataFolder,
            adminToken,
            certificates,
            clock,
            newId: randomUUID,
            url: () => listener.url,
            onRejected: (reason) => log(`rejected a credential: ${reason.message}`),
          },
          context,
        ),
      impersonate: actAs,
      limit: limiter(),
      resolveTenant,
      ...(options.disabledControllers === undefined
        ? {}
        : { disabledControllers: options.disabledControllers }),
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

    const writeKubeconfig = (): void =>
      writePrivateFile(
        options.kubeconfigFile,
        kubeconfig({ url: listener.url, ca: certificates.bundle(), token: adminToken }),
      );
    writeKubeconfig();
    certificates.onChange(() => {
      listener.setCertificates({ main: servingPair(certificates) });
      log('renewed certificates');
      // The bundle of CAs may have changed, and every namespace and kubeconfig carries it.
      api.adopt(ROOT_TENANT);
      // Last: the file may have become unwritable, which is nobody else's trouble.
      writeKubeconfig();
    });
    return {
      url: listener.url,
      version: serverVersion.gitVersion,
      readyMs: clock.now().getTime() - begun,
      stop: async () => {
        state.stopping = true;
        await listener.drain({ delayMs: options.shutdownDelayMs ?? 0 });
        for (const close of closing.reverse()) await close();
      },
    };
  } catch (error) {
    for (const close of closing.reverse()) await close();
    throw error;
  }
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

function servingPair(certificates: CertificateKeeper): { certificate: string; key: string } {
  const { certificate, key } = certificates.serving();
  return { certificate, key };
}

function extraHosts({ host, advertiseAddress }: StartOptions): string[] {
  return [host, advertiseAddress].filter(
    (each): each is string =>
      each !== undefined && each !== '' && each !== '0.0.0.0' && each !== '::',
  );
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

function kubeconfig({ url, ca, token }: { url: string; ca: string; token: string }): string {
  const { hostname, port } = new URL(url);
  // Wildcard addresses are where we listen, not where anyone connects to.
  const host = hostname === '0.0.0.0' || hostname === '[::]' ? '127.0.0.1' : hostname;
  const name = 'flotilla';
  return toYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: {
          server: `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'flotilla-admin', user: { token } }],
    contexts: [{ name, context: { cluster: name, user: 'flotilla-admin' } }],
    'current-context': name,
  });
}
