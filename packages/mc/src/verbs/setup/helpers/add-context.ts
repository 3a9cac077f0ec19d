import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Kubeconfig } from '@flotilla/client';
import { deepEqual, isJsonObject, ParseError, parseYaml, toYaml } from '@flotilla/machinery';
import { canonicalServer } from '../../../access/servers.ts';
import { writePrivateFile } from '../../../files/private-file.ts';
import { type LockOptions, withLock } from '../../../settings/lock-file.ts';
import { UsageError } from '../../../usage-error.ts';
import type { EntryFields, FetchedContext } from './read-fetched.ts';

/** What adding to the user's kubeconfig needs. */
export interface AddDeps {
  readonly lock: LockOptions;
  /** The user's kubeconfig as it is now. */
  readonly load: () => Promise<Kubeconfig>;
  /** Where new contexts go. */
  readonly file: string;
}

/**
 * Adds a context to the user's kubeconfig and tells its name there. What belongs to the same server is replaced; what only
 * has the same name is not, and the new one gets another. The current context stays, whatever the command would have made
 * it: it may be how the hub is found.
 */
export async function addContext(fetched: FetchedContext, deps: AddDeps): Promise<string> {
  const { file, lock, load } = deps;
  return await withLock(file, lock, async () => {
    const kubeconfig = await load();
    const document = await documentOf(file);
    const { clusterName, userName, name } = namesFor(fetched, kubeconfig);
    const { namespace } = kubeconfig.contexts.get(name) ?? {};
    const contextFields = {
      cluster: clusterName,
      ...(namespace === undefined ? {} : { namespace }),
      ...fetched.context,
      user: userName,
    };
    const changed = {
      ...(Object.keys(document).length === 0 ? { apiVersion: 'v1', kind: 'Config' } : document),
      clusters: withEntry(document['clusters'], clusterName, { cluster: fetched.cluster }),
      users: withEntry(document['users'], userName, { user: fetched.user }),
      contexts: withEntry(document['contexts'], name, { context: contextFields }),
    };
    if (!deepEqual(changed, document)) await writePrivateFile(file, toYaml(changed));
    return name;
  });
}

/** The file that kubectl would add to: the one of the flag, the first of KUBECONFIG that is there, else `~/.kube/config`. */
export function kubeconfigTarget({ files, missing }: Kubeconfig, cwd: string): string {
  const file = files.find((each) => !missing.includes(each)) ?? files.at(-1);
  if (file === undefined) throw new UsageError('Cannot add contexts: there is no kubeconfig');
  return resolve(cwd, file);
}

async function documentOf(file: string): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`Cannot read kubeconfig "${file}": ${(error as Error).message}`);
  }
  try {
    const { value } = parseYaml(text);
    if (value === null) return {};
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`Cannot read kubeconfig "${file}": ${error.message}`);
  }
  throw new UsageError(`Cannot add to kubeconfig "${file}": it is none`);
}

interface Names {
  readonly name: string;
  readonly clusterName: string;
  readonly userName: string;
}

function namesFor(fetched: FetchedContext, { contexts, clusters, users }: Kubeconfig): Names {
  const server = canonicalServer(String(fetched.cluster['server']));
  const leadsThere = (cluster: string | undefined): boolean =>
    canonicalServer(clusters.get(cluster ?? '')?.server ?? '') === server;
  const isUserElsewhere = (user: string): boolean =>
    [...contexts.values()].some((each) => each.user === user && !leadsThere(each.cluster));
  return {
    name: freeName(fetched.name, (each) => {
      const known = contexts.get(each);
      return known === undefined || leadsThere(known.cluster);
    }),
    clusterName: freeName(fetched.clusterName, (each) => !clusters.has(each) || leadsThere(each)),
    userName: freeName(fetched.userName, (each) => !users.has(each) || !isUserElsewhere(each)),
  };
}

/** `name`, or `name-2` and so on. */
function freeName(name: string, isFree: (name: string) => boolean): string {
  let candidate = name;
  for (let count = 2; !isFree(candidate); count += 1) candidate = `${name}-${count}`;
  return candidate;
}

function withEntry(list: unknown, name: string, fields: EntryFields): unknown[] {
  const entries = Array.isArray(list) ? (list as unknown[]) : [];
  const entry = { name, ...fields };
  const at = entries.findIndex((each) => isJsonObject(each) && each['name'] === name);
  return at < 0 ? [...entries, entry] : entries.with(at, entry);
}
