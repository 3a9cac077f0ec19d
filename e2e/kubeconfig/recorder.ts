// A server that answers everything as an API server answers /version, and notes who asked and how; beside it an
// identity provider, a server without TLS and two kinds of proxy. All on loopback.
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CertificatePair } from '../../packages/apiserver/src/authn/certificates.ts';

/** What a request showed of the one who made it. */
export interface Seen {
  readonly path: string;
  readonly isTls: boolean;
  readonly authorization: string | undefined;
  /** Impersonate-* headers, sorted, one line per value. */
  readonly impersonation: readonly string[];
  /** Subject of the client certificate. */
  readonly certificate: string | undefined;
  readonly serverName: string | undefined;
  readonly wantsCompression: boolean;
}

/** What came to a proxy before the request. */
export interface SeenProxy {
  readonly kind: 'connect' | 'socks5';
  readonly target: string;
  readonly authorization: string | undefined;
}

/** Everything that was seen since the last look. */
export interface Sightings {
  readonly requests: Seen[];
  readonly proxies: SeenProxy[];
  /** Forms that came to the token endpoint, with their Authorization header. */
  readonly refreshes: string[];
}

/** The servers, by their addresses. */
export interface Recorder extends AsyncDisposable {
  readonly tlsPort: number;
  readonly plainPort: number;
  readonly proxyPort: number;
  readonly socksPort: number;
  readonly take: () => Sightings;
}

/** Starts the servers; `idToken` is what the identity provider hands out. */
export async function startRecorder(
  pair: CertificatePair,
  { idToken }: { idToken: string },
): Promise<Recorder> {
  let seen: Sightings = { requests: [], proxies: [], refreshes: [] };
  const sockets = new Set<Socket>();
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/idp/') === true) {
      answerAsProvider(request, response, { idToken, refreshes: seen.refreshes });
      return;
    }
    seen.requests.push(sightOf(request));
    json(response, { major: '1', minor: '34', gitVersion: 'v1.34.4' });
  };
  const tls = createHttpsServer(
    {
      cert: pair.certificate,
      key: pair.key,
      requestCert: true,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    },
    answer,
  );
  const plain = createHttpServer(answer);
  const proxy = createHttpServer();
  proxy.on('connect', (request: IncomingMessage, client: Socket) => {
    const authorization = request.headers['proxy-authorization'];
    seen.proxies.push({ kind: 'connect', target: request.url ?? '', authorization });
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    join(client, (request.url ?? '').split(':')[1] ?? '', sockets);
  });
  const socks = createTcpServer((client) => {
    serveSocks(client, (target, port) => {
      seen.proxies.push({ kind: 'socks5', target, authorization: undefined });
      join(client, String(port), sockets);
    });
  });
  const servers = [tls, plain, proxy, socks];
  for (const server of servers) {
    server.on('connection', (socket: Socket) => remember(socket, sockets));
  }
  const [tlsPort = 0, plainPort = 0, proxyPort = 0, socksPort = 0] = await Promise.all(
    servers.map(listen),
  );
  return {
    tlsPort,
    plainPort,
    proxyPort,
    socksPort,
    take: () => {
      const taken = seen;
      seen = { requests: [], proxies: [], refreshes: [] };
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
    },
  };
}

function sightOf(request: IncomingMessage): Seen {
  const socket = request.socket as TLSSocket;
  const isTls = socket.encrypted === true;
  const subject = isTls ? (socket.getPeerCertificate().subject ?? undefined) : undefined;
  const impersonation: string[] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    const name = request.rawHeaders[i]?.toLowerCase() ?? '';
    if (name.startsWith('impersonate-'))
      impersonation.push(`${name}: ${request.rawHeaders[i + 1]}`);
  }
  return {
    path: request.url ?? '',
    isTls,
    authorization: request.headers.authorization,
    impersonation: impersonation.sort(),
    certificate: subject === undefined ? undefined : JSON.stringify(subject),
    serverName: typeof socket.servername === 'string' ? socket.servername : undefined,
    wantsCompression: /gzip/.test(String(request.headers['accept-encoding'] ?? '')),
  };
}

function answerAsProvider(
  request: IncomingMessage,
  response: ServerResponse,
  { idToken, refreshes }: { idToken: string; refreshes: string[] },
): void {
  if (request.url === '/idp/.well-known/openid-configuration') {
    json(response, { token_endpoint: `https://${request.headers.host}/idp/token` });
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    form.sort();
    refreshes.push(`${request.headers.authorization ?? ''} ${form.toString()}`);
    json(response, { access_token: 'a', id_token: idToken, refresh_token: 'rotated' });
  });
}

function json(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

function remember(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  // Clients of a test end as they like.
  socket.on('error', () => undefined);
}

/** Whatever host was asked for, it is one of ours. */
function join(client: Socket, port: string, sockets: Set<Socket>): void {
  const server = connect(Number(port), '127.0.0.1');
  remember(server, sockets);
  server.pipe(client).pipe(server);
}

/** The two questions of SOCKS 5, for clients without a password. */
function serveSocks(client: Socket, connected: (target: string, port: number) => void): void {
  client.once('data', () => {
    client.write(Buffer.from([5, 0]));
    client.once('data', (request: Buffer) => {
      const type = request[3];
      const length = type === 1 ? 4 : type === 4 ? 16 : 1 + (request[4] ?? 0);
      const address = request.subarray(4, 4 + length);
      const host = type === 3 ? address.subarray(1).toString() : [...address].join('.');
      const port = request.readUInt16BE(4 + length);
      client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      connected(`${host}:${port}`, port);
    });
  });
}

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
