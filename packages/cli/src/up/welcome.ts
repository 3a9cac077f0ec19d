import type { UpConfig } from './config.ts';

/** What is known of a server that runs. */
export interface Serving {
  readonly url: string;
  readonly version: string;
}

/**
 * What people read when the hub serves: where things are, and what to try. `plugins` is where kubectl finds
 * `kubectl-mc`, if it is here.
 */
export function welcome(server: Serving, config: UpConfig, plugins: string | undefined): string {
  const { fleet } = config;
  return [
    `Flotilla serves the Kubernetes API (${server.version}) at ${server.url}`,
    `  data        ${config.dataFolder}`,
    `  kubeconfig  ${config.kubeconfigFile} (admin, keep it to yourself)`,
    ...(fleet === 0
      ? []
      : [`  fleet       ${fleet} simulated member${fleet === 1 ? '' : 's'}, starting`]),
    '',
    'Try it from another terminal:',
    `  export KUBECONFIG=${shellQuote(config.kubeconfigFile)}`,
    ...(fleet === 0 ? hubAttempts(config) : fleetAttempts(plugins)),
    '',
    'Press Ctrl-C to stop; the data stays.',
    '',
  ].join('\n');
}

function fleetAttempts(plugins: string | undefined): string[] {
  return [
    ...(plugins === undefined
      ? []
      : [
          `  export PATH=${shellQuote(plugins)}:$PATH`,
          '  kubectl mc clusters',
          '  kubectl mc get pods -A',
          '  kubectl mc logs deployment/web -n shop',
        ]),
    '  kubectl get clusterregistrations -A',
    '  kubectl get clusterprofiles -A',
    '  kubectl get clustergateways',
    '  kubectl --context member-1 get pods -A',
  ];
}

function hubAttempts({ isPlain }: UpConfig): string[] {
  return [
    '  kubectl get namespaces',
    ...(isPlain ? [] : ['  kubectl get clusterregistrations -A']),
    '  kubectl create configmap hello --from-literal=greeting=ahoy',
    '  kubectl get configmaps --watch',
  ];
}

function shellQuote(text: string): string {
  return /^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
