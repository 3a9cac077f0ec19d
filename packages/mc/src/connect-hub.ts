import { type Access, createTransport, type Transport } from '@flotilla/client';
import { LOG_REQUESTS, loggedTransport } from './fan-out/logged-transport.ts';
import type { Session } from './session.ts';

const USER_AGENT = 'kubectl-mc';

/** Requests to the hub obey the limits of clusters and are told like theirs. */
export function connectHub(
  access: Access,
  { io, settings, note }: Pick<Session, 'io' | 'settings' | 'note'>,
): Transport {
  const { clock, random, env } = io;
  const { execution, verbosity, kubectl } = settings;
  const limits = {
    connectMs: execution.connectTimeoutMs,
    totalMs: kubectl.requestTimeoutMs ?? execution.timeoutMs,
    retries: execution.retries,
  };
  const create = (each: Access): Transport =>
    createTransport({ access: each, clock, random, env, limits, userAgent: USER_AGENT });
  if (verbosity < LOG_REQUESTS) return create(access);
  const log = { cluster: 'hub', verbosity, clock, note };
  return loggedTransport({ access, userAgent: USER_AGENT, log }, create);
}
