import { type Access, type Kubeconfig, loadKubeconfig } from '@flotilla/client';
import { nearNames, suggestion } from '../flags/suggest.ts';
import type { FleetCluster } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import type { InventoryDeps } from './inventory-deps.ts';

/** A server that knows clusters, before anything is read or dialled for it. */
export interface Hub {
  /** Empty when the kubeconfig has no contexts and the surroundings decide. */
  readonly context: string;
  /** For people: `context "prod-hub"`. */
  readonly title: string;
  readonly server: string;
  /** The namespace of the context. */
  readonly namespace: string;
  /** The command that fetches credentials, where one does. */
  readonly command: string | undefined;
  /** Of all that decides what the hub will say: the server, who asks, and for what. */
  readonly key: string;
  readonly access: () => Promise<Access>;
}

/** The hubs of this run, in the order in which their profiles count. */
export async function hubsOf(deps: InventoryDeps): Promise<Hub[]> {
  const { settings, io } = deps;
  const kubeconfig =
    settings.hub.kubeconfig === undefined
      ? await deps.kubeconfig()
      : await loadKubeconfig({
          env: io.env,
          home: io.homeFolder,
          cwd: io.cwd,
          path: settings.hub.kubeconfig,
        });
  const contexts =
    settings.hub.contexts.length > 0
      ? settings.hub.contexts
      : [(await deps.mapping()).hubContext || kubeconfig.currentContext];
  return [...new Set(contexts)].map((context) => hubOf(context, kubeconfig, deps));
}

/** The way to the hub that a cluster is known from, for those that are reached through it. */
export async function hubAccess(
  { profile }: Pick<FleetCluster, 'profile'>,
  deps: InventoryDeps,
): Promise<Access> {
  const hubs = await hubsOf(deps);
  const hub = hubs.find(({ context }) => context === profile?.hub) ?? hubs[0];
  if (hub === undefined) throw new UsageError('Cannot find the hub: there is no context for it');
  return await hub.access();
}

function hubOf(context: string, kubeconfig: Kubeconfig, deps: InventoryDeps): Hub {
  const entry = kubeconfig.contexts.get(context);
  if (context !== '' && entry === undefined) throw missing(context, kubeconfig);
  const user = kubeconfig.users.get(entry?.user ?? '');
  const server = kubeconfig.clusters.get(entry?.cluster ?? '')?.server ?? '';
  const namespace = entry?.namespace ?? 'default';
  const { namespaces } = deps.settings.hub;
  const asker = [entry?.user ?? '', user?.as ?? '', user?.origin ?? ''];
  return {
    context,
    title: context === '' ? 'no context' : `context "${context}"`,
    server,
    namespace,
    command: user?.exec?.command,
    key: keyOf([server, context === '' ? 'none' : '', ...asker, namespace, ...namespaces]),
    access: async () => {
      const { resolveHub } = await import('./resolve-hub.ts');
      return await resolveHub(context, kubeconfig, deps);
    },
  };
}

function missing(context: string, { contexts, files }: Kubeconfig): UsageError {
  const near = nearNames(context, contexts.keys());
  const places = files.map((file) => `"${file}"`).join(', ');
  return new UsageError(`Cannot find hub context "${context}" in ${places}${suggestion(near)}`);
}

/** What answers are kept under. */
export function keyOf(parts: readonly string[]): string {
  return JSON.stringify(parts);
}
