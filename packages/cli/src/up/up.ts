import { startServer } from '@flotilla/apiserver';
import type { Io } from '../io.ts';
import type { UpConfig } from './config.ts';

/** More than requests under way are given. */
const STOPPED_WITHIN_MS = 60_000;

/** Runs the API server in the foreground until a signal comes. */
export async function up(config: UpConfig, io: Io): Promise<number> {
  const server = await startServer({
    dataFolder: config.dataFolder,
    kubeconfigFile: config.kubeconfigFile,
    host: config.host,
    port: config.port,
    disabledControllers: config.disabledControllers,
    ...(config.advertiseAddress === undefined ? {} : { advertiseAddress: config.advertiseAddress }),
    ...(config.serviceCidr === undefined ? {} : { serviceCidr: config.serviceCidr }),
    log: (line) => io.err(`${line}\n`),
  });
  io.out(welcome(server, config));
  await aborted(io.signal);
  io.err('Stopping: requests under way are finished first\n');
  // Timers of the server keep no process alive; while it stops, they may be all there is.
  const hold = setTimeout(() => {}, STOPPED_WITHIN_MS);
  await server.stop();
  clearTimeout(hold);
  io.err('Stopped\n');
  return 0;
}

function welcome(
  server: { readonly url: string; readonly version: string; readonly readyMs: number },
  config: UpConfig,
): string {
  return [
    `Flotilla serves the Kubernetes API (${server.version}) at ${server.url}`,
    `  data        ${config.dataFolder}`,
    `  kubeconfig  ${config.kubeconfigFile} (admin, keep it to yourself)`,
    '',
    'Try it from another terminal:',
    `  export KUBECONFIG=${shellQuote(config.kubeconfigFile)}`,
    '  kubectl get namespaces',
    '  kubectl create configmap hello --from-literal=greeting=ahoy',
    '  kubectl get configmaps --watch',
    '',
    'Press Ctrl-C to stop; the data stays.',
    '',
  ].join('\n');
}

function shellQuote(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
