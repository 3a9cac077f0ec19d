import { join, resolve } from 'node:path';
import type { Io } from '../io.ts';
import type { Paths } from '../session.ts';

/**
 * Where our files are: below `~/.kube`, or where KUBECTL_MC_CONFIG_FILE, _MAPPING_FILE, _TRUST_FILE and _AUDIT_FILE say.
 * The cache is in kubectl's: `--cache-dir`, else KUBECACHEDIR.
 */
export function pathsOf(
  io: Pick<Io, 'env' | 'homeFolder' | 'cwd'>,
  cacheFolder: string | undefined,
): Paths {
  const kube = join(io.homeFolder, '.kube');
  const file = (variable: string, name: string): string => {
    const said = io.env[variable];
    return said === undefined || said === '' ? join(kube, name) : resolve(io.cwd, said);
  };
  const cache = cacheFolder || io.env['KUBECACHEDIR'] || join(kube, 'cache');
  return {
    config: file('KUBECTL_MC_CONFIG_FILE', 'kubectl-mc-config.yaml'),
    mapping: file('KUBECTL_MC_MAPPING_FILE', 'kubectl-mc-clusters.yaml'),
    trust: file('KUBECTL_MC_TRUST_FILE', 'kubectl-mc-trust.yaml'),
    audit: file('KUBECTL_MC_AUDIT_FILE', 'kubectl-mc-audit.jsonl'),
    cache: join(resolve(io.cwd, cache), 'kubectl-mc'),
  };
}
