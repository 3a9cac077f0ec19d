import { connect, createServer, type Socket } from 'node:net';
import { startRaw } from './raw-server.ts';

/** A proxy on loopback, with what it was asked for. */
export interface TestProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly asked: string[];
}

/** CONNECT and plain forwarding; `authorization` is what it insists on. */
export async function startHttpProxy(
  authorization?: string,
  tls?: Parameters<typeof startRaw>[1],
): Promise<TestProxy> {
  const asked: string[] = [];
  const server = await startRaw((socket, { head }) => {
    const [line = ''] = head.split('\r\n');
    asked.push(line);
    const given = /proxy-authorization: (.*)/i.exec(head)?.[1];
    if (authorization !== undefined && given !== authorization) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const [, host = '', port = ''] =
      /^CONNECT (.*):(\d+) /.exec(line) ?? /\/\/([^/]*):(\d+)\//.exec(line) ?? [];
    const upstream = connect(Number(port), host.replace(/^\[|\]$/g, ''));
    socket.removeAllListeners('data');
    upstream.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    upstream.on('connect', () => {
      if (line.startsWith('CONNECT')) socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      else upstream.write(`${head}\r\n\r\n`);
      join(socket, upstream);
    });
  }, tls);
  return {
    url: server.url,
    port: server.port,
    asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** SOCKS 5; `user` is what it insists on, and `reply` what it says to every request. */
export async function startSocksProxy(
  options: { user?: string; reply?: number } = {},
): Promise<TestProxy> {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    let stage = 'greeting';
    socket.on('data', (bytes) => {
      if (stage === 'greeting') {
        const wants = options.user === undefined ? 0 : 2;
        const offers = [...bytes.subarray(2, 2 + (bytes[1] ?? 0))];
        stage = wants === 0 ? 'request' : 'user';
        socket.write(Buffer.from([5, offers.includes(wants) ? wants : 255]));
      } else if (stage === 'user') {
        const name = bytes.subarray(2, 2 + (bytes[1] ?? 0));
        const password = bytes.subarray(3 + name.length);
        stage = 'request';
        socket.write(Buffer.from([1, `${name}:${password}` === options.user ? 0 : 1]));
      } else {
        const kind = bytes[3];
        const host =
          kind === 3
            ? bytes.subarray(5, 5 + (bytes[4] ?? 0)).toString()
            : [...bytes.subarray(4, 8)].join('.');
        const port = bytes.readUInt16BE(bytes.length - 2);
        asked.push(`${host}:${port}`);
        const reply = Buffer.from([5, options.reply ?? 0, 0, 3, 1, 120, 0, 0]);
        if (options.reply !== undefined) {
          socket.end(reply);
          return;
        }
        socket.removeAllListeners('data');
        const upstream = connect(port, host === 'cluster.test' ? '127.0.0.1' : host, () => {
          socket.write(reply);
          join(socket, upstream);
        });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `socks5://127.0.0.1:${port}`,
    port,
    asked,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(a: Socket, b: Socket): void {
  a.pipe(b);
  b.pipe(a);
  a.on('close', () => b.destroy());
  b.on('close', () => a.destroy());
  b.on('error', () => a.destroy());
}
