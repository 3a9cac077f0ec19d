import { formatDuration } from '@flotilla/machinery';
import type { Selection, Settings } from './settings.ts';

/** What holds, in the words of the config file. */
export function shownSettings(
  settings: Settings,
  groups: ReadonlyMap<string, Selection>,
  protectedClusters: readonly string[],
): Record<string, unknown> {
  const { hub, discovery, selection, access, execution, output } = settings;
  return given({
    apiVersion: 'kubectl-mc.k8s.io/v1alpha1',
    kind: 'Config',
    hub: given({ contexts: hub.contexts, kubeconfig: hub.kubeconfig, namespaces: hub.namespaces }),
    discovery: {
      cacheTTL: duration(discovery.cacheTtlMs),
      api: typeof discovery.api === 'object' ? `file:${discovery.api.file}` : discovery.api,
    },
    selection: given({ exclude: selection.exclude }),
    access: given({ ...access }),
    execution: given({
      maxConcurrency: execution.maxConcurrency,
      timeout: duration(execution.timeoutMs),
      connectTimeout: duration(execution.connectTimeoutMs),
      deadline: duration(execution.deadlineMs),
      retries: execution.retries,
      unhealthy: execution.unhealthy,
      continueOnError: !execution.failFast,
      allowPartial: execution.allowPartial,
    }),
    output: {
      colorize: output.color,
      showClusterColumn: output.clusterColumn,
      stream: output.stream,
    },
    safety: given({ protected: protectedClusters }),
    groups: Object.fromEntries([...groups].map(([name, group]) => [name, groupOf(group)])),
  });
}

function groupOf({ clusters, exclude, properties, ...group }: Selection): Record<string, unknown> {
  const { clusterSelector, clusterset, manager, placement } = group;
  return given({ clusters, exclude, clusterSelector, properties, clusterset, manager, placement });
}

/** Without what nobody said. */
function given(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isNothing(value)));
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
  );
}

function duration(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatDuration(BigInt(Math.round(ms * 1e6)));
}
