import { isIP, connect as netConnect, type Socket } from 'node:net';
import {
  createSecureContext,
  type DetailedPeerCertificate,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import type { Clock } from '@flotilla/machinery';
import type { ServerTls } from '../access.ts';
import { TransportError } from '../transport-error.ts';
import { type AddressCheck, addressRefused, checkedLookup } from './checked-lookup.ts';
import { seconds } from './deadline.ts';
import type { Endpoint } from './endpoint.ts';
import type { Identity } from './identity.ts';
import type { ProxyServer } from './proxy-choice.ts';
import { stateOf, unreachable } from './socket-fault.ts';
import { isTlsFault, tlsFault } from './tls-fault.ts';
import { openTunnel } from './tunnel.ts';

/** Probes of the kernel; libuv sends ten of them, a second apart. */
const KEEP_ALIVE_MS = 15_000;

/** How a transport reaches its server. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly tls: ServerTls;
  readonly proxy: ProxyServer | undefined;
  readonly clock: Clock;
  readonly allowsAddress?: AddressCheck | undefined;
}

/** One attempt to connect. */
export interface Dial {
  readonly identity: Identity;
  readonly protocols: readonly ('h2' | 'http/1.1')[];
  readonly connectMs: number;
  /** Its reason is what is thrown. */
  readonly signal: AbortSignal;
}

/** Makes one connection: TCP, then the proxy's tunnel, then TLS. What fails leaves no socket behind. */
export async function dial(route: Route, attempt: Dial): Promise<Socket> {
  const { endpoint, proxy, clock } = route;
  const stages = new AbortController();
  const abort = () => stages.abort(attempt.signal.reason);
  if (attempt.signal.aborted) throw attempt.signal.reason as Error;
  attempt.signal.addEventListener('abort', abort, { once: true });
  const timer = clock.later(attempt.connectMs, () =>
    stages.abort(
      new TransportError(
        'timeout',
        `Cannot reach "${endpoint.url}": no connection within ${seconds(attempt.connectMs)}; check the address, the network, VPN or proxy`,
        { wasNotSent: true },
      ),
    ),
  );
  try {
    const socket = await connectTcp(proxy ?? endpoint, route, stages.signal).catch(
      (error: unknown) => {
        if (stages.signal.aborted) throw error;
        throw proxy === undefined
          ? unreachable(endpoint.url, error)
          : proxyUnreachable(proxy, error);
      },
    );
    return await through(socket, { route, attempt, signal: stages.signal });
  } finally {
    attempt.signal.removeEventListener('abort', abort);
    timer[Symbol.dispose]();
  }
}

interface Stages {
  readonly route: Route;
  readonly attempt: Dial;
  readonly signal: AbortSignal;
}

async function through(socket: Socket, stages: Stages): Promise<Socket> {
  const { endpoint, proxy } = stages.route;
  let inner = socket;
  try {
    if (proxy?.kind === 'https') inner = await secureProxy(inner, proxy, stages);
    // An HTTP proxy takes requests for plain HTTP as they are.
    if (proxy !== undefined && (endpoint.isSecure || proxy.kind === 'socks5')) {
      await tunnelled(inner, proxy, stages);
    }
    if (endpoint.isSecure) inner = await secureServer(inner, stages);
    return inner;
  } catch (error) {
    inner.destroy();
    socket.destroy();
    throw stages.signal.aborted ? stages.signal.reason : error;
  }
}

async function tunnelled(socket: Socket, proxy: ProxyServer, stages: Stages): Promise<void> {
  const abort = () => socket.destroy();
  stages.signal.addEventListener('abort', abort, { once: true });
  try {
    await openTunnel(socket, proxy, stages.route.endpoint);
  } finally {
    stages.signal.removeEventListener('abort', abort);
  }
}

async function secureServer(socket: Socket, stages: Stages): Promise<TLSSocket> {
  const { endpoint, tls, clock } = stages.route;
  const { identity, protocols } = stages.attempt;
  const name = tls.serverName ?? endpoint.host;
  const secured = secure(socket, {
    name,
    context: identity.context,
    isInsecure: tls.insecure === true,
    protocols,
    session: identity.session,
  });
  secured.socket.on('session', (session) => {
    identity.session = session;
  });
  try {
    await opened(secured.socket, 'secureConnect', stages.signal);
    return secured.socket;
  } catch (error) {
    identity.session = undefined;
    if (stages.signal.aborted) throw error;
    if (!isTlsFault(error)) {
      throw new TransportError(
        'unreachable',
        `Cannot reach "${endpoint.url}": ${stateOf(error)} before TLS was agreed on`,
        { cause: error, wasNotSent: true },
      );
    }
    throw tlsFault(error, {
      url: endpoint.url,
      name,
      hasClientCertificate: identity.certificate !== undefined,
      now: clock.now(),
      peer: secured.peer(),
    });
  }
}

/** A proxy is known by public authorities or by those of the access; it gets no client certificate. */
async function secureProxy(socket: Socket, proxy: ProxyServer, stages: Stages): Promise<TLSSocket> {
  const { tls, clock } = stages.route;
  const ca = tls.ca === undefined ? undefined : [...rootCertificates, tls.ca];
  const secured = secure(socket, {
    name: proxy.host,
    context: createSecureContext(ca === undefined ? {} : { ca }),
    isInsecure: tls.insecure === true,
    protocols: ['http/1.1'],
    session: undefined,
  });
  try {
    await opened(secured.socket, 'secureConnect', stages.signal);
    return secured.socket;
  } catch (error) {
    if (stages.signal.aborted) throw error;
    if (!isTlsFault(error)) throw proxyUnreachable(proxy, error);
    const { message } = tlsFault(error, {
      url: proxy.url,
      name: proxy.host,
      hasClientCertificate: false,
      now: clock.now(),
      peer: secured.peer(),
    });
    throw new TransportError('proxy', `${message} (it is the proxy)`, {
      cause: error,
      wasNotSent: true,
    });
  }
}

interface Securing {
  readonly name: string;
  readonly context: SecureContext;
  readonly isInsecure: boolean;
  readonly protocols: readonly string[];
  readonly session: Buffer | undefined;
}

function secure(
  socket: Socket,
  { name, context, isInsecure, protocols, session }: Securing,
): { socket: TLSSocket; peer: () => DetailedPeerCertificate | undefined } {
  const secured = tlsConnect({
    socket,
    host: name,
    // An address is no server name in TLS; the certificate is checked against `host`.
    ...(isIP(name) > 0 ? {} : { servername: name }),
    secureContext: context,
    ALPNProtocols: [...protocols],
    rejectUnauthorized: !isInsecure,
    ...(session === undefined ? {} : { session }),
  });
  // Node decides, and then the certificate is gone: it is read before, for the text only.
  let peer: DetailedPeerCertificate | undefined;
  secured.prependOnceListener('secure', () => {
    peer = secured.getPeerCertificate(true);
  });
  return { socket: secured, peer: () => peer };
}

async function connectTcp(
  { host, port }: { readonly host: string; readonly port: number },
  { allowsAddress }: Pick<Route, 'allowsAddress'>,
  signal: AbortSignal,
): Promise<Socket> {
  if (allowsAddress !== undefined && isIP(host) > 0 && !allowsAddress(host)) {
    throw addressRefused(host);
  }
  const socket = netConnect({
    host,
    port,
    ...(allowsAddress === undefined ? {} : { lookup: checkedLookup(allowsAddress) }),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  await opened(socket, 'connect', signal);
  return socket;
}

/** Ends at `event`; a socket that fails or whose signal comes first is destroyed. */
function opened(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      socket.off(event, succeed);
      socket.off('error', fail);
      socket.off('close', close);
      signal.removeEventListener('abort', abort);
    };
    const succeed = () => {
      done();
      resolve();
    };
    const fail = (error: unknown) => {
      done();
      socket.destroy();
      reject(error as Error);
    };
    const close = () => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const abort = () => fail(signal.reason);
    // Whoever listens next may miss an error in between; none is worth the process.
    socket.on('error', ignore);
    if (signal.aborted) {
      abort();
      return;
    }
    socket.on(event, succeed);
    socket.on('error', fail);
    socket.on('close', close);
    signal.addEventListener('abort', abort, { once: true });
  });
}

function ignore(): void {}

function proxyUnreachable(proxy: ProxyServer, error: unknown): TransportError {
  return new TransportError('proxy', `Cannot reach the proxy "${proxy.url}": ${stateOf(error)}`, {
    cause: error,
    wasNotSent: true,
  });
}
