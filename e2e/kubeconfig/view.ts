// A context of a loaded kubeconfig in the form of `kubectl config view --minify --raw --flatten -o json`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser } from '@flotilla/client';

/** What kubectl would show of one context. */
export function viewOf(kubeconfig: Kubeconfig, contextName: string): unknown {
  const context = kubeconfig.contexts.get(contextName) ?? {};
  const cluster = kubeconfig.clusters.get(context.cluster ?? '');
  const user = kubeconfig.users.get(context.user ?? '');
  return {
    kind: 'Config',
    apiVersion: 'v1',
    clusters: cluster && [{ name: context.cluster, cluster: flatten(cluster) }],
    users: user && [{ name: context.user, user: flatten(user) }],
    contexts: [{ name: contextName, context: flatten(context) }],
    'current-context': contextName,
  };
}

/** kubectl shows paths as they are written; we keep them absolute. */
export function withPaths(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withPaths(each, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => {
      const isPath =
        key === 'tokenFile' || (key === 'command' && typeof each === 'string' && /[/]/.test(each));
      return [key, isPath ? resolve(folder, String(each)) : withPaths(each, folder)];
    }),
  );
}

/** Without what is null or empty, which Go writes for some fields and leaves out for others. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, each]) => [key, withoutEmpty(each)] as const)
      .filter(([, each]) => each !== undefined && each !== null && each !== '' && each !== false),
  );
}

type Entry = KubeconfigCluster | KubeconfigUser;

const FILES: Readonly<Record<string, string>> = {
  'certificate-authority': 'certificate-authority-data',
  'client-certificate': 'client-certificate-data',
  'client-key': 'client-key-data',
};

function flatten({ extensions, ...entry }: Entry): Record<string, unknown> {
  const fields = Object.entries(entry).filter(([field]) => field !== 'origin');
  const shown = fields.map(([field, value]): [string, unknown] => {
    const data = FILES[field];
    if (data !== undefined) return [data, readFileSync(String(value)).toString('base64')];
    return [field, Buffer.isBuffer(value) ? value.toString('base64') : value];
  });
  if (extensions !== undefined) {
    const list = [...extensions].sort(([a], [b]) => (a < b ? -1 : 1));
    shown.push(['extensions', list.map(([name, extension]) => ({ name, extension }))]);
  }
  return Object.fromEntries(shown);
}
