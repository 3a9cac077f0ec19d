import { methodNotSupported, notAcceptable, StatusError } from '@flotilla/machinery';
import { type Review, type ReviewDeps, reviews } from '../authz/reviews.ts';
import type { Discovery } from '../discovery/discovery.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope, UserInfo } from '../objects/engine.ts';
import type { Registry } from '../resources/registry.ts';
import type { RequestInfo } from '../resources/request-info.ts';
import { groupResource } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import { bind } from '../subresources/binding.ts';
import { evict } from '../subresources/eviction.ts';
import { scale } from '../subresources/scale.ts';
import { requestToken, type TokenDeps } from '../subresources/token.ts';
import { readObject } from './body.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { removeCollection } from './delete-collection.ts';
import { get } from './get.ts';
import { type ListDeps, list } from './list.ts';
import { writeOptions } from './options.ts';
import { patch } from './patch.ts';
import { respond, withWarnings } from './respond.ts';
import { update } from './update.ts';
import { type WatchDeps, watch } from './watch.ts';

/** A request that has passed authentication and authorization. */
export interface Exchange {
  readonly request: ApiRequest;
  readonly tenant: Tenant;
  readonly info: RequestInfo;
  readonly user: UserInfo;
}

/** Everything a route may lead to. */
export interface RouteDeps extends ReviewDeps {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly discovery: Discovery;
  readonly list: ListDeps;
  readonly watch: WatchDeps;
  readonly token: TokenDeps;
  /** Paths that name no resource: version, health, OpenAPI, keys. Undefined when nothing is there. */
  readonly other: (exchange: Exchange) => ApiResponse | undefined;
  /** Address clients reach us at, for `/api`. */
  readonly address: () => string;
}

/** Finds who answers, and lets them. */
export async function route(deps: RouteDeps, exchange: Exchange): Promise<ApiResponse> {
  const { info, request } = exchange;
  if (!info.isResource) return routeOther(deps, exchange);
  const def = deps.registry.find(info.group, info.version, info.resource);
  if (def === undefined) throw pathNotFound();
  if (info.parts.length > 3) throw pathNotFound();
  const scope: Scope = { ...exchange, def, warnings: [] };
  checkScope(scope);
  const answer = await (info.subresource === ''
    ? routeResource(deps, scope)
    : routeSubresource(deps, scope));
  const response = withWarnings(answer, scope.warnings);
  return request.method === 'HEAD' ? { ...response, body: Buffer.alloc(0) } : response;
}

/** Upstream's answer to a path nobody serves. */
export function pathNotFound(): StatusError {
  return new StatusError(
    404,
    'NotFound',
    'the server could not find the requested resource',
    {},
  );
}

/** A namespaced resource needs its namespace to be written; a cluster-scoped one has none. */
function checkScope({ def, info }: Scope): void {
  const hasNamespace = info.namespace !== '' && def.resource !== 'namespaces';
  if (!def.namespaced && hasNamespace) throw pathNotFound();
  if (!def.namespaced || hasNamespace) return;
  const wholeCollection = info.parts.length === 1 && ['list', 'watch', 'create', 'deletecollection'].includes(info.verb);
  if (!wholeCollection) throw pathNotFound();
  if (info.verb === 'create' && !reviews[`${def.group}/${def.resource}`]) {
    throw methodNotSupported(groupResource(def), 'create');
  }
  if (info.verb === 'deletecollection') throw methodNotSupported(groupResource(def), 'deletecollection');
}

async function routeResource(deps: RouteDeps, scope: Scope): Promise<ApiResponse> {
  const { def, info } = scope;
  const { engine } = deps;
  const review = reviews[`${def.group}/${def.resource}`];
  if (review !== undefined && info.verb === 'create') return answerReview(deps, scope, review);
  if (def.group === '' && def.resource === 'bindings' && info.verb === 'create') {
    return bind(engine, scope, required(deps, '', 'pods'));
  }
  if (!def.verbs.includes(info.verb)) throw methodNotSupported(groupResource(def), info.verb);
  if (def.resource === 'componentstatuses') return respond(200, { kind: 'ComponentStatusList', apiVersion: 'v1', metadata: {}, items: [] });
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
      return update(engine, scope);
    case 'patch':
      return patch(engine, scope);
    case 'delete':
      return remove(engine, scope);
    case 'deletecollection':
      return removeCollection(engine, scope);
    default:
      throw methodNotSupported(groupResource(def), info.verb);
  }
}

async function routeSubresource(deps: RouteDeps, scope: Scope): Promise<ApiResponse> {
  const { def, info } = scope;
  const { engine } = deps;
  const sub = def.subresources.get(info.subresource);
  if (sub === undefined) throw pathNotFound();
  if (!sub.verbs.includes(info.verb)) {
    throw methodNotSupported(groupResource(def), info.verb);
  }
  if (info.subresource === 'scale') return scale(engine, scope);
  if (info.subresource === 'token') return requestToken(deps.token, scope);
  if (info.subresource === 'binding') return bind(engine, scope, def);
  if (info.subresource === 'eviction') {
    return evict(engine, scope, required(deps, 'policy', 'poddisruptionbudgets'));
  }
  if (CONNECTIONS.has(info.subresource)) throw noNode(scope);
  switch (info.verb) {
    case 'get':
      return get(engine, scope);
    case 'update':
      return update(engine, scope);
    case 'patch':
      return patch(engine, scope);
    default:
      throw methodNotSupported(groupResource(def), info.verb);
  }
}

const CONNECTIONS = new Set(['log', 'exec', 'attach', 'portforward', 'proxy']);

/** Nothing runs here, so there is no kubelet to forward to. */
function noNode({ info, def }: Scope): StatusError {
  return new StatusError(
    400,
    'BadRequest',
    `${def.singular} ${info.name} does not have a host assigned`,
  );
}

function required(deps: RouteDeps, group: string, resource: string) {
  const def = deps.registry.find(group, 'v1', resource);
  if (def === undefined) throw pathNotFound();
  return def;
}

async function answerReview(deps: RouteDeps, scope: Scope, review: Review): Promise<ApiResponse> {
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const object = await readObject(scope, options);
  const answer = await review(deps, scope, object);
  return respond(201, scope.def.canonicalize(answer));
}

const AGGREGATED = /application\/json;.*\bas=APIGroupDiscoveryList\b/;

function routeOther(deps: RouteDeps, exchange: Exchange): ApiResponse {
  const { request } = exchange;
  const found = deps.other(exchange) ?? discover(deps, request);
  if (found === undefined) throw pathNotFound();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new StatusError(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  }
  return found;
}

function discover(deps: RouteDeps, request: ApiRequest): ApiResponse | undefined {
  const parts = request.path.split('/').filter((part) => part !== '');
  const [root, group, version] = parts;
  const { discovery } = deps;
  if (root === 'api' || root === 'apis') {
    if (parts.length === 1) {
      const aggregated = aggregate(deps, request, root);
      if (aggregated !== undefined) return aggregated;
      return respond(200, root === 'api' ? discovery.versions(deps.address()) : discovery.groups());
    }
    const document =
      root === 'api'
        ? parts.length === 2
          ? discovery.resources('', group ?? '')
          : undefined
        : parts.length === 2
          ? discovery.group(group ?? '')
          : parts.length === 3
            ? discovery.resources(group ?? '', version ?? '')
            : undefined;
    return document === undefined ? undefined : respond(200, document);
  }
  return undefined;
}

function aggregate(
  { discovery }: RouteDeps,
  request: ApiRequest,
  root: 'api' | 'apis',
): ApiResponse | undefined {
  for (const clause of (request.headers['accept'] ?? '').split(',')) {
    const text = clause.trim();
    if (!AGGREGATED.test(text)) {
      if (/^(application\/json|\*\/\*|application\/\*)(;q=[\d.]+)?$/.test(text)) return undefined;
      continue;
    }
    const version = /\bv=(v2beta1|v2)\b/.exec(text)?.[1] as 'v2' | 'v2beta1' | undefined;
    if (version === undefined || !text.includes('g=apidiscovery.k8s.io')) continue;
    const { bytes, etag } = discovery.aggregated(root, version);
    const headers = {
      'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      etag,
      'cache-control': 'public',
      vary: 'Accept',
    };
    if ((request.headers['if-none-match'] ?? '').includes(etag)) {
      return { status: 304, headers, body: Buffer.alloc(0) };
    }
    return { status: 200, headers, body: bytes };
  }
  const accept = request.headers['accept'] ?? '';
  if (accept !== '' && !/json|\*/.test(accept) && !accept.includes('protobuf')) {
    throw notAcceptable('only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf');
  }
  return undefined;
}

