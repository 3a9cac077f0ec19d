import { AccessError } from '../../access/access-error.ts';
import { authorityDigest } from '../../access/ways/context-route.ts';
import { mappingWay } from '../../access/ways/mapping-way.ts';
import type { ClusterMappingEntry, FleetCluster } from '../../fleet/cluster.ts';
import type { Route } from '../../fleet/route.ts';
import { writeMapping } from '../../settings/mapping-file.ts';
import type { OpenCluster, SetupRun } from './setup-run.ts';
import { type Verification, verifyClusters } from './verify-clusters.ts';

/** A context that may be a cluster's. */
export interface Candidate {
  readonly open: OpenCluster;
  readonly context: string;
  /** How it was found, for people. */
  readonly how: string;
  /** True when a person chose it: what the mapping pinned before is pinned anew. */
  readonly isChosen?: boolean | undefined;
  /** What is kept beside it. */
  readonly fields?: Pick<ClusterMappingEntry, 'cloudProvider' | 'region'> | undefined;
}

/** The way through a mapping's context, or why there is none. Files are read; nothing is dialled and nothing runs. */
export async function tryMapping(
  cluster: FleetCluster,
  run: SetupRun,
): Promise<{ readonly route: Route } | { readonly problem: string }> {
  const found = await mappingWay(run.routing)(cluster);
  if (found === undefined || 'untrusted' in found) return { problem: 'nothing maps it' };
  if ('none' in found) return { problem: found.none.message };
  try {
    await found.route.open();
    return { route: found.route };
  } catch (error) {
    if (!(error instanceof AccessError)) throw error;
    return { problem: error.message };
  }
}

/**
 * Takes contexts for clusters: looks whether they can be used, asks the clusters where that is wanted, and writes those
 * that pass to the mapping file, all in one step. Gives back the clusters that are still open, with the reason.
 */
export async function acceptContexts(
  candidates: readonly Candidate[],
  run: SetupRun,
): Promise<OpenCluster[]> {
  const rejected: OpenCluster[] = [];
  const usable: Usable[] = [];
  for (const candidate of candidates) {
    const { open, context } = candidate;
    const entry = entryFor(candidate);
    const found = await tryMapping({ ...open.cluster, mapping: entry }, run);
    if ('route' in found) usable.push({ ...candidate, entry, route: found.route });
    else rejected.push({ ...open, problem: `context ${context}: ${found.problem}` });
  }
  const verified = await verify(usable, run);
  const accepted: Accepted[] = [];
  for (const each of usable) {
    const verification = verified.get(each.open.cluster.name);
    if (isAnotherCluster(verification)) {
      rejected.push({ ...each.open, problem: `context ${each.context} leads to another cluster` });
    } else accepted.push({ ...each, verification });
  }
  await write(accepted, run);
  for (const each of accepted) record(each, run);
  return rejected;
}

/** Whether a cluster was asked, and is not the one that its profile means. */
export function isAnotherCluster(verification: Verification | undefined): boolean {
  return verification?.state === 'answered' && verification.identity === 'different';
}

interface Usable extends Candidate {
  readonly entry: ClusterMappingEntry;
  readonly route: Route;
}

interface Accepted extends Usable {
  readonly verification: Verification | undefined;
}

/** The entry with another context; what it pins stays unless a person has chosen, and its own kubeconfig goes. */
function entryFor({ open, context, isChosen, fields }: Candidate): ClusterMappingEntry {
  const { cluster } = open;
  const { kubeconfig: _, ...before } = cluster.mapping ?? { name: cluster.name };
  const { server: _s, caSha256: _c, clusterId: _i, ...unpinned } = before;
  return { ...(isChosen === true ? unpinned : before), ...fields, context };
}

async function verify(
  usable: readonly Usable[],
  { choices, session }: SetupRun,
): Promise<ReadonlyMap<string, Verification>> {
  if (!choices.isVerifying || choices.isDryRun || usable.length === 0) return new Map();
  const clusters = usable.map(({ open, entry, route }) => ({
    cluster: { ...open.cluster, mapping: entry },
    routing: { route },
    isNamed: true,
  }));
  return await verifyClusters(clusters, session);
}

async function write(accepted: readonly Accepted[], run: SetupRun): Promise<void> {
  const { choices, session } = run;
  if (accepted.length === 0 || choices.isDryRun) return;
  const entries = await Promise.all(accepted.map(finalEntry));
  const { io, paths } = session;
  await writeMapping(
    paths.mapping,
    ({ hubContext = choices.hubContext, clusters }) => {
      const changed = [...clusters];
      for (const entry of entries) {
        const at = changed.findIndex(
          ({ name, namespace }) => name === entry.name && namespace === entry.namespace,
        );
        if (at < 0) changed.push(entry);
        else changed[at] = entry;
      }
      return { hubContext, clusters: changed };
    },
    { clock: io.clock, signal: io.signal },
  );
}

/** With pins of what was pinned before, and of a server that only asking it has shown to be the right one. */
async function finalEntry(accepted: Accepted): Promise<ClusterMappingEntry> {
  const { entry, route, open, isChosen, verification } = accepted;
  const before = open.cluster.mapping;
  const isProved = verification?.state === 'answered' && verification.identity === 'same';
  const wantsServer =
    (isChosen === true && before?.server !== undefined) ||
    (isProved && route.mismatch !== undefined);
  const { ca } = (await route.open()).tls;
  const wantsAuthority = isChosen === true && before?.caSha256 !== undefined && ca !== undefined;
  return {
    ...entry,
    ...(wantsServer ? { server: route.server } : {}),
    ...(wantsAuthority ? { caSha256: authorityDigest(ca) } : {}),
    ...(isProved ? { clusterId: verification.clusterId } : {}),
  };
}

function record({ open, context, how, route, verification }: Accepted, run: SetupRun): void {
  const { cluster } = open;
  const isProved = verification?.state === 'answered' && verification.identity === 'same';
  if (route.mismatch !== undefined && !isProved) {
    run.say(
      `WARN: ${cluster.name}: ${route.mismatch}. Reads warn of it and writes refuse; set server in its mapping, or run setup with --verify.`,
    );
  }
  run.results.set(cluster.name, { state: 'mapped', context, detail: how, verification });
}
