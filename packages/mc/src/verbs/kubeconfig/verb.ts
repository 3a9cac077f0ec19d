import { delimiter, resolve } from 'node:path';
import { lookPathIn } from '@flotilla/client';
import { toYaml } from '@flotilla/machinery';
import {
  type DelegatedCluster,
  type ExecStanza,
  kubeconfigOf,
} from '../../access/delegation/kubeconfig-of.ts';
import { writePrivateFile } from '../../files/private-file.ts';
import type { Route } from '../../fleet/route.ts';
import type { Io } from '../../io.ts';
import type { Session } from '../../session.ts';
import { readMapping } from '../../settings/mapping-file.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call, Verb } from '../../verb.ts';

/** Writes a kubeconfig with a context for each chosen cluster, for programs that know nothing of fleets. */
export const kubeconfigVerb: Verb = {
  name: 'kubeconfig',
  usage: 'kubeconfig [-o FILE]',
  summary: 'Print a kubeconfig with a context for each cluster, for k9s, stern, helm and others',
  examples: [
    'kubectl mc kubeconfig -o fleet.yaml && KUBECONFIG=fleet.yaml k9s',
    "kubectl mc kubeconfig --clusters='prod-*' -o prod.yaml",
  ],
  flags: [
    {
      name: 'output',
      short: 'o',
      kind: 'text',
      value: 'FILE',
      help: 'Write it there, for your eyes only, instead of printing it',
    },
  ],
  run: async ({ args, flags }: Call, session: Session): Promise<number> => {
    if (args.length > 0) throw new UsageError(`kubeconfig takes no arguments: "${args.join(' ')}"`);
    const output = flags.text('output');
    const path = output === undefined || output === '-' ? undefined : output;
    const target = path === undefined ? undefined : await checkedTarget(path, session);
    const fleet = await session.fleet();
    // Nothing is dialled for it: all at once, so that nobody connects ahead.
    const outcomes = await session.fanOut(fleet, async ({ route }) => await route.open(), {
      concurrency: 'all',
    });
    const clusters = outcomes.flatMap(({ cluster, route, value }): DelegatedCluster[] =>
      route === undefined || value === undefined
        ? []
        : [{ name: cluster.name, route: named(route, session), access: value }],
    );
    const text = toYaml(kubeconfigOf(clusters, await stanzas(session)));
    if (clusters.length > 0) {
      if (target === undefined) await session.io.out(text);
      else await writePrivateFile(target, text);
    }
    if (target !== undefined && clusters.length > 0) {
      session.io.err(`Wrote ${counted(clusters.length)} to ${target}\n`);
    }
    return session.conclude(outcomes);
  },
};

/** `-n` counts before what a context says. */
function named(route: Route, { settings }: Session): Route {
  const [namespace] = settings.kubectl.namespaces;
  return namespace === undefined ? route : { ...route, namespace };
}

/** What it would be made from must not be written over by it. */
async function checkedTarget(path: string, { io, kubeconfig }: Session): Promise<string> {
  const target = resolve(io.cwd, path);
  const { files } = await kubeconfig();
  if (!files.some((file) => resolve(io.cwd, file) === target)) return target;
  throw new UsageError(
    `Cannot write to "${path}": it is your own kubeconfig, which the new one needs; name another file`,
  );
}

function counted(count: number): string {
  return count === 1 ? '1 context' : `${count} contexts`;
}

/** How the credential of a cluster is asked for later: by the same hub, inventory and kubeconfig as now. */
async function stanzas(session: Session): Promise<(name: string) => ExecStanza> {
  const { files } = await session.kubeconfig();
  const [command = 'kubectl-mc', ...before] = await ourselves(session.io);
  const context = await contextFlags(session);
  // The new kubeconfig will be in KUBECONFIG, and knows no hub.
  const value = files.map((file) => resolve(session.io.cwd, file)).join(delimiter);
  return (name) => ({
    command,
    args: [...before, 'credential', '--cluster', name, ...context],
    env: [{ name: 'KUBECONFIG', value }],
    interactiveMode: 'IfAvailable',
  });
}

/** By name where it is on PATH, so that an update does not break what was written. */
async function ourselves({ env, self }: Io): Promise<readonly string[]> {
  const isOnPath = (await lookPathIn(env['PATH'] ?? '')('kubectl-mc')) !== undefined;
  return isOnPath || self === undefined ? ['kubectl-mc'] : self;
}

async function contextFlags({ settings, paths, kubeconfig }: Session): Promise<string[]> {
  const { hub, discovery, access, kubectl } = settings;
  const flags: string[] = [];
  if (access.providerFile !== undefined) flags.push(`--provider-file=${access.providerFile}`);
  if (kubectl.context !== undefined) return [...flags, `--context=${kubectl.context}`];
  const { api } = discovery;
  if (api !== 'clusterprofile') {
    return [...flags, `--inventory=${typeof api === 'object' ? `file:${api.file}` : api}`];
  }
  const { currentContext } = await kubeconfig();
  const contexts =
    hub.contexts.length > 0
      ? hub.contexts
      : [(await readMapping(paths.mapping)).hubContext ?? currentContext];
  if (contexts.some((each) => each !== '')) flags.push(`--hub-context=${contexts.join(',')}`);
  if (hub.kubeconfig !== undefined) flags.push(`--hub-kubeconfig=${hub.kubeconfig}`);
  if (hub.namespaces.join() !== '*') flags.push(`--hub-namespace=${hub.namespaces.join(',')}`);
  return flags;
}
