import type { ObjectKey } from '@flotilla/machinery';
import type { CallOptions, Client } from '../client.ts';
import { Pods } from '../kinds.ts';
import type { WireStream } from '../transport.ts';
import { createExchange } from '../verbs/exchange.ts';
import { lineSplitter } from '../verbs/line-splitter.ts';
import { objectPath, withQuery } from '../verbs/paths.ts';

/** Which part of a container's log. */
export interface LogOptions extends CallOptions {
  readonly container?: string;
  /** Goes on with what the container says from now on. @default false */
  readonly follow?: boolean;
  /** The container's last run but one. @default false */
  readonly previous?: boolean;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  /** So many lines of the end. @default all */
  readonly tailLines?: number;
  readonly limitBytes?: number;
  /** Begins each line with its time. @default false */
  readonly timestamps?: boolean;
  /** Has the API server not check the kubelet's certificate. @default false */
  readonly insecureSkipTLSVerifyBackend?: boolean;
  /** Longest silence of a log that is followed. 0 waits for ever. @default 0 */
  readonly idleMs?: number;
}

/** No container runtime writes longer ones in one piece. */
const MAX_LINE_BYTES = 16 << 20;

/** A container's log as it comes; leaving the loop early ends it. */
export async function podLogs(
  { transport }: Pick<Client, 'transport'>,
  key: ObjectKey,
  options: LogOptions = {},
): Promise<WireStream> {
  const { signal, timeoutMs, idleMs, ...which } = options;
  return createExchange(transport, {}).open({
    method: 'GET',
    path: withQuery(objectPath(Pods, { ...key, subresource: 'log' }), { ...which }),
    accept: '*/*',
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    idleMs,
    group: '',
    resource: 'pods',
    name: key.name,
  });
}

/** The same, line by line. */
export async function* podLogLines(
  client: Pick<Client, 'transport'>,
  key: ObjectKey,
  options: LogOptions = {},
): AsyncGenerator<string> {
  const stream = await podLogs(client, key, options);
  const lines = lineSplitter(MAX_LINE_BYTES);
  try {
    for await (const chunk of stream) {
      for (const line of lines.push(chunk)) yield line.toString();
    }
    const rest = lines.rest();
    if (rest.length > 0) yield rest.toString();
  } finally {
    stream.close();
  }
}
