import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { NOT_PLAIN, readPlainYaml } from '@flotilla/machinery';
import { errorCode, fileErrorText } from '../credentials/file-error.ts';
import type { ReadFile } from '../credentials/read-bytes.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigEntries,
  KubeconfigUser,
  Origin,
} from './kubeconfig.ts';
import { entriesOf } from './kubeconfig-entries.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { readFromDisk } from './read-file.ts';

/** Where to look for a kubeconfig. */
export interface LoadOptions {
  /** KUBECONFIG is read from here. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder, for `.kube/config`. */
  readonly home: string;
  /** As `--kubeconfig`: this file and no other, and it must exist. */
  readonly path?: string | undefined;
  /** What relative paths in KUBECONFIG are relative to. @default the process's working folder */
  readonly cwd?: string;
  /** @default from disk */
  readonly readFile?: ReadFile;
}

/**
 * Loads the user's own kubeconfig as kubectl does: the file of `path`, else the files that KUBECONFIG lists, else
 * `~/.kube/config`; missing ones are skipped; of two entries with one name the first counts, whole; paths are relative
 * to the file they stand in. It believes what it reads: never give it a file that came from somebody else.
 *
 * @example
 * const kubeconfig = await loadKubeconfig({ env: process.env, home: homedir() });
 * const access = await resolveAccess(kubeconfig, { env: process.env, context: 'prod' });
 */
export async function loadKubeconfig(options: LoadOptions): Promise<Kubeconfig> {
  const files = filesOf(options);
  const read = await Promise.all(files.map((file) => readKubeconfig(file, options)));
  const problems = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
  if (problems.length > 0) {
    const message = problems.length === 1 ? String(problems[0]) : `[${problems.join(', ')}]`;
    throw new KubeconfigError(message, { problems });
  }
  return {
    ...mergeEntries(read.flatMap((each) => ('entries' in each ? [each.entries] : []))),
    files,
    missing: files.filter((_, index) => read[index] !== undefined && 'missing' in read[index]),
  };
}

function filesOf({ env, home, path }: LoadOptions): string[] {
  if (path !== undefined && path !== '') return [path];
  const listed = env['KUBECONFIG'] ?? '';
  if (listed === '') return [join(home, '.kube', 'config')];
  return [...new Set(listed.split(delimiter))].filter((file) => file !== '');
}

type Read = { entries: KubeconfigEntries } | { missing: true } | { problem: string };

async function readKubeconfig(file: string, options: LoadOptions): Promise<Read> {
  const { cwd = process.cwd(), readFile = readFromDisk } = options;
  const absolute = resolve(cwd, file);
  let content: Uint8Array;
  try {
    content = await readFile(absolute);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      if (options.path === file) return { problem: fileErrorText(file, error, 'stat') };
      return { missing: true };
    }
    return { problem: `error loading config file "${file}": ${fileErrorText(file, error)}` };
  }
  try {
    return { entries: placeEntries(await entriesIn(content), absolute) };
  } catch (error) {
    if (!(error instanceof KubeconfigError)) throw error;
    return { problem: `error loading config file "${file}": ${error.message}` };
  }
}

/** Most kubeconfigs are written by programs, and read before the parser of all YAML would be loaded. */
async function entriesIn(content: Uint8Array): Promise<KubeconfigEntries> {
  const plain = readPlainYaml(content);
  if (plain !== NOT_PLAIN) return entriesOf(plain);
  const { decodeKubeconfig } = await import('./decode-kubeconfig.ts');
  return decodeKubeconfig(content);
}

/** Says where entries come from and makes their paths absolute. */
function placeEntries(entries: KubeconfigEntries, origin: string): KubeconfigEntries {
  const base = dirname(origin);
  const place = <T extends Origin>(map: ReadonlyMap<string, T>, change: (entry: T) => T) =>
    new Map([...map].map(([name, entry]) => [name, { ...change(entry), origin }]));
  return {
    currentContext: entries.currentContext,
    clusters: place(entries.clusters, (cluster) => clusterPaths(cluster, base)),
    users: place(entries.users, (user) => userPaths(user, base)),
    contexts: place(entries.contexts, (context) => context),
  };
}

function clusterPaths(cluster: KubeconfigCluster, base: string): KubeconfigCluster {
  return { ...cluster, ...absolute(cluster, ['certificate-authority'], base) };
}

function userPaths(user: KubeconfigUser, base: string): KubeconfigUser {
  const { exec } = user;
  const paths = absolute(user, ['client-certificate', 'client-key', 'tokenFile'], base);
  // A bare name is looked up in PATH; with a separator it is a path.
  if (exec?.command?.includes(sep) !== true) return { ...user, ...paths };
  return { ...user, ...paths, exec: { ...exec, ...absolute(exec, ['command'], base) } };
}

function absolute<T extends object, K extends keyof T>(
  entry: T,
  fields: readonly K[],
  base: string,
): Partial<T> {
  const changed: Partial<T> = {};
  for (const field of fields) {
    const value = entry[field];
    if (typeof value === 'string' && !isAbsolute(value)) {
      changed[field] = join(base, value) as T[K];
    }
  }
  return changed;
}

/** The first file that has an entry gives all of it. */
function mergeEntries(all: readonly KubeconfigEntries[]): KubeconfigEntries {
  const merge = <T>(maps: readonly ReadonlyMap<string, T>[]) =>
    new Map([...maps].reverse().flatMap((map) => [...map]));
  return {
    currentContext: all.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: merge(all.map(({ clusters }) => clusters)),
    users: merge(all.map(({ users }) => users)),
    contexts: merge(all.map(({ contexts }) => contexts)),
  };
}
