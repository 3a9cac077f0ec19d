import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@flotilla/machinery';
import type { ContainerStatus, Pod } from '../kinds.ts';
import { formatLines, isWriting, type LogQuery, logLines, readLogQuery } from './logs.ts';
import { servingCertificate } from './serving-certificate.ts';

/** What a kubelet's port needs to answer. */
export interface KubeletServerOptions {
  readonly host: string;
  readonly clock: Clock;
  readonly findPod: (key: { namespace: string; name: string }) => Pod | undefined;
}

/** The HTTPS port of a simulator's kubelets: one for all of its nodes. */
export interface KubeletServer extends AsyncDisposable {
  readonly port: number;
}

const LOGS = /^\/containerLogs\/([^/]+)\/([^/]+)\/([^/]+)$/;
const INTO_PODS = /^\/(exec|attach|portForward|run|cri)\//;
/** How often a log that is followed is looked at. */
const FOLLOW_MS = 1000;
const REQUEST_MS = 10_000;

/** Starts to answer on a free port; whatever is under way ends when it is disposed of. */
export async function startKubeletServer(options: KubeletServerOptions): Promise<KubeletServer> {
  const { host, clock } = options;
  const stop = new AbortController();
  const server = createServer(
    {
      ...servingCertificate(host, clock.now()),
      minVersion: 'TLSv1.2',
      requestTimeout: REQUEST_MS,
      headersTimeout: REQUEST_MS,
    },
    (request, response) => {
      answer(options, { request, response, stop: stop.signal }).catch(() => response.destroy());
    },
  );
  // What it serves is made up; still, nobody should be able to fill the process with connections.
  server.maxConnections = 200;
  server.on('upgrade', (_request, socket) => {
    socket.end(
      `HTTP/1.1 501 Not Implemented\r\ncontent-length: ${NOTHING_RUNS.length}\r\n\r\n${NOTHING_RUNS}`,
    );
  });
  server.listen(0, host);
  await once(server, 'listening');
  // A simulator keeps no process alive by itself.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const NOTHING_RUNS = 'Cannot reach into a simulated pod: nothing runs there\n';

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly stop: AbortSignal;
}

async function answer(options: KubeletServerOptions, asked: Asked): Promise<void> {
  const { request, response } = asked;
  const url = new URL(request.url ?? '/', 'https://kubelet');
  if (url.pathname === '/healthz') return send(response, 200, 'ok');
  if (INTO_PODS.test(url.pathname)) return send(response, 501, NOTHING_RUNS);
  const match = LOGS.exec(url.pathname);
  if (match === null) return send(response, 404, '404 page not found\n');
  if (request.method !== 'GET') return send(response, 405, 'Only GET is answered here\n');
  const [namespace = '', name = '', container = ''] = match.slice(1).map(decode);
  const look = (): { pod: Pod; status: ContainerStatus | undefined } | undefined => {
    const pod = options.findPod({ namespace, name });
    return pod && { pod, status: statusOf(pod, container) };
  };
  const seen = look();
  if (seen === undefined) return send(response, 404, `pod "${name}" not found\n`);
  const query = readLogQuery(url.searchParams, options.clock.now());
  const { pod, status } = seen;
  if (status === undefined) {
    return send(response, 400, `container "${container}" in pod "${name}" is not available`);
  }
  const nowMs = options.clock.now();
  const lines = logLines(pod, status, { isPrevious: query.isPrevious, nowMs });
  if (lines === undefined) {
    const reason = status.state?.waiting?.reason ?? 'ContainerCreating';
    const problem = query.isPrevious
      ? `previous terminated container "${container}" in pod "${name}" not found`
      : `container "${container}" in pod "${name}" is waiting to start: ${reason}`;
    return send(response, 400, problem);
  }
  response.writeHead(200, { 'content-type': 'text/plain' });
  response.write(formatLines(lines, query));
  if (query.isFollowed && !query.isPrevious && isWriting(status)) {
    await follow(options, { ...asked, query, look, shown: nowMs });
  }
  response.end();
}

interface Followed extends Asked {
  readonly query: LogQuery;
  readonly look: () => { pod: Pod; status: ContainerStatus | undefined } | undefined;
  readonly shown: number;
}

/** Writes what comes until the container ends, the reader goes or the simulator does. */
async function follow({ clock }: KubeletServerOptions, followed: Followed): Promise<void> {
  const { response, stop, query, look } = followed;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const signal = AbortSignal.any([stop, gone.signal]);
  let { shown } = followed;
  while (!signal.aborted) {
    await clock.wait(FOLLOW_MS, signal).catch(() => {});
    const seen = look();
    if (signal.aborted || seen?.status === undefined) return;
    const nowMs = clock.now();
    const lines = logLines(seen.pod, seen.status, { isPrevious: false, nowMs }) ?? [];
    const fresh = lines.filter(({ atMs, isLast }) => isLast || (atMs > shown && atMs <= nowMs));
    const text = formatLines(fresh, { ...query, tailLines: undefined, sinceMs: undefined });
    if (text !== '' && !response.write(text)) {
      // Whoever does not read gets no more until they do.
      await once(response, 'drain', { signal }).catch(() => {});
    }
    shown = nowMs;
    if (!isWriting(seen.status)) return;
  }
}

function statusOf({ status }: Pod, container: string): ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    ({ name }) => name === container,
  );
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(text);
}
