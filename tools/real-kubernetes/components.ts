// The programs that make a cluster of an API server, any server that a kubeconfig leads to.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binaryPath, ensureBinaries } from './binaries.ts';
import { moduleFolder, wrapperModule } from './go.ts';
import { type ServerProcess, startProcess } from './server-process.ts';

/** A program that works on a server's objects. */
export type Component = 'kube-controller-manager' | 'kube-scheduler' | 'kwok';

/** The server a component works on. */
export interface ComponentServer {
  readonly kubeconfig: string;
  /** The issuer of the serving certificate, in PEM; published to every namespace. */
  readonly ca: string;
  /** The key of service account tokens; without it the token controller does not run. */
  readonly signingKey?: string;
}

/** Components that run; `stop` ends them in reverse order and removes their logs. */
export interface RunningComponents {
  readonly processes: Readonly<Record<string, ServerProcess>>;
  /** What a component has logged so far. */
  readonly log: (component: Component) => string;
  readonly stop: () => Promise<void>;
}

// Stages of kwok's own that make nodes ready at once, keep them so, and run pods without waiting.
const STAGES = ['node/fast', 'node/heartbeat', 'pod/fast'];

/** Starts the components on a server, each with leader election where it knows it. */
export function startComponents(
  server: ComponentServer,
  components: readonly Component[],
): RunningComponents {
  ensureBinaries(components);
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-components-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const started = components.map((name) =>
    startProcess({
      name,
      path: binaryPath(name),
      args: flagsOf(name, server, folder),
      logFile: join(folder, `${name}.log`),
    }),
  );
  process.on('exit', removeFolder);
  return {
    processes: Object.fromEntries(started.map((each) => [each.name, each])),
    log: (component) => {
      const file = join(folder, `${component}.log`);
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    },
    stop: async () => {
      for (const each of started.toReversed()) await each.stop();
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}

function flagsOf(component: Component, server: ComponentServer, folder: string): string[] {
  const kubeconfig = `--kubeconfig=${server.kubeconfig}`;
  if (component === 'kube-scheduler') return [kubeconfig, '--secure-port=0', '--leader-elect=true'];
  if (component === 'kwok') {
    const config = join(folder, 'stages.yaml');
    writeFileSync(config, stages());
    return [kubeconfig, `--config=${config}`, '--manage-all-nodes=true'];
  }
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, server.ca);
  return [
    kubeconfig,
    `--root-ca-file=${caFile}`,
    '--use-service-account-credentials=true',
    '--secure-port=0',
    '--leader-elect=true',
    ...(server.signingKey === undefined
      ? []
      : [`--service-account-private-key-file=${server.signingKey}`]),
  ];
}

function stages(): string {
  const folder = moduleFolder('sigs.k8s.io/kwok', join(wrapperModule, 'kwok'));
  return STAGES.flatMap((stage) => {
    const from = join(folder, 'kustomize', 'stage', stage);
    return readdirSync(from)
      .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
      .map((file) => readFileSync(join(from, file), 'utf8'));
  }).join('\n---\n');
}
