import { durationToMs, parseDuration } from '@flotilla/machinery';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import type { HubFlags, HubSession } from './hub-session.ts';

/** What the group is put together with. */
export interface ClusterCommands {
  readonly io: Io;
  readonly random: () => number;
  readonly setExitCode: (code: number) => void;
}

interface Shared extends HubFlags {
  readonly yes?: boolean;
}

/** Adds `flotilla cluster …`. Each command loads its code when it is run. */
export function addClusterCommands(program: Command, deps: ClusterCommands): void {
  const { io } = deps;
  const group = program
    .command('cluster')
    .description('Join clusters to the hub and look after them')
    .option('--kubeconfig <file>', 'kubeconfig of the hub (default: as kubectl finds it)')
    .option('--context <name>', 'context of the hub in it')
    .option('--namespace <name>', 'where registrations are made (default: where the gateway is)')
    .option('-y, --yes', 'answer every question with yes');
  const shared = (): Shared => group.opts<Shared>();
  const withHub = async (work: (hub: HubSession) => Promise<number>): Promise<void> => {
    const { openHub } = await import('./hub-session.ts');
    await using hub = await openHub(shared(), io, deps.random);
    deps.setExitCode(await work(hub));
  };

  group
    .command('list')
    .alias('ls')
    .description(
      'List the hub, registered clusters, joined ones without a registration, and ManagedClusters',
    )
    .option('-o, --output <form>', 'wide, json, yaml or name')
    .action((flags: { output?: string }) =>
      withHub(async (hub) => (await import('./list.ts')).list(hub, flags)),
    );

  group
    .command('join <kubeconfig>')
    .description('Register the cluster that a kubeconfig leads to')
    .option(
      '-n, --name <name>',
      "name in the fleet (default: the cluster's name in the kubeconfig)",
    )
    .option('-t, --engine <engine>', 'cluster-gateway or ocm (default: cluster-gateway)')
    .option(
      '--create-namespace <name>',
      'namespace to create there; "" for none (default: vela-system)',
    )
    .option(
      '--in-cluster-bootstrap',
      "engine ocm: register at the hub's address inside its cluster",
    )
    .option('--in-cluster-boostrap', 'the same, as vela spells it')
    .option('--labels <labels>', 'labels of the cluster: k=v,k=v')
    .option('--alias <text>', 'name for people')
    .option('--member-context <name>', 'context of the kubeconfig (default: its current-context)')
    .option('--static-token', 'run the credential plugin now and keep its token')
    .option('--no-wait', 'do not wait until the cluster is ready')
    .option('--timeout <duration>', 'longest wait', '2m')
    .option('--dry-run', 'let the hub check it and change nothing')
    .option('-o, --output <form>', 'print the objects as yaml or json instead of writing them')
    .action((file: string, flags: JoinArguments) =>
      withHub(async (hub) => {
        const { timeout, inClusterBoostrap, ...rest } = flags;
        const inClusterBootstrap = rest.inClusterBootstrap ?? inClusterBoostrap ?? false;
        const { join } = await import('./join.ts');
        const { yes = false } = shared();
        return await join(hub, {
          ...rest,
          file,
          yes,
          inClusterBootstrap,
          timeoutMs: milliseconds(timeout),
        });
      }),
    );

  group
    .command('show <name>')
    .description('Show all that is known about a cluster')
    .option('-o, --output <form>', 'yaml or json')
    .action((name: string, flags: { output?: string }) =>
      withHub(async (hub) => (await import('./show.ts')).show(hub, { name, ...flags })),
    );

  group
    .command('probe <name>')
    .description('Ask a cluster whether it is healthy')
    .action((name: string) =>
      withHub(async (hub) => (await import('./probe.ts')).probe(hub, name)),
    );

  group
    .command('rename <old> <new>')
    .description('Give a cluster another name in the fleet')
    .option('--force', 'although Applications name it')
    .option('--timeout <duration>', 'longest wait', '2m')
    .action(
      (from: string, to: string, { timeout, ...flags }: { timeout: string; force?: boolean }) =>
        withHub(async (hub) => {
          const { rename } = await import('./rename.ts');
          return await rename(hub, { from, to, ...flags, timeoutMs: milliseconds(timeout) });
        }),
    );

  group
    .command('alias <name> <alias>')
    .description('Give a cluster a name for people')
    .action((name: string, text: string) =>
      withHub(async (hub) => (await import('./alias.ts')).alias(hub, { name, text })),
    );

  addLabelCommands(group, withHub);

  group
    .command('detach <name>')
    .description('Take a cluster out of the fleet; what runs there stays')
    .option('--orphan', 'leave the cluster Secret in use by others')
    .option('--force', 'do not wait for the controller')
    .option('-p, --kubeconfig-path <file>', "the member's kubeconfig, for ManagedClusters")
    .option('--timeout <duration>', 'longest wait', '1m')
    .action((name: string, { timeout, ...flags }: DetachArguments) =>
      withHub(async (hub) => {
        const { detach } = await import('./detach.ts');
        return await detach(hub, { name, ...flags, timeoutMs: milliseconds(timeout) });
      }),
    );

  group
    .command('convert [name]')
    .description('Make a registration of a cluster that was joined without one')
    .option('--all', 'of every such cluster')
    .option('--inline', 'copy the credential into it')
    .option('-o, --output <form>', 'print it as yaml or json instead of writing it')
    .action(
      (name: string | undefined, flags: { all?: boolean; inline?: boolean; output?: string }) =>
        withHub(async (hub) => {
          const { convert } = await import('./convert.ts');
          return await convert(hub, { ...(name === undefined ? {} : { name }), ...flags });
        }),
    );

  group
    .command('export-config')
    .description('Print a kubeconfig that reaches every member through the hub')
    .option('-l, --selector <labels>', 'only clusters with these labels')
    .action((flags: { selector?: string }) =>
      withHub(async (hub) => {
        const { exportConfig } = await import('./export-config.ts');
        const { context } = shared();
        return await exportConfig(hub, { ...flags, ...(context === undefined ? {} : { context }) });
      }),
    );

  group
    .command('rotate <name> [kubeconfig]')
    .description('Replace the credential of a cluster, or read its source again')
    .option('--member-context <name>', 'context of the kubeconfig (default: its current-context)')
    .option('--timeout <duration>', 'longest wait', '1m')
    .action(
      (
        name: string,
        file: string | undefined,
        { timeout, ...flags }: { timeout: string; memberContext?: string },
      ) =>
        withHub(async (hub) => {
          const { rotate } = await import('./rotate.ts');
          const timeoutMs = milliseconds(timeout);
          return await rotate(hub, {
            name,
            ...(file === undefined ? {} : { file }),
            ...flags,
            timeoutMs,
          });
        }),
    );
}

interface JoinArguments {
  readonly name?: string;
  readonly engine?: string;
  readonly createNamespace?: string;
  readonly inClusterBootstrap?: boolean;
  readonly inClusterBoostrap?: boolean;
  readonly labels?: string;
  readonly alias?: string;
  readonly memberContext?: string;
  readonly staticToken?: boolean;
  readonly wait: boolean;
  readonly timeout: string;
  readonly dryRun?: boolean;
  readonly output?: string;
}

interface DetachArguments {
  readonly timeout: string;
  readonly orphan?: boolean;
  readonly force?: boolean;
  readonly kubeconfigPath?: string;
}

/** kubectl's way (`label NAME k=v k-`) and vela's (`labels add|del NAME k=v,k=v`). */
function addLabelCommands(
  group: Command,
  withHub: (work: (hub: HubSession) => Promise<number>) => Promise<void>,
): void {
  group
    .command('label <name> <labels...>')
    .description('Set labels of a cluster (key=value) or remove them (key-)')
    .action((name: string, parts: string[]) =>
      withHub(async (hub) => {
        const { changeLabels, parseLabelArguments } = await import('./labels.ts');
        return await changeLabels(hub, { name, change: parseLabelArguments(parts) });
      }),
    );
  const labels = group.command('labels').description('The same, as vela has it');
  labels
    .command('add <name> <labels>')
    .description('Set labels: k=v,k=v')
    .action((name: string, text: string) =>
      withHub(async (hub) => {
        const { changeLabels } = await import('./labels.ts');
        const { parseLabels } = await import('./parse-labels.ts');
        return await changeLabels(hub, { name, change: parseLabels(text) });
      }),
    );
  labels
    .command('del <name> <keys>')
    .aliases(['delete', 'remove'])
    .description('Remove labels: k,k')
    .action((name: string, text: string) =>
      withHub(async (hub) => {
        const { changeLabels } = await import('./labels.ts');
        const change = Object.fromEntries(text.split(',').map((key) => [key.trim(), null]));
        return await changeLabels(hub, { name, change });
      }),
    );
}

function milliseconds(text: string): number {
  try {
    return durationToMs(parseDuration(text));
  } catch {
    throw new UsageError(`Cannot read duration "${text}": write one such as 30s or 2m`);
  }
}
