import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { MEMBER_CERT, MEMBER_KEY } from '../../../testing/certificates.ts';

/** One line as a container runtime stores it. */
export interface StoredLine {
  /** RFC 3339 with nanoseconds. */
  readonly time: string;
  readonly text: string | Buffer;
  /** False for a last line that has no newline. @default true */
  readonly hasEnd?: boolean;
}

/** The log of one run of a container. */
export interface TestLog {
  /** Adds lines, which whoever follows is told. */
  readonly write: (...lines: readonly StoredLine[]) => void;
  /** Sends the beginning of a line that is written later to whoever follows. */
  readonly begin: (line: StoredLine, bytes: number) => void;
  /** The container has ended: whoever follows has all there is. */
  readonly end: () => void;
}

/** A kubelet as far as logs go: it sends nothing, not even a status, before there is a line. */
export interface TestKubelet extends AsyncDisposable {
  readonly port: number;
  /** `/containerLogs/NAMESPACE/POD/CONTAINER?…`, in the order they came. */
  readonly asked: string[];
  /** The log of a container, made when it is first asked for; `previous` is that of its run before. */
  readonly log: (pod: string, container?: string, previous?: boolean) => TestLog;
  /** Answers that are being followed. */
  readonly following: () => number;
  /** Breaks all connections off, in the middle of whatever they carry. */
  readonly cut: () => void;
  /** From now on requests are refused with this text; undefined has them answered again. */
  readonly refuseWith: (refusal: { code: number; text: string } | undefined) => void;
}

class Log implements TestLog {
  readonly lines: StoredLine[] = [];
  readonly followers = new Set<(lines: readonly StoredLine[]) => void>();
  readonly enders = new Set<() => void>();
  isEnded = false;

  readonly write = (...lines: readonly StoredLine[]): void => {
    this.lines.push(...lines);
    for (const tell of this.followers) tell(lines);
  };

  readonly begin = (line: StoredLine, bytes: number): void => {
    const text = Buffer.from(line.text).subarray(0, bytes);
    for (const tell of this.followers) tell([{ ...line, text, hasEnd: false }]);
  };

  readonly end = (): void => {
    this.isEnded = true;
    for (const end of this.enders) end();
  };
}

/** Starts one on loopback. */
export async function startTestKubelet(): Promise<TestKubelet> {
  const logs = new Map<string, Log>();
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let refusal: { code: number; text: string } | undefined;
  const logOf = (key: string): Log => {
    const log = logs.get(key) ?? new Log();
    logs.set(key, log);
    return log;
  };
  const server: Server = createServer(
    { cert: MEMBER_CERT, key: MEMBER_KEY },
    (request: IncomingMessage, response: ServerResponse) => {
      asked.push(request.url ?? '');
      if (refusal !== undefined) {
        response.writeHead(refusal.code, { 'content-type': 'text/plain' }).end(refusal.text);
        return;
      }
      const url = new URL(request.url ?? '/', 'https://kubelet');
      const [, , , pod = '', container = ''] = url.pathname.split('/');
      const isPrevious = url.searchParams.get('previous') === 'true';
      answer(logOf(`${pod}/${container}/${isPrevious}`), url.searchParams, response);
    },
  );
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    log: (pod, container = 'main', previous = false) => logOf(`${pod}/${container}/${previous}`),
    following: () => [...logs.values()].reduce((sum, { followers }) => sum + followers.size, 0),
    cut,
    refuseWith: (given) => {
      refusal = given;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(log: Log, query: URLSearchParams, response: ServerResponse): void {
  const hasTimes = query.get('timestamps') === 'true';
  const bytesOf = ({ time, text, hasEnd = true }: StoredLine) =>
    Buffer.concat([
      Buffer.from(hasTimes ? `${time} ` : ''),
      Buffer.from(text),
      Buffer.from(hasEnd ? '\n' : ''),
    ]);
  const isSince = sinceFilter(query);
  const lines = log.lines.filter(isSince);
  const tail = query.get('tailLines');
  const shown = tail === null ? lines : lines.slice(Math.max(0, lines.length - Number(tail)));
  const limit = query.get('limitBytes');
  const all = Buffer.concat(shown.map(bytesOf));
  const first = limit === null ? all : all.subarray(0, Number(limit));
  const isFollowed = query.get('follow') === 'true' && !log.isEnded;
  if (first.length > 0 || !isFollowed) response.write(first);
  if (!isFollowed) {
    response.end();
    return;
  }
  const tell = (more: readonly StoredLine[]) => {
    response.write(Buffer.concat(more.filter(isSince).map(bytesOf)));
  };
  const end = () => response.end();
  log.followers.add(tell);
  log.enders.add(end);
  response.once('close', () => {
    log.followers.delete(tell);
    log.enders.delete(end);
  });
}

function sinceFilter(query: URLSearchParams): (line: StoredLine) => boolean {
  const seconds = query.get('sinceSeconds');
  const time = query.get('sinceTime');
  if (seconds === null && time === null) return () => true;
  const from =
    time === null
      ? performance.timeOrigin + performance.now() - Number(seconds) * 1_000
      : Date.parse(time);
  return (line) => Date.parse(line.time) >= from;
}
