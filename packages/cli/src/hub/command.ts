import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { keepHeapLean } from '../lean-heap.ts';
import type { HubFlags } from './config.ts';

/** Adds `flotilla hub`. */
export function addHubCommand(
  program: Command,
  {
    io,
    random,
    setExitCode,
  }: {
    readonly io: Io;
    readonly random: () => number;
    readonly setExitCode: (code: number) => void;
  },
): void {
  program
    .command('hub')
    .description('Run the controllers of a hub against a Kubernetes API server')
    .option('--kubeconfig <file>', 'the hub; in a pod, its own ServiceAccount is the default')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--gateway-namespace <name>', 'where cluster Secrets are, unless the gateway says so')
    .option('--inventory-namespace <name>', 'where ClusterProfiles are')
    .option('--no-inventory', 'write no ClusterProfiles')
    .option('--include-hub', 'have the hub itself in the inventory')
    .option('--no-unregistered', 'leave clusters without a registration out of the inventory')
    .option(
      '--source-namespaces <names>',
      'namespaces whose Secrets registrations of the gateway namespace may read; "all" for all',
    )
    .option('--allow-endpoints <list>', 'addresses, ranges and domains that members may have')
    .option('--deny-endpoints <list>', 'addresses, ranges and domains that members must not have')
    .option('--allow-loopback', 'let members be on this machine')
    .option('--allow-insecure-tls', 'let registrations waive the check of certificates')
    .option('--exec-profiles <file>', 'commands that kubeconfigs may name')
    .option('--concurrency <n>', 'registrations that are worked on at the same time')
    .option('--no-install', 'leave the CRDs to somebody else')
    .option('--leader-elect', 'work only while holding the Lease, for several replicas')
    .option('--lease-namespace <name>', 'where the Lease is (default: the gateway namespace)')
    .option('--identity <name>', 'who holds the Lease (default: the name of this machine)')
    .option('--metrics-address <address>', 'serve metrics and health there, such as 0.0.0.0:8080')
    .option('--webhook-service <namespace/name>', 'serve the admission webhook behind this Service')
    .option('--webhook-port <n>', 'port of the admission webhook (default: 9443)')
    .option('--log-level <level>', 'debug, info, warn, error or silent (default: info)')
    .action(async (flags: HubFlags) => {
      const [{ hubConfig }, { runHub }] = await Promise.all([
        import('./config.ts'),
        import('./hub.ts'),
      ]);
      const readFile = (path: string) => readFileSync(path, 'utf8');
      const config = hubConfig(flags, { readFile, hostname: hostname() });
      keepHeapLean();
      setExitCode(await runHub(config, io, random));
    });
}
