import {
  badRequest,
  conflict,
  formatTime,
  invalid,
  invalidObject,
  type KubeObject,
} from '@flotilla/machinery';
import { readObject } from '../handlers/body.ts';
import { writeOptions } from '../handlers/options.ts';
import { respond } from '../handlers/respond.ts';
import { admissionOfCreate } from '../handlers/subresource-admission.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import { otherKind } from '../managed-fields/other-kind.ts';
import { trackCreate } from '../managed-fields/track.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { findStored, requireStored } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';

/** A token to be signed, with all it is bound to. */
export interface TokenGrant {
  readonly tenant: string;
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound?: {
    readonly kind: 'Pod' | 'Secret' | 'Node';
    readonly name: string;
    readonly uid: string;
  };
  /** The node a bound pod runs on. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** What TokenRequest needs to know. */
export interface TokenDeps {
  readonly engine: Engine;
  readonly audiences: (tenant: string) => readonly string[];
  readonly sign: (grant: TokenGrant) => Promise<string>;
  readonly find: (group: string, version: string, resource: string) => ResourceDef | undefined;
}

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const MIN_SECONDS = 600;
const MAX_SECONDS = 4_294_967_296;
const DEFAULT_SECONDS = 3600;

/** POST to serviceaccounts/NAME/token. */
export async function requestToken(deps: TokenDeps, scope: Scope): Promise<ApiResponse> {
  const { info, tenant, def } = scope;
  const { engine } = deps;
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const sent = await readObject(scope, {
    ...options,
    kind: { ...KIND, version: 'v1' },
  });
  const { name, namespace } = info;
  checkPlace(sent, name, namespace);
  const asked = sent['spec'] as { expirationSeconds?: number | null } | undefined;
  if (asked !== undefined) asked.expirationSeconds ??= DEFAULT_SECONDS;
  const manager = managerName(options.fieldManager, scope.request.headers['user-agent']);
  const kind = otherKind(def, { ...KIND, version: 'v1' });
  await trackCreate({ def: kind, subresource: 'token', manager, now: engine.now() }, sent);
  const admission = admissionOfCreate(scope, { object: sent, dryRun: options.dryRun });
  await engine.admit(admission);
  const account = requireStored(engine, { tenant, def, namespace, name }).object;
  const uid = account.metadata.uid ?? '';
  if ((sent.metadata.uid ?? '') !== '' && sent.metadata.uid !== uid) {
    throw conflict(
      { group: KIND.group, resource: KIND.kind },
      name,
      `the UID in the token request (${sent.metadata.uid ?? ''}) does not match the UID of the service account (${uid})`,
    );
  }
  const spec = (sent['spec'] ?? {}) as {
    audiences?: string[] | null;
    expirationSeconds?: number | null;
    boundObjectRef?: BoundRef | null;
  };
  const expirationSeconds = spec.expirationSeconds ?? DEFAULT_SECONDS;
  checkExpiration(expirationSeconds);
  const audiences =
    (spec.audiences ?? []).length > 0 ? (spec.audiences ?? []) : [...deps.audiences(tenant)];
  const now = engine.now();
  const { managedFields } = sent.metadata;
  const metadata = {
    name,
    namespace,
    uid,
    creationTimestamp: formatTime(now),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
  await engine.validate({
    ...admission,
    object: { ...sent, metadata, spec: { ...spec, audiences, expirationSeconds } },
  });
  const bound = boundObject(deps, scope, spec.boundObjectRef ?? undefined);
  const token = await deps.sign({
    tenant,
    namespace,
    serviceAccount: { name, uid },
    audiences,
    expirationSeconds,
    ...bound,
  });
  return respond(201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata,
    spec: {
      audiences,
      expirationSeconds,
      boundObjectRef: spec.boundObjectRef ?? null,
    },
    status: {
      token,
      expirationTimestamp: formatTime(new Date(now.getTime() + expirationSeconds * 1000)),
    },
  });
}

function checkPlace(sent: KubeObject, name: string, namespace: string): void {
  if ((sent.metadata.name ?? '') !== '' && sent.metadata.name !== name) {
    throw invalidObject(KIND, name, [
      invalid(
        'metadata.name',
        sent.metadata.name,
        'must match the service account name if specified',
      ),
    ]);
  }
  if ((sent.metadata.namespace ?? '') !== '' && sent.metadata.namespace !== namespace) {
    throw invalidObject(KIND, name, [
      invalid(
        'metadata.namespace',
        sent.metadata.namespace,
        'must match the service account namespace if specified',
      ),
    ]);
  }
}

function checkExpiration(seconds: number): void {
  if (seconds < MIN_SECONDS) {
    throw invalidObject(KIND, '', [
      invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'),
    ]);
  }
  if (seconds > MAX_SECONDS) {
    throw invalidObject(KIND, '', [
      invalid(
        'spec.expirationSeconds',
        seconds,
        'may not specify a duration larger than 2^32 seconds',
      ),
    ]);
  }
}

interface BoundRef {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

const BINDABLE: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
};

function boundObject(
  { engine, find }: TokenDeps,
  { tenant, info }: Scope,
  ref: BoundRef | undefined,
): Pick<TokenGrant, 'bound' | 'node'> {
  if (ref === undefined) return {};
  const resource = ref.apiVersion === 'v1' ? BINDABLE[ref.kind ?? ''] : undefined;
  const def = resource === undefined ? undefined : find('', 'v1', resource);
  if (def === undefined) {
    const [group, version] = (ref.apiVersion ?? '').includes('/')
      ? (ref.apiVersion ?? '').split('/')
      : ['', ref.apiVersion ?? ''];
    throw badRequest(
      `cannot bind token to object of type ${group}/${version}, Kind=${ref.kind ?? ''}`,
    );
  }
  const name = ref.name ?? '';
  const object = requireStored(engine, { tenant, def, namespace: info.namespace, name }).object;
  const spec = (object['spec'] ?? {}) as { serviceAccountName?: string; nodeName?: string };
  if (def.kind === 'Pod' && spec.serviceAccountName !== info.name) {
    throw badRequest(
      `cannot bind token for serviceaccount "${info.name}" to pod running with different serviceaccount name.`,
    );
  }
  const uid = object.metadata.uid ?? '';
  if (ref.uid !== undefined && ref.uid !== '' && ref.uid !== uid) {
    throw conflict(
      { group: '', resource: def.kind },
      name,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const bound = { kind: def.kind as 'Pod' | 'Secret' | 'Node', name, uid };
  const nodes = find('', 'v1', 'nodes');
  if (def.kind !== 'Pod' || (spec.nodeName ?? '') === '' || nodes === undefined) return { bound };
  const nodeName = spec.nodeName ?? '';
  const node = findStored(engine, { tenant, def: nodes, namespace: '', name: nodeName });
  const nodeUid = node?.object.metadata.uid;
  return { bound, node: { name: nodeName, ...(nodeUid === undefined ? {} : { uid: nodeUid }) } };
}
