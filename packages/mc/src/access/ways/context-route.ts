import { createHash } from 'node:crypto';
import { type Access, type Kubeconfig, KubeconfigError, resolveAccess } from '@flotilla/client';
import type { FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import { AccessError } from '../access-error.ts';
import { memberOverrides } from '../member-flags.ts';
import { once } from '../once.ts';
import type { RoutingDeps } from '../routing-deps.ts';
import { canonicalServer } from '../servers.ts';

/** A context that is there, and what the route through it is called. */
export interface ContextChoice {
  readonly kubeconfig: Kubeconfig;
  readonly name: string;
  readonly kind: 'mapping' | 'kubeconfig';
}

/** The route through a context of the user's kubeconfig. Nothing but the entries is looked at before it is opened. */
export function contextRoute(
  cluster: FleetCluster,
  { kubeconfig, name, kind }: ContextChoice,
  deps: RoutingDeps,
): Route {
  const { mapping } = cluster;
  const context = kubeconfig.contexts.get(name);
  const entry = kubeconfig.clusters.get(context?.cluster ?? '');
  const user = kubeconfig.users.get(context?.user ?? '');
  const server = entry?.server ?? '';
  const namespace = mapping?.defaultNamespace ?? context?.namespace ?? 'default';
  const overrides = memberOverrides(deps.settings.kubectl, mapping);
  const serverName = overrides.clusterFields['tls-server-name'] ?? entry?.['tls-server-name'] ?? '';
  const isAnonymous =
    !/^https:/i.test(server) ||
    (overrides.userFields.token === undefined &&
      !CREDENTIAL_FIELDS.some((field) => user?.[field] !== undefined));
  return {
    kind,
    source: `context ${name}`,
    server,
    context: name,
    command: overrides.userFields.token === undefined ? user?.exec?.command : undefined,
    namespace,
    caSource: `context "${name}"${entry?.origin === undefined ? '' : ` of ${entry.origin}`}`,
    identity: `${canonicalServer(server)} ${serverName}`,
    ...(isAnonymous ? { isAnonymous } : {}),
    open: once(async () => {
      const access = await accessOf({ kubeconfig, name, namespace }, overrides, deps);
      checkPin(cluster, access, name);
      return access;
    }),
  };
}

const CREDENTIAL_FIELDS = [
  'token',
  'tokenFile',
  'username',
  'client-certificate',
  'client-certificate-data',
  'exec',
  'auth-provider',
] as const;

async function accessOf(
  choice: { kubeconfig: Kubeconfig; name: string; namespace: string },
  overrides: ReturnType<typeof memberOverrides>,
  { io, credentials, warn }: RoutingDeps,
): Promise<Access> {
  const { kubeconfig, name, namespace } = choice;
  try {
    return await resolveAccess(kubeconfig, {
      context: name,
      namespace,
      ...overrides,
      env: io.env,
      clock: io.clock,
      pool: credentials.pool,
      warn,
    });
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    throw new AccessError(`Cannot use context "${name}": ${error.message}`, { cause: error });
  }
}

/** A pin says which authority the user once saw there; another one may be another cluster. */
function checkPin({ mapping }: FleetCluster, { tls }: Access, context: string): void {
  const wanted = mapping?.caSha256?.toLowerCase().replaceAll(':', '');
  if (wanted === undefined || wanted === '' || tls.insecure === true) return;
  const found = tls.ca === undefined ? 'none' : authorityDigest(tls.ca);
  if (found === wanted) return;
  throw new AccessError(
    `context "${context}" has another certificate authority than the mapping pins with caSha256`,
    { hint: 'run kubectl mc setup if the cluster was given a new one' },
  );
}

/** What `caSha256` of a mapping is: over the certificates themselves, however their PEM is wrapped. */
export function authorityDigest(pem: string): string {
  const digest = createHash('sha256');
  for (const [, body = ''] of pem.matchAll(
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g,
  )) {
    digest.update(Buffer.from(body, 'base64'));
  }
  return digest.digest('hex');
}
