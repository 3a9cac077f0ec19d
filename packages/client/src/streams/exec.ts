import { type Clock, type ObjectKey, systemClock } from '@flotilla/machinery';
import type { CallOptions, Client } from '../client.ts';
import { Pods } from '../kinds.ts';
import { objectPath, type Query, withQuery } from '../verbs/paths.ts';
import { openRemoteProcess, type RemoteProcess } from './remote-process.ts';

/** Which streams of a process are connected. */
export interface AttachOptions extends CallOptions {
  /** @default the pod's only one, or the one its annotation names */
  readonly container?: string;
  /** @default false */
  readonly stdin?: boolean;
  /** @default true */
  readonly stdout?: boolean;
  /** A terminal has one output only. @default true, without a terminal */
  readonly stderr?: boolean;
  /** @default false */
  readonly tty?: boolean;
  /** Beats time for the pings that keep the connection. @default the machine's */
  readonly clock?: Clock;
}

/** What to run, and which of its streams are connected. */
export interface ExecOptions extends AttachOptions {
  readonly command: readonly string[];
}

/**
 * Runs a command in a container.
 *
 * @example
 * const remote = await execInPod(client, key, { command: ['ls', '/'] });
 * for await (const chunk of remote.stdout) out(chunk);
 * const code = await remote.exit;
 */
export async function execInPod(
  client: Pick<Client, 'transport'>,
  key: ObjectKey,
  { command, ...options }: ExecOptions,
): Promise<RemoteProcess> {
  return open(client, key, { ...options, subresource: 'exec', query: { command } });
}

/** Connects to the process that a container runs already. */
export async function attachToPod(
  client: Pick<Client, 'transport'>,
  key: ObjectKey,
  options: AttachOptions = {},
): Promise<RemoteProcess> {
  return open(client, key, { ...options, subresource: 'attach', query: {} });
}

async function open(
  { transport }: Pick<Client, 'transport'>,
  key: ObjectKey,
  options: AttachOptions & { readonly subresource: string; readonly query: Query },
): Promise<RemoteProcess> {
  const { stdin = false, stdout = true, tty = false, stderr = !tty } = options;
  const { signal, timeoutMs, container, subresource } = options;
  const path = withQuery(objectPath(Pods, { ...key, subresource }), {
    ...options.query,
    container,
    stdin,
    stdout,
    stderr,
    tty,
  });
  return openRemoteProcess(transport, {
    path,
    subject: { method: 'GET', group: '', resource: 'pods', name: key.name },
    clock: options.clock ?? systemClock,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}
