import { type GroupResource, methodNotSupported, StatusError } from '@flotilla/machinery';
import { type Review, type ReviewDeps, reviews } from '../authz/reviews.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import { pageNotFound } from '../http/plain-error.ts';
import { managerName } from '../managed-fields/manager-name.ts';
import { trackCreate } from '../managed-fields/track.ts';
import type { Engine, Scope, UserInfo } from '../objects/engine.ts';
import type { Registry } from '../resources/registry.ts';
import type { RequestInfo } from '../resources/request-info.ts';
import { groupResource, type ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { bind } from '../subresources/binding.ts';
import { evict } from '../subresources/eviction.ts';
import { askKubelet, KUBELET_SUBRESOURCES } from '../subresources/kubelet.ts';
import type { KubeletClient } from '../subresources/kubelet-client.ts';
import { podLog } from '../subresources/pod-log.ts';
import { scale } from '../subresources/scale.ts';
import { requestToken, type TokenDeps } from '../subresources/token.ts';
import { readObject } from './body.ts';
import { create } from './create.ts';
import { checkCustomRoute } from './custom-route.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import { get } from './get.ts';
import { type ListDeps, list } from './list.ts';
import { writeOptions } from './options.ts';
import { patch } from './patch.ts';
import { respond } from './respond.ts';
import { admissionOfCreate, admitConnection } from './subresource-admission.ts';
import { methodNotAllowed } from './unsupported.ts';
import { update } from './update.ts';
import { type WatchDeps, watch } from './watch.ts';

/** A request that has passed authentication and authorization. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly tenant: Tenant;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  /** Filled while the request is served; sent as Warning headers, with refusals too. */
  readonly warnings: string[];
}

/** Everything a route may lead to. */
export interface RouteDeps extends ReviewDeps {
  readonly engine: Engine;
  /** What a tenant serves. */
  readonly registryOf: (tenant: Tenant) => Registry;
  readonly list: ListDeps;
  readonly watch: WatchDeps;
  readonly token: TokenDeps;
  readonly kubelets: KubeletClient;
  /** Lets the mounted group a request is for answer it; undefined when it is for none. */
  readonly mounted: (exchange: Exchange) => Promise<ApiResponse> | undefined;
  /** Paths that name no resource: version, health, discovery, OpenAPI, keys. Undefined when nothing is there. */
  readonly other: (exchange: Exchange) => ApiResponse | undefined;
}

/** Kinds that clients are told to leave behind, whatever they do with them. */
const DEPRECATED: Readonly<Record<string, string>> = {
  'core/endpoints/': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  'core/componentstatuses/': 'v1 ComponentStatus is deprecated in v1.19+',
};

/** Finds who answers, and lets them. */
export async function route(deps: RouteDeps, exchange: Exchange): Promise<ApiResponse> {
  const { request, tenant, info, user, warnings } = exchange;
  const registry = deps.registryOf(tenant);
  if (!info.isResource) {
    const found = deps.other(exchange);
    if (found === undefined)
      throw isInServedGroup(registry, info.path) ? resourceNotFound() : pageNotFound();
    return found;
  }
  const mounted = deps.mounted(exchange);
  if (mounted !== undefined) return mounted;
  const def = findResource(registry, info);
  const scope: Scope = { tenant, def, info, user, request, warnings };
  if (!def.builtIn) checkCustomRoute(scope);
  return info.subresource === '' ? routeResource(deps, scope) : routeSubresource(deps, scope);
}

/** Upstream's answer to a resource that a served group does not have. */
function resourceNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** Below a group we serve a Status says what is missing; elsewhere nobody listens at all. */
function isInServedGroup(registry: Registry, path: string): boolean {
  const [root, group] = path.replace(/^\//, '').split('/');
  if (root === 'api') return group !== undefined;
  return root === 'apis' && group !== undefined && hasBuiltinGroup(registry, group);
}

function hasBuiltinGroup(registry: Registry, group: string): boolean {
  return registry.groupVersions.some(
    (gv) => gv.group === group && gv.resources.some(({ custom }) => custom === undefined),
  );
}

function findResource(registry: Registry, info: RequestInfo): ResourceDef {
  if (info.verb === 'proxy') throw resourceNotFound();
  const def = registry.find(info.group, info.version, info.resource);
  if (def === undefined) {
    throw hasBuiltinGroup(registry, info.group) ? resourceNotFound() : pageNotFound();
  }
  if (!def.builtIn) return def;
  const inNamespace = info.namespace !== '' && def.resource !== 'namespaces';
  if (!def.namespaced && inNamespace) throw resourceNotFound();
  // Below a name only subresources follow, and only nodes know what lies further down.
  if (info.parts.length > 3 && info.subresource !== 'proxy') throw resourceNotFound();
  // Without its namespace a namespaced resource can be listed and watched, no more.
  if (def.namespaced && !inNamespace) {
    if (info.parts.length > 1) throw resourceNotFound();
    if (!['list', 'watch'].includes(info.verb)) throw methodNotAllowed();
  }
  return def;
}

async function routeResource(deps: RouteDeps, scope: Scope): Promise<ApiResponse> {
  const { def, info, request } = scope;
  const { engine } = deps;
  if (request.method === 'HEAD' && def.builtIn) throw methodNotAllowed();
  const named = info.parts.length > 1;
  const review = reviews[`${def.group}/${def.resource}`];
  if (review !== undefined && info.verb === 'create' && !named) {
    return answerReview(deps, scope, review);
  }
  if (def.group === '' && def.resource === 'bindings' && info.verb === 'create' && !named) {
    return bind(engine, scope, required(deps, scope, { group: '', resource: 'pods' }));
  }
  if (!def.verbs.includes(info.verb)) {
    // A list that cannot be watched is told apart from a method that does not exist.
    if (info.verb !== 'watch') throw methodNotAllowed();
    warnOfDeprecation(scope);
    throw methodNotSupported(groupResource(def), 'watch');
  }
  warnOfDeprecation(scope);
  if (def.resource === 'componentstatuses') return componentStatuses(info);
  // Objects are created in their collection and changed at their own path, never the other way round.
  const misplaced = named ? info.verb === 'create' : ['update', 'patch'].includes(info.verb);
  if (misplaced && def.builtIn) throw methodNotAllowed();
  switch (info.verb) {
    case 'get':
      return get(engine, scope);
    case 'list':
      return list(deps.list, scope);
    case 'watch':
      return watch(deps.watch, scope);
    case 'create':
      return create(engine, scope);
    case 'update':
      return update(deps, scope);
    case 'patch':
      return patch(deps, scope);
    case 'delete':
      return remove(engine, scope);
    case 'deletecollection':
      return removeCollection(engine, scope);
    default:
      throw methodNotAllowed();
  }
}

function warnOfDeprecation({ def, warnings }: Scope): void {
  const deprecation = def.deprecation ?? DEPRECATED[def.prefix];
  if (deprecation !== undefined) warnings.push(deprecation);
}

async function routeSubresource(deps: RouteDeps, scope: Scope): Promise<ApiResponse> {
  const { def, info, request } = scope;
  const { engine } = deps;
  const sub = def.subresources.get(info.subresource);
  if (sub === undefined) throw resourceNotFound();
  if (request.method === 'HEAD' || !sub.verbs.includes(info.verb)) throw methodNotAllowed();
  warnOfDeprecation(scope);
  if (info.subresource === 'scale') return scale(engine, scope);
  if (info.subresource === 'token') return requestToken(deps.token, scope);
  if (info.subresource === 'binding') return bind(engine, scope, def);
  if (info.subresource === 'eviction') {
    return evict(
      engine,
      scope,
      required(deps, scope, { group: 'policy', resource: 'poddisruptionbudgets' }),
    );
  }
  await admitConnection(engine, scope);
  if (info.subresource === 'log') {
    const nodes = required(deps, scope, { group: '', resource: 'nodes' });
    return podLog({ engine, kubelets: deps.kubelets, nodes }, scope);
  }
  if (KUBELET_SUBRESOURCES.has(info.subresource)) return askKubelet(engine, scope);
  switch (info.verb) {
    case 'get':
      return get(engine, scope);
    case 'update':
      return update(deps, scope);
    case 'patch':
      return patch(deps, scope);
    default:
      throw methodNotAllowed();
  }
}

/** There is no scheduler, controller manager or etcd of ours to report on. */
function componentStatuses(info: RequestInfo): ApiResponse {
  if (info.verb === 'get') {
    throw new StatusError(404, 'NotFound', `Component not found: ${info.name}`, {
      name: `Component not found: ${info.name}`,
    });
  }
  return respond(200, {
    kind: 'ComponentStatusList',
    apiVersion: 'v1',
    metadata: {},
    items: [],
  });
}

function required(
  { registryOf }: RouteDeps,
  { tenant }: Scope,
  { group, resource }: GroupResource,
): ResourceDef {
  const def = registryOf(tenant).find(group, 'v1', resource);
  if (def === undefined) throw resourceNotFound();
  return def;
}

async function answerReview(deps: RouteDeps, scope: Scope, review: Review): Promise<ApiResponse> {
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const object = await readObject(scope, options);
  const manager = managerName(options.fieldManager, scope.request.headers['user-agent']);
  const now = deps.engine.now();
  await trackCreate({ def: scope.def, subresource: '', manager, now }, object);
  const { managedFields } = object.metadata;
  const admission = admissionOfCreate(scope, { object, dryRun: options.dryRun });
  await deps.engine.admit(admission);
  await deps.engine.validate(admission);
  const answer = await review(deps, scope, object);
  // The answer about rules is a new object upstream, not the one that was sent.
  if (managedFields !== undefined && scope.def.kind !== 'SelfSubjectRulesReview') {
    answer.metadata.managedFields = managedFields;
  }
  return respond(201, scope.def.canonicalize(answer));
}
