import { constants, randomUUID } from 'node:crypto';
import type { AddressInfo, ServerOpts, Socket } from 'node:net';
import {
  createSecureContext,
  createServer,
  type SecureContext,
  type Server,
  type TlsOptions,
} from 'node:tls';
import { type Clock, systemClock } from '../clock.ts';
import type { CallContext, Counts } from './call.ts';
import { Connections } from './connections.ts';
import { Deadlines } from './deadlines.ts';
import { type AskDirectly, createDirect } from './direct.ts';
import type { ApiRequest, Handle } from './exchange.ts';
import { createH1, type UpgradeHandle } from './h1.ts';
import { serveH2 } from './h2.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { isLongRunning } from './long-running.ts';

/** A certificate and its key, PEM; the certificate may be followed by its issuers. */
export interface ServingPair {
  readonly certificate: string;
  readonly key: string;
}

/** What the listener shows to clients, by the host name they ask for. */
export interface ServingCertificates {
  readonly main: ServingPair;
  /** Lower-case host names with a certificate of their own. */
  readonly hosts?: Readonly<Record<string, ServingPair>>;
}

/** What a listener needs to run. */
export interface ListenerOptions {
  readonly handle: Handle;
  readonly certificates: ServingCertificates;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  readonly limits?: Partial<Limits>;
  readonly upgrade?: UpgradeHandle;
  readonly isLongRunning?: (request: ApiRequest) => boolean;
  /** Hears of errors that are our own fault. */
  readonly report: (error: unknown) => void;
  /** @default the machine's */
  readonly clock?: Clock;
  /** @default random UUIDs */
  readonly newAuditId?: () => string;
}

/** How long closing connections may take to say goodbye. */
const LINGER_MS = 1000;

/** How a listener stops. */
export interface DrainOptions {
  /** New connections are still taken for this long, while load balancers notice. @default 0 */
  readonly delayMs?: number;
  /** Requests under way may take this long. @default 30 s */
  readonly graceMs?: number;
}

/** A running listener. */
export interface Listener extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** Aborted when draining starts: whoever serves a watch ends it then, after a bookmark. */
  readonly draining: AbortSignal;
  /** For whoever is in this process: the same answers without a socket. */
  readonly ask: AskDirectly;
  /** What is going on right now. */
  readonly counts: () => Readonly<Counts> & { readonly connections: number };
  /** From the next handshake on, clients see these certificates. */
  readonly setCertificates: (certificates: ServingCertificates) => void;
  /** Stops politely: GOAWAY and `connection: close`, then waits for requests under way, then closes. */
  readonly drain: (options?: DrainOptions) => Promise<void>;
  /** Stops at once. */
  readonly close: () => Promise<void>;
}

/** Opens one TLS port for HTTP/2 and HTTP/1.1. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const clock = options.clock ?? systemClock;
  const host = options.host ?? '127.0.0.1';
  const draining = new AbortController();
  const counts: Counts = { requests: 0, longRunning: 0 };
  let onQuiet: (() => void) | undefined;
  const context: CallContext = {
    handle: options.handle,
    limits,
    deadlines: new Deadlines(clock),
    counts,
    isLongRunning: options.isLongRunning ?? isLongRunning,
    newAuditId: options.newAuditId ?? randomUUID,
    report: options.report,
    isDraining: () => draining.signal.aborted,
    onQuiet: () => onQuiet?.(),
  };

  const connections = new Connections({ clock, limits });
  const direct = createDirect(context);
  const h1 = createH1(context, options.upgrade);
  const sni = new ServerNames(options.certificates);
  const sockets = new Set<Socket>();
  const server = createServer({
    ...tlsOptions(limits),
    ...pem(options.certificates.main),
    SNICallback: (name, done) => done(null, sni.contextFor(name)),
  });
  // Handshakes that never end are no connections yet, but closing waits for them too.
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket) => {
    const connection = connections.admit(socket);
    if (connection === undefined) return;
    socket.on('error', ignore);
    if (socket.alpnProtocol === 'h2') serveH2(connection, context);
    else h1.serve(connection);
    // Its handshake was under way when draining began.
    if (draining.signal.aborted) connection.retire();
  });
  // A failed handshake is the client's affair; without a listener its socket would be left open.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  const port = await bind(server, host, options.port ?? 0);
  server.on('error', options.report);

  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  const close = async (): Promise<void> => {
    draining.abort();
    server.close();
    h1.close();
    direct.close();
    connections.destroyAll();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const drain = async ({ delayMs = 0, graceMs = 30_000 }: DrainOptions = {}): Promise<void> => {
    if (delayMs > 0) await new Promise<void>((resolve) => clock.after(delayMs, resolve));
    server.close();
    draining.abort();
    connections.retireAll();
    await within(graceMs, clock, (resolve) => {
      if (counts.requests === 0) resolve();
      onQuiet = resolve;
    });
    // The last answers may still be on their way through the sockets.
    connections.retireAll();
    await within(LINGER_MS, clock, (resolve) => connections.onEmpty(resolve));
    await close();
  };
  return {
    host,
    port,
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    draining: draining.signal,
    ask: direct.ask,
    counts: () => ({ ...counts, connections: connections.size }),
    setCertificates: (certificates) => {
      server.setSecureContext({ ...tlsOptions(limits), ...pem(certificates.main) });
      sni.replace(certificates);
    },
    drain,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function tlsOptions(limits: Limits): TlsOptions & ServerOpts {
  return {
    ALPNProtocols: ['h2', 'http/1.1'],
    minVersion: 'TLSv1.2',
    // Certificates are asked for and passed on; whether one is any good depends on the tenant.
    requestCert: true,
    rejectUnauthorized: false,
    // Any CA named here would be advertised, and Go clients then keep back certificates of every other
    // one. An empty list advertises none, and spares loading the machine's roots.
    ca: [],
    // A resumed session would come without the client's intermediate certificates.
    secureOptions: constants.SSL_OP_NO_TICKET,
    handshakeTimeout: limits.headerTimeoutMs,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  };
}

/** Waits for `start` to call back, but no longer than `ms`. */
function within(ms: number, clock: Clock, start: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    // Somebody waits for this: a process must not end because the clock's timers keep none alive and the peers are gone.
    const awake = setTimeout(() => {}, ms + 1000);
    const end = (): void => {
      clearTimeout(awake);
      resolve();
    };
    const cancel = clock.after(ms, end);
    start(() => {
      cancel();
      end();
    });
  });
}

function pem({ certificate, key }: ServingPair): { cert: string; key: string } {
  return { cert: certificate, key };
}

/** Certificates by host name, made into TLS contexts when first asked for. */
class ServerNames {
  #pairs: Readonly<Record<string, ServingPair>>;
  readonly #contexts = new Map<string, SecureContext>();

  constructor({ hosts = {} }: ServingCertificates) {
    this.#pairs = hosts;
  }

  replace({ hosts = {} }: ServingCertificates): void {
    this.#pairs = hosts;
    this.#contexts.clear();
  }

  /** Undefined stands for the main certificate. */
  contextFor(name: string): SecureContext | undefined {
    const host = name.toLowerCase();
    const known = this.#contexts.get(host);
    if (known !== undefined) return known;
    const pair = Object.hasOwn(this.#pairs, host) ? this.#pairs[host] : undefined;
    if (pair === undefined) return undefined;
    const made = createSecureContext({
      ...pem(pair),
      ca: [],
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_TICKET,
    });
    this.#contexts.set(host, made);
    return made;
  }
}

const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; stop the other program or choose another port',
  EACCES: 'this user may not open that port; choose one above 1023',
  EADDRNOTAVAIL: 'this machine does not have that address',
};

async function bind(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = LISTEN_PROBLEMS[error.code ?? ''] ?? error.message;
      reject(new Error(`Cannot listen on ${host}:${port}: ${problem}`, { cause: error }));
    });
    server.listen({ host, port, backlog: 1024 }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function ignore(): void {}
