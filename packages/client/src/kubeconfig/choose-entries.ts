import { goQuote } from '@flotilla/machinery';
import type { ReadFile } from '../credentials/read-bytes.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigUser,
} from './kubeconfig.ts';
import { joinProblems, KubeconfigError } from './kubeconfig-error.ts';
import { clusterProblems, NO_SERVER, userProblems } from './validate-entries.ts';

const NO_CONFIGURATION =
  'no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

/** What counts before the kubeconfig: kubectl's flags, under the names of the fields they set. */
export interface Overrides {
  readonly context?: string | undefined;
  /** The name of a cluster entry. */
  readonly cluster?: string | undefined;
  /** The name of a user entry. */
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
  /** Fields of the cluster entry; paths must be absolute. */
  readonly clusterFields?: KubeconfigCluster;
  /** Fields of the user entry; paths must be absolute. */
  readonly userFields?: KubeconfigUser;
}

/** The entries that one context means, overrides worked in. */
export interface Chosen {
  readonly contextName: string;
  readonly context: KubeconfigContext;
  readonly clusterName: string;
  readonly cluster: KubeconfigCluster;
  readonly userName: string;
  readonly user: KubeconfigUser;
}

/** How entries are chosen. */
export interface ChooseOptions extends Overrides {
  /** The server of a kubeconfig that names none. */
  readonly defaultServer?: string | undefined;
  readonly readFile: ReadFile;
}

/**
 * Finds the entries a context means and checks them, in kubectl's order: names that were asked for first, then all that
 * is wrong with the entries at once.
 */
export async function chooseEntries(
  kubeconfig: Kubeconfig,
  options: ChooseOptions,
): Promise<Chosen> {
  const chosen = lookUp(kubeconfig, options);
  const { contextName, clusterName, userName } = chosen;
  if (asked(options.user) && !kubeconfig.users.has(userName)) throw absent('auth info', userName);
  if (asked(options.context) && !kubeconfig.contexts.has(contextName)) {
    throw absent('context', contextName);
  }
  if (asked(options.cluster) && !kubeconfig.clusters.has(clusterName)) {
    throw absent('cluster', clusterName);
  }
  const problems = [
    ...(contextName !== '' && !kubeconfig.contexts.has(contextName)
      ? [`context was not found for specified context: ${contextName}`]
      : []),
    ...(await userProblems(userName, chosen.user, options.readFile)),
    ...(await clusterProblems(clusterName, chosen.cluster, options.readFile)),
  ];
  if (problems.length > 0) throw invalid(problems);
  return chosen;
}

function lookUp(kubeconfig: Kubeconfig, options: ChooseOptions): Chosen {
  const contextName = options.context || kubeconfig.currentContext;
  const context = {
    ...kubeconfig.contexts.get(contextName),
    ...(asked(options.cluster) ? { cluster: options.cluster } : {}),
    ...(asked(options.user) ? { user: options.user } : {}),
    ...(asked(options.namespace) ? { namespace: options.namespace } : {}),
  };
  const clusterName = context.cluster ?? '';
  const userName = context.user ?? '';
  const user = { ...kubeconfig.users.get(userName), ...set(options.userFields) };
  const cluster = overriddenCluster(
    { ...defaults(options), ...kubeconfig.clusters.get(clusterName) },
    set(options.clusterFields),
  );
  return { contextName, context, clusterName, cluster, userName, user };
}

function defaults({ defaultServer }: ChooseOptions): KubeconfigCluster {
  return defaultServer === undefined ? {} : { server: defaultServer };
}

/**
 * What is said about the server's identity replaces all the kubeconfig says about it: with `--server` its
 * tls-server-name is somebody else's, and with `--insecure-skip-tls-verify` its authority is in the way.
 */
function overriddenCluster(
  cluster: KubeconfigCluster,
  override: KubeconfigCluster,
): KubeconfigCluster {
  const replaced: (keyof KubeconfigCluster)[] = [];
  const trust = [
    'insecure-skip-tls-verify',
    'certificate-authority',
    'certificate-authority-data',
  ] as const;
  if (trust.some((field) => override[field] !== undefined)) replaced.push(...trust);
  if (override['tls-server-name'] !== undefined || override.server !== undefined) {
    replaced.push('tls-server-name');
  }
  const kept = Object.fromEntries(
    Object.entries(cluster).filter(([field]) => !replaced.some((name) => name === field)),
  );
  return { ...kept, ...override };
}

/** Empty values override nothing. */
function set<T extends object>(fields: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).filter(
      ([, value]) => value !== undefined && value !== '' && value !== false,
    ),
  ) as Partial<T>;
}

function asked(name: string | undefined): name is string {
  return name !== undefined && name !== '';
}

function absent(what: string, name: string): KubeconfigError {
  return new KubeconfigError(`${what} ${goQuote(name)} does not exist`);
}

function invalid(problems: readonly string[]): KubeconfigError {
  const isEmpty = problems.length === 1 && problems[0] === NO_SERVER;
  const said = isEmpty ? [NO_CONFIGURATION] : problems;
  return new KubeconfigError(`invalid configuration: ${joinProblems(said)}`, {
    problems: said,
    isEmpty,
  });
}
