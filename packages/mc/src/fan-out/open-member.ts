import { join } from 'node:path';
import { createClient, createDiscovery, createTransport, type Discovery } from '@flotilla/client';
import type { FleetCluster } from '../fleet/cluster.ts';
import type { Route } from '../fleet/route.ts';
import type { Io } from '../io.ts';
import type { Paths, Session } from '../session.ts';
import type { Settings } from '../settings/settings.ts';
import { LOG_REQUESTS, loggedTransport } from './logged-transport.ts';
import type { Member } from './member.ts';
import { retryingTransport } from './retrying-transport.ts';

/** What members are opened with. */
export interface MemberDeps {
  readonly io: Pick<Io, 'clock' | 'random' | 'env'>;
  readonly settings: Pick<Settings, 'execution' | 'discovery' | 'kubectl' | 'verbosity'>;
  readonly paths: Pick<Paths, 'cache'>;
  readonly note: Session['note'];
  readonly warn: Session['warn'];
}

const USER_AGENT = 'kubectl-mc';

/** A member that is ready to be asked; its transport connects with the first request. Throws what the route throws. */
export async function openMember(
  { cluster, route, signal }: { cluster: FleetCluster; route: Route; signal: AbortSignal },
  deps: MemberDeps,
): Promise<Member> {
  const { io, settings, paths } = deps;
  const { execution, kubectl, verbosity, discovery: remembering } = settings;
  const { clock, random, env } = io;
  const opened = await route.open();
  const limits = {
    connectMs: execution.connectTimeoutMs,
    // The cluster's own limit counts, unless one request has one; a timer for each would be one too many.
    totalMs: kubectl.requestTimeoutMs ?? 0,
    retries: execution.retries,
  };
  const create = (access: typeof opened) =>
    createTransport({ access, clock, random, env, limits, userAgent: USER_AGENT });
  const log = { cluster: cluster.name, verbosity, clock, note: deps.note };
  const told =
    verbosity < LOG_REQUESTS
      ? create(opened)
      : loggedTransport({ access: opened, userAgent: USER_AGENT, log }, create);
  const transport = retryingTransport(told, { retries: execution.retries, clock, random, signal });
  let discovery: Discovery | undefined;
  return {
    cluster,
    route,
    transport,
    client: createClient(transport, { clock, onWarning: ({ text }) => deps.warn(text) }),
    // Verbs that ask for pods need none, and its cache has a file name to work out.
    get discovery() {
      if (discovery === undefined) {
        const folder = join(paths.cache, 'discovery');
        const cache = remembering.noCache ? undefined : { folder, server: opened.server };
        discovery = createDiscovery(transport, { clock, cache });
        if (remembering.refresh) discovery.forget();
      }
      return discovery;
    },
    namespace: namespaceOf(cluster, route, kubectl.namespaces),
    signal,
  };
}

function namespaceOf(
  { mapping }: FleetCluster,
  { namespace }: Route,
  [asked]: readonly string[],
): string {
  return asked ?? mapping?.defaultNamespace ?? (namespace === '' ? 'default' : namespace);
}
