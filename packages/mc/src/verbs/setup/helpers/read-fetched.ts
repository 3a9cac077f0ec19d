import { isAbsolute } from 'node:path';
import { isJsonObject, ParseError, parseYaml } from '@flotilla/machinery';

/** Fields of an entry of a kubeconfig, as its writer wrote them. */
export type EntryFields = Readonly<Record<string, unknown>>;

/** A context that a command wrote, with all that belongs to it. */
export interface FetchedContext {
  readonly name: string;
  readonly clusterName: string;
  readonly userName: string;
  readonly cluster: EntryFields;
  readonly user: EntryFields;
  /** Without the names of cluster and user. */
  readonly context: EntryFields;
}

/**
 * The context in what a command wrote to a kubeconfig, or else printed: a kubeconfig, or JSON that has one in `config`, as
 * some APIs answer. Undefined when there is none.
 */
export function readFetched(written: string, printed: string): FetchedContext | undefined {
  return contextOf(documentOf(written)) ?? contextOf(printedDocument(printed));
}

function printedDocument(printed: string): unknown {
  const document = documentOf(printed);
  if (!isJsonObject(document)) return undefined;
  const { config } = document;
  return typeof config === 'string' ? documentOf(config) : document;
}

function documentOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseYaml(text).value;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

/** The current context, or the only one. */
function contextOf(document: unknown): FetchedContext | undefined {
  if (!isJsonObject(document)) return undefined;
  const contexts = named(document['contexts'], 'context');
  const current = document['current-context'];
  const name =
    typeof current === 'string' && contexts.has(current)
      ? current
      : contexts.size === 1
        ? [...contexts.keys()][0]
        : undefined;
  if (name === undefined) return undefined;
  const { cluster: clusterName, user: userName, ...context } = contexts.get(name) ?? {};
  if (typeof clusterName !== 'string' || typeof userName !== 'string') return undefined;
  const cluster = named(document['clusters'], 'cluster').get(clusterName);
  const user = named(document['users'], 'user').get(userName);
  if (typeof cluster?.['server'] !== 'string' || user === undefined) return undefined;
  if (hasRelativePath(cluster) || hasRelativePath(user)) return undefined;
  return { name, clusterName, userName, cluster, user, context };
}

const PATH_FIELDS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'];

/** Relative to a kubeconfig that will be gone. */
function hasRelativePath(fields: EntryFields): boolean {
  return PATH_FIELDS.some((name) => {
    const path = fields[name];
    return typeof path === 'string' && path !== '' && !isAbsolute(path);
  });
}

/** `[{name, FIELD: {…}}]` as a map. */
function named(list: unknown, field: string): Map<string, EntryFields> {
  const entries = new Map<string, EntryFields>();
  for (const each of Array.isArray(list) ? (list as unknown[]) : []) {
    if (!isJsonObject(each) || typeof each['name'] !== 'string') continue;
    const fields = each[field];
    if (isJsonObject(fields)) entries.set(each['name'], fields);
  }
  return entries;
}
