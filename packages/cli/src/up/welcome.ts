import type { UpConfig } from './config.ts';

/** What is known of a server that runs. */
export interface Serving {
  readonly url: string;
  readonly version: string;
}

/** What people read when the hub serves: where things are, and what to try. */
export function welcome(server: Serving, config: UpConfig): string {
  return [
    `Flotilla serves the Kubernetes API (${server.version}) at ${server.url}`,
    `  data        ${config.dataFolder}`,
    `  kubeconfig  ${config.kubeconfigFile} (admin, keep it to yourself)`,
    ...(config.fleet === 0
      ? []
      : [
          `  fleet       ${config.fleet} simulated member${config.fleet === 1 ? '' : 's'}, starting`,
        ]),
    '',
    'Try it from another terminal:',
    `  export KUBECONFIG=${shellQuote(config.kubeconfigFile)}`,
    ...attempts(config),
    '',
    'Press Ctrl-C to stop; the data stays.',
    '',
  ].join('\n');
}

function attempts({ fleet, isPlain }: UpConfig): string[] {
  if (fleet > 0) {
    return [
      '  kubectl get clusterregistrations -A',
      '  kubectl get clusterprofiles -A',
      '  kubectl get clustergateways',
      '  kubectl --context member-1 get pods -A',
      '  kubectl --context member-1 -n shop logs deployment/web',
    ];
  }
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
