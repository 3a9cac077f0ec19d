import { getOwn, goJsonKind, goQuote, isJsonObject } from '@flotilla/machinery';
import type {
  KubeconfigCluster,
  KubeconfigContext,
  KubeconfigEntries,
  KubeconfigExec,
  KubeconfigUser,
} from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';
import { kubeconfigShape } from './kubeconfig-shape.ts';
import { readShape } from './read-shape.ts';

interface NamedExtension {
  readonly name?: string;
  readonly extension?: unknown;
}

/** An entry as it is read, before its extensions are looked up by name. */
type Raw<T> = Omit<T, 'extensions' | 'origin'> & { readonly extensions?: NamedExtension[] };

interface RawConfig {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly 'current-context'?: string;
  readonly clusters?: { name?: string; cluster?: Raw<KubeconfigCluster> }[];
  readonly users?: { name?: string; user?: Raw<KubeconfigUser> }[];
  readonly contexts?: { name?: string; context?: Raw<KubeconfigContext> }[];
}

/** How kubectl calls its lists when an entry stands in one twice. */
const LISTS = {
  clusters: { slice: 'NamedCluster', type: 'Cluster' },
  users: { slice: 'NamedAuthInfo', type: 'AuthInfo' },
  contexts: { slice: 'NamedContext', type: 'Context' },
} as const;

/** The entries in what a YAML parser made of a kubeconfig. */
export function entriesOf(value: unknown): KubeconfigEntries {
  checkKind(value);
  const { value: read, error } = readShape(value, kubeconfigShape);
  if (error !== undefined) throw new KubeconfigError(error);
  const config = (read ?? {}) as RawConfig;
  return {
    currentContext: config['current-context'] ?? '',
    clusters: byName('clusters', config.clusters, ({ cluster }) => withExtensions(cluster)),
    users: byName('users', config.users, ({ user }) => withDefaults(withExtensions(user))),
    contexts: byName('contexts', config.contexts, ({ context }) => withExtensions(context)),
  };
}

/** kubectl looks at kind and version first, and takes what says neither for a kubeconfig. */
function checkKind(value: unknown): void {
  if (value === null) return;
  if (!isJsonObject(value)) throw new KubeconfigError(notAnObject(goJsonKind(value)));
  for (const field of ['apiVersion', 'kind']) {
    const found = getOwn(value, field) ?? '';
    if (typeof found !== 'string') {
      throw new KubeconfigError(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goJsonKind(found)} into Go struct field .${field} of type string`,
      );
    }
  }
  const kind = (getOwn(value, 'kind') as string | null | undefined) || 'Config';
  const version = (getOwn(value, 'apiVersion') as string | null | undefined) || 'v1';
  if (kind === 'Config' && version === 'v1') return;
  throw new KubeconfigError(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:110"`,
  );
}

function notAnObject(kind: string): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** kubectl prints the whole list, secrets and all, when a name stands twice; this names only the name. */
function byName<N extends { name?: string }, T>(
  list: keyof typeof LISTS,
  items: readonly N[] | undefined,
  entry: (item: N) => T,
): Map<string, T> {
  const result = new Map<string, T>();
  for (const item of items ?? []) {
    const name = item.name ?? '';
    if (result.has(name)) {
      const { slice, type } = LISTS[list];
      throw new KubeconfigError(
        `error converting *[]${slice} into *map[string]*api.${type}: duplicate name "${name}" in list`,
      );
    }
    result.set(name, entry(item));
  }
  return result;
}

function withExtensions<T extends { extensions?: NamedExtension[] }>(
  raw: T | undefined,
): Omit<T, 'extensions'> & { extensions?: ReadonlyMap<string, unknown> } {
  const { extensions, ...rest } = raw ?? ({} as T);
  if (extensions === undefined || extensions.length === 0) return rest;
  const named = new Map<string, unknown>();
  for (const { name = '', extension = null } of extensions) {
    if (named.has(name)) {
      throw new KubeconfigError(
        `error converting *[]NamedExtension into *map[string]runtime.Object: duplicate name "${name}" in list`,
      );
    }
    named.set(name, extension);
  }
  return { ...rest, extensions: named };
}

/** Only version v1 asks for an explicit interactiveMode. */
function withDefaults(user: KubeconfigUser): KubeconfigUser {
  const { exec } = user;
  if (exec === undefined || exec.interactiveMode !== undefined || !isOldExec(exec)) return user;
  return { ...user, exec: { ...exec, interactiveMode: 'IfAvailable' } };
}

function isOldExec({ apiVersion }: KubeconfigExec): boolean {
  return (
    apiVersion === 'client.authentication.k8s.io/v1beta1' ||
    apiVersion === 'client.authentication.k8s.io/v1alpha1'
  );
}
