import { isIP } from 'node:net';
import type { ProxyServer } from './proxy-choice.ts';

/** Bytes of a connection, asked for by number. */
export interface ByteReader {
  readonly read: (count: number) => Promise<Buffer>;
  readonly write: (bytes: Buffer) => void;
}

const NO_METHOD = 0xff;
const REPLIES: Readonly<Record<number, string>> = {
  1: 'general failure',
  2: 'its rules do not allow the connection',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'TTL expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/**
 * RFC 1928 and 1929. Names are resolved by the proxy, for socks5 as for socks5h, as Go does it.
 * Returns what the proxy said against it, or undefined when the way is free.
 */
export async function socks5Handshake(
  stream: ByteReader,
  target: { readonly host: string; readonly port: number },
  user: ProxyServer['user'],
): Promise<string | undefined> {
  stream.write(Buffer.from(user === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
  const [version, method] = await stream.read(2);
  if (version !== 5) return 'it does not speak SOCKS 5';
  if (method === NO_METHOD) {
    return user === undefined
      ? 'it wants a user and a password (put them into the proxy URL)'
      : 'it accepts none of our ways to authenticate';
  }
  if (method === 2 && user !== undefined) {
    const name = Buffer.from(user.name);
    const password = Buffer.from(user.password);
    if (name.length === 0 || name.length > 255 || password.length > 255) {
      return 'user and password must have 1 to 255 bytes each';
    }
    stream.write(
      Buffer.concat([
        Buffer.from([1, name.length]),
        name,
        Buffer.from([password.length]),
        password,
      ]),
    );
    const [, verdict] = await stream.read(2);
    if (verdict !== 0) return 'it refused the user and password of the proxy URL';
  } else if (method !== 0) return 'it asks for an authentication that was not offered';

  const address = socksAddress(target.host);
  if (address === undefined) return 'the name of the server is too long for SOCKS';
  const port = Buffer.from([target.port >> 8, target.port & 0xff]);
  stream.write(Buffer.concat([Buffer.from([5, 1, 0]), address, port]));
  const [replyVersion, reply = 1, , kind] = await stream.read(4);
  if (replyVersion !== 5) return 'it does not speak SOCKS 5';
  if (reply !== 0) return REPLIES[reply] ?? `SOCKS error ${reply}`;
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await stream.read(1))[0];
  await stream.read((length ?? 0) + 2);
  return undefined;
}

function socksAddress(host: string): Buffer | undefined {
  const family = isIP(host);
  if (family === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
  if (family === 6) return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)]);
  const name = Buffer.from(host);
  return name.length > 255 ? undefined : Buffer.concat([Buffer.from([3, name.length]), name]);
}

function ipv6Bytes(address: string): Buffer {
  const [plain = ''] = address.split('%');
  // A URL's host has no IPv4 at its end: URL writes it as two groups.
  const [before = '', after] = plain.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const head = groups(before);
  const tail = groups(after ?? '');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const bytes = Buffer.alloc(16);
  [...head, ...Array<string>(zeros).fill('0'), ...tail].forEach((group, index) => {
    bytes.writeUInt16BE(Number.parseInt(group, 16), index * 2);
  });
  return bytes;
}
