import type { Kubeconfig } from '@flotilla/client';
import { leadsBackToUs, matchWay } from '../../../access/ways/match-way.ts';
import { readMapping } from '../../../settings/mapping-file.ts';
import { acceptContexts, type Candidate } from '../accept-contexts.ts';
import { contextByName, type Place } from '../context-names.ts';
import { detectProvider } from '../providers/detect-provider.ts';
import { readMetadata } from '../providers/read-metadata.ts';
import type { OpenCluster, SetupRun } from '../setup-run.ts';

/**
 * Maps clusters to contexts that lead to the server of their profile by the same authority, and else to those that are
 * named after them. A context that belongs to one cluster is not given to another by its name.
 */
export async function matchContexts(
  open: readonly OpenCluster[],
  run: SetupRun,
): Promise<OpenCluster[]> {
  if (open.length === 0) return [];
  const match = matchWay(run.routing);
  const byServer: Candidate[] = [];
  const unmatched: OpenCluster[] = [];
  for (const each of open) {
    const found = await match(each.cluster);
    const context = found !== undefined && 'route' in found ? found.route.context : undefined;
    if (context === undefined) unmatched.push(each);
    else byServer.push({ open: each, context, how: 'same server' });
  }
  const left = [...unmatched, ...(await acceptContexts(byServer, run))];

  const free = await freeContexts(run);
  const byName: Candidate[] = [];
  const unnamed: OpenCluster[] = [];
  for (const each of left) {
    const context = contextByName(each.cluster, [...free], placeOf(each));
    if (context === undefined) unnamed.push(each);
    else {
      free.delete(context);
      byName.push({ open: each, context, how: 'by its name' });
    }
  }
  return [...unnamed, ...(await acceptContexts(byName, run))];
}

/** Contexts that no cluster has, and that do not lead back to us. */
async function freeContexts(run: SetupRun): Promise<Set<string>> {
  const kubeconfig = await run.routing.kubeconfig();
  const taken = await takenContexts(run);
  return new Set(usableContexts(kubeconfig).filter((name) => !taken.has(name)));
}

/** Contexts that may be used at all. */
export function usableContexts(kubeconfig: Kubeconfig): string[] {
  return [...kubeconfig.contexts]
    .filter(([, { user }]) => !leadsBackToUs(kubeconfig, user))
    .map(([name]) => name);
}

/** Contexts that are a cluster's, with its name: by the mapping file, or by what this run has found. */
export async function takenContexts(run: SetupRun): Promise<Map<string, string>> {
  const { clusters } = await readMapping(run.session.paths.mapping);
  const taken = new Map<string, string>();
  for (const { name, context, kubeconfig } of clusters) {
    if (context !== undefined && kubeconfig === undefined) taken.set(context, name);
  }
  for (const [name, { context, state }] of run.results) {
    if (context !== undefined && (state === 'kept' || state === 'mapped')) taken.set(context, name);
  }
  return taken;
}

/** Where the cluster is said to be: a context's name that says another place is another cluster's. */
function placeOf({ cluster }: OpenCluster): Place {
  const provider = detectProvider(cluster);
  if (provider === undefined) return {};
  const metadata = readMetadata(cluster, provider);
  if (!('values' in metadata)) return {};
  const { region, location, project } = metadata.values;
  return { region: region ?? location, project };
}
