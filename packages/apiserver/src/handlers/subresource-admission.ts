import type { KubeObject } from '@flotilla/machinery';
import { canonicalize } from '../codec/canonical.ts';
import { typeTables } from '../codec/type-tables.ts';
import type { Admission, Engine, Scope } from '../objects/engine.ts';
import { matchNamespace } from '../objects/metadata.ts';
import { booleanParameter } from './options.ts';
import { originOf } from './origin.ts';

/** Admission of something that is created but never stored: a binding, an eviction, a token, a review. */
export function admissionOfCreate(
  scope: Scope,
  { object, dryRun }: { object: KubeObject; dryRun: boolean },
): Admission {
  const { tenant, def, info, user } = scope;
  const sub = def.subresources.get(info.subresource);
  matchNamespace(def, object.metadata, info.namespace);
  return {
    tenant,
    def,
    operation: 'CREATE',
    subresource: info.subresource,
    ...(sub === undefined
      ? {}
      : { kind: { group: sub.group, version: sub.version, kind: sub.kind } }),
    namespace: def.namespaced ? info.namespace : '',
    name: info.subresource === '' ? (object.metadata.name ?? '') : info.name,
    object,
    old: undefined,
    user,
    dryRun,
    warn: (message) => scope.warnings.push(message),
    origin: originOf(scope, 'CreateOptions'),
  };
}

/** Subresources that open a connection instead of answering. */
const CONNECTIONS = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** Lets admission have its say before a connection into a pod, node or service is opened. */
export async function admitConnection(engine: Engine, scope: Scope): Promise<void> {
  const { tenant, def, info, user } = scope;
  const sub = def.subresources.get(info.subresource);
  if (sub === undefined || !CONNECTIONS.has(info.subresource)) return;
  const kind = { group: sub.group, version: sub.version, kind: sub.kind };
  const admission: Admission = {
    tenant,
    def,
    operation: 'CONNECT',
    subresource: info.subresource,
    kind,
    namespace: def.namespaced ? info.namespace : '',
    name: info.name,
    object: connectionOptions(scope, kind),
    old: undefined,
    user,
    dryRun: false,
    warn: (message) => scope.warnings.push(message),
  };
  await engine.admit(admission);
  await engine.validate(admission);
}

const FLAGS = ['stdin', 'stdout', 'stderr', 'tty'];

/** PodExecOptions and the like, read from the query as upstream reads them. */
function connectionOptions(
  { request, info }: Scope,
  kind: NonNullable<Admission['kind']>,
): KubeObject {
  const { query } = request;
  const path = info.parts.slice(3).join('/');
  const sent = {
    kind: kind.kind,
    apiVersion: kind.version,
    ...Object.fromEntries(FLAGS.map((name) => [name, booleanParameter(query, name) ?? false])),
    container: query.get('container') ?? '',
    command: query.getAll('command'),
    ports: query
      .getAll('ports')
      .map(Number)
      .filter((port) => Number.isSafeInteger(port)),
    ...(path === '' ? {} : { path: `/${path}` }),
  };
  const type = typeTables().kind(kind);
  const object = type === undefined ? sent : canonicalize(type, sent);
  return { ...object, kind: kind.kind, apiVersion: kind.version } as unknown as KubeObject;
}
