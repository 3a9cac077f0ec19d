import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import {
  type DetailedPeerCertificate,
  rootCertificates,
  TLSSocket,
  connect as tlsConnect,
} from 'node:tls';
import type { Clock } from '@flotilla/machinery';
import type { ServerTls } from '../access.ts';
import { TransportError } from '../transport-error.ts';
import { type AddressCheck, addressRefused, checkedLookup } from './checked-lookup.ts';
import { seconds } from './deadline.ts';
import type { Endpoint } from './endpoint.ts';
import { certificatesOf, type Identity, unusableIdentity } from './identity.ts';
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
    const all = { route, attempt, signal: stages.signal };
    if (isDirect(route)) return await secureDirectly(all);
    const socket = await connectTcp(proxy ?? endpoint, route, stages.signal).catch(
      (error: unknown) => {
        if (stages.signal.aborted) throw error;
        throw proxy === undefined
          ? unreachable(endpoint.url, error)
          : proxyUnreachable(proxy, error);
      },
    );
    return await through(socket, all);
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

/** Whether one socket can do it all, which is the less work: Node lets it check no other address than it dials. */
function isDirect({ endpoint, tls, proxy }: Route): boolean {
  const { serverName = endpoint.host } = tls;
  return (
    proxy === undefined &&
    endpoint.isSecure &&
    (serverName === endpoint.host || isIP(serverName) === 0)
  );
}

async function secureDirectly(stages: Stages): Promise<Socket> {
  const { endpoint, allowsAddress } = stages.route;
  const { signal } = stages;
  let secured: TLSSocket | undefined;
  try {
    secured = secureAs(addressOf(endpoint, allowsAddress), stages);
    await opened(secured, 'connect', signal);
  } catch (error) {
    secured?.destroy();
    if (signal.aborted || error instanceof TransportError) throw error;
    throw unreachable(endpoint.url, error);
  }
  secured.setNoDelay(true);
  secured.setKeepAlive(true, KEEP_ALIVE_MS);
  try {
    return await agreed(secured, stages);
  } catch (error) {
    secured.destroy();
    throw signal.aborted ? signal.reason : error;
  }
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
    if (endpoint.isSecure) inner = await agreed(secureAs({ socket: inner }, stages), stages);
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

/** Waits for the handshake with the server, and looks whose certificate it has. */
async function agreed(secured: TLSSocket, stages: Stages): Promise<TLSSocket> {
  const { endpoint, tls, clock } = stages.route;
  const { identity } = stages.attempt;
  try {
    await opened(secured, 'secureConnect', stages.signal);
    if (tls.insecure !== true) verify(secured);
    return secured;
  } catch (error) {
    identity.session = undefined;
    if (stages.signal.aborted) throw error;
    if (!(error instanceof Mistrust) && !isTlsFault(error)) {
      throw new TransportError(
        'unreachable',
        `Cannot reach "${endpoint.url}": ${stateOf(error)} before TLS was agreed on`,
        { cause: error, wasNotSent: true },
      );
    }
    throw tlsFault(error, {
      url: endpoint.url,
      name: tls.serverName ?? endpoint.host,
      hasClientCertificate: identity.certificate !== undefined,
      now: clock.now(),
      peer: error instanceof Mistrust ? error.peer : undefined,
    });
  }
}

/** A proxy is known by public authorities or by those of the access; it gets no client certificate. */
async function secureProxy(socket: Socket, proxy: ProxyServer, stages: Stages): Promise<TLSSocket> {
  const { tls, clock } = stages.route;
  const ca = tls.ca === undefined ? undefined : [...rootCertificates, ...certificatesOf(tls.ca)];
  const secured = secure(
    { socket },
    {
      name: proxy.host,
      tls: ca === undefined ? {} : { ca },
      protocols: ['http/1.1'],
      session: undefined,
    },
  );
  try {
    await opened(secured, 'secureConnect', stages.signal);
    if (tls.insecure !== true) verify(secured);
    return secured;
  } catch (error) {
    if (stages.signal.aborted) throw error;
    if (!(error instanceof Mistrust) && !isTlsFault(error)) throw proxyUnreachable(proxy, error);
    const { message } = tlsFault(error, {
      url: proxy.url,
      name: proxy.host,
      hasClientCertificate: false,
      now: clock.now(),
      peer: error instanceof Mistrust ? error.peer : undefined,
    });
    throw new TransportError('proxy', `${message} (it is the proxy)`, {
      cause: error,
      wasNotSent: true,
    });
  }
}

/** Begins TLS with the server. */
function secureAs(to: Destination, { route, attempt }: Stages): TLSSocket {
  const { endpoint, tls } = route;
  const { identity, protocols } = attempt;
  const name = tls.serverName ?? endpoint.host;
  let secured: TLSSocket;
  try {
    const { session } = identity;
    secured = secure(to, { name, protocols, tls: identity.nextTls(), session });
  } catch (error) {
    throw unusableIdentity(endpoint.url, error);
  }
  secured.on('session', (ticket) => {
    // Whoever resumes a session is not asked for its name again.
    if (secured.authorized || tls.insecure === true) identity.session = ticket;
  });
  return secured;
}

/** A socket that is connected, or where to. */
type Destination = { readonly socket: Socket } | Address;

interface Securing {
  readonly name: string;
  readonly tls: ReturnType<Identity['nextTls']>;
  readonly protocols: readonly string[];
  readonly session: Buffer | undefined;
}

/** Agrees on TLS with whoever is there; nothing may be sent before `verify`. */
function secure(to: Destination, { name, tls, protocols, session }: Securing): TLSSocket {
  const secured = tlsConnect({
    host: name,
    ...to,
    // An address is no server name in TLS; the certificate is checked against `host`.
    ...(isIP(name) > 0 ? {} : { servername: name }),
    ...tls,
    ALPNProtocols: [...protocols],
    // Node checks the certificate all the same. Did it act on that, the certificate would be gone before it can be named,
    // and reading it every time, for the few times when it is wrong, would cost a tenth of all handshakes.
    rejectUnauthorized: false,
    ...(session === undefined ? {} : { session }),
  });
  // Node reads the whole chain to compare names, which are in its first certificate.
  Object.assign(secured, { getPeerCertificate: () => peerCertificate(secured, false) });
  return secured;
}

/** Its certificate is not to be trusted. */
class Mistrust extends Error {
  readonly code: string;
  readonly peer: DetailedPeerCertificate;

  constructor(code: string, peer: DetailedPeerCertificate) {
    super(code);
    this.code = code;
    this.peer = peer;
  }
}

/** Throws and closes the connection unless Node found its certificate to be of a known authority and for its name. */
function verify(secured: TLSSocket): void {
  if (secured.authorized) return;
  // Declared as an Error, and a code for as long as there has been one.
  const found: unknown = secured.authorizationError;
  const code = typeof found === 'string' ? found : 'CERT_UNTRUSTED';
  const peer = peerCertificate(secured, true) as DetailedPeerCertificate;
  secured.destroy();
  throw new Mistrust(code, peer);
}

function peerCertificate(secured: TLSSocket, isWhole: boolean): object {
  return TLSSocket.prototype.getPeerCertificate.call(secured, isWhole) as object;
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
}

/** Throws for one that may not be dialled; names are looked at when their addresses are known. */
function addressOf(
  { host, port }: Pick<Address, 'host' | 'port'>,
  allowsAddress: AddressCheck | undefined,
): Address {
  if (allowsAddress === undefined) return { host, port };
  if (isIP(host) > 0 && !allowsAddress(host)) throw addressRefused(host);
  return { host, port, lookup: checkedLookup(allowsAddress) };
}

async function connectTcp(
  to: Pick<Address, 'host' | 'port'>,
  { allowsAddress }: Pick<Route, 'allowsAddress'>,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = netConnect({
    ...addressOf(to, allowsAddress),
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
