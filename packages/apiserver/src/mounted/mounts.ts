import type { Duplex } from 'node:stream';
import { StatusError } from '@flotilla/machinery';
import type { Exchange } from '../handlers/route.ts';
import { methodNotAllowed } from '../handlers/unsupported.ts';
import type { ApiRequest, ApiResponse, Handle } from '../http/exchange.ts';
import type { UpgradeHandle } from '../http/h1.ts';
import type { GroupVersion, Registry, ResourceData } from '../resources/registry.ts';
import type { RequestInfo } from '../resources/request-info.ts';
import type { Tenant } from '../storage/store.ts';
import type { Mount, MountedExchange, MountedResource } from './mount.ts';
import type { OwnRequest } from './own-requests.ts';

/** The mounted groups of a server. */
export interface Mounts {
  /** What a tenant serves, mounted groups included. */
  readonly registryOf: (tenant: Tenant) => Registry;
  /** The groups a tenant has. */
  readonly of: (tenant: Tenant) => readonly Mount[];
  /** Lets the group a request is for answer it; undefined when it is for none. */
  readonly answer: (exchange: Exchange, server: OwnServer) => Promise<ApiResponse> | undefined;
  /** The server's answer to clients that ask for another protocol; `handle` is the whole pipeline. */
  readonly upgrade: (handle: Handle) => UpgradeHandle;
}

/** The server as its mounted groups see it. */
export interface OwnServer {
  readonly ask: (tenant: Tenant, request: OwnRequest) => Promise<unknown>;
  /** Aborted when it stops. */
  readonly stopping: AbortSignal;
}

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
  isTaken: boolean;
}

/** Puts mounted groups beside what the tenants serve already. */
export function createMounts(
  mounts: readonly Mount[],
  registryOf: (tenant: Tenant) => Registry,
): Mounts {
  const lists = new WeakMap<readonly GroupVersion[], Map<string, readonly GroupVersion[]>>();
  // By the headers, which stay the same object when a stage gives the request another path.
  const upgrades = new WeakMap<ApiRequest['headers'], Upgrade>();
  const mountsOf = (tenant: Tenant): readonly Mount[] =>
    mounts.filter(({ isServedFor }) => isServedFor === undefined || isServedFor(tenant));

  /** One list for each list below and set of groups, because whoever makes documents of it keeps them by it. */
  const groupVersions = (own: readonly GroupVersion[], tenant: Tenant): readonly GroupVersion[] => {
    const served = mountsOf(tenant);
    if (served.length === 0) return own;
    const key = served.map(({ group, version }) => `${group}/${version}`).join();
    const known = lists.get(own) ?? new Map<string, readonly GroupVersion[]>();
    lists.set(own, known);
    const list = known.get(key) ?? [...own, ...served.map(groupVersionOf)];
    known.set(key, list);
    return list;
  };

  const registries = new WeakMap<Registry, Registry>();
  const withMounts = (own: Registry, tenant: Tenant): Registry => {
    const known = registries.get(own);
    if (known !== undefined) return known;
    const registry: Registry = {
      get groupVersions() {
        return groupVersions(own.groupVersions, tenant);
      },
      find: own.find,
      stored: own.stored,
    };
    registries.set(own, registry);
    return registry;
  };

  return {
    of: mountsOf,
    registryOf:
      mounts.length === 0 ? registryOf : (tenant) => withMounts(registryOf(tenant), tenant),
    answer: (exchange, server) => {
      const { group, version } = exchange.info;
      if (mounts.length === 0 || !exchange.info.isResource) return undefined;
      const mount = mountsOf(exchange.tenant).find(
        (each) => each.group === group && each.version === version,
      );
      if (mount === undefined) return undefined;
      const upgrade = upgrades.get(exchange.request.headers);
      return answer({ mount, exchange, server, upgrade });
    },
    upgrade: (handle) => async (request, socket, head) => {
      const upgrade: Upgrade = { socket, head, isTaken: false };
      upgrades.set(request.headers, upgrade);
      const response = await handle(request);
      return upgrade.isTaken ? undefined : response;
    },
  };
}

interface Asked {
  readonly mount: Mount;
  readonly exchange: Exchange;
  readonly server: OwnServer;
  readonly upgrade: Upgrade | undefined;
}

async function answer({ mount, exchange, server, upgrade }: Asked): Promise<ApiResponse> {
  const { info, request, tenant, user, warnings } = exchange;
  const mounted: MountedExchange = {
    tenant,
    request,
    user,
    info,
    resource: findResource(mount, info),
    rest: restOf(request.path, info),
    warnings,
    ask: (own) => server.ask(tenant, own),
    stopping: server.stopping,
  };
  if (upgrade === undefined || mount.upgrade === undefined) return mount.handle(mounted);
  const refusal = await mount.upgrade(mounted, upgrade.socket, upgrade.head);
  if (refusal !== undefined) return refusal;
  upgrade.isTaken = true;
  return SWITCHED;
}

/** Never sent: the connection is in other hands. */
const SWITCHED: ApiResponse = { status: 101, headers: {}, body: Buffer.alloc(0) };

/** Only what discovery tells of gets through to the package. */
function findResource(mount: Mount, info: RequestInfo): MountedResource {
  const name = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  const resource = mount.resources.find((each) => each.name === name);
  if (resource === undefined || info.verb === 'proxy') throw notThere();
  if (!resource.namespaced && info.namespace !== '') throw notThere();
  // Without its namespace a namespaced resource can be listed and watched, no more.
  if (resource.namespaced && info.namespace === '') {
    if (info.parts.length > 1) throw notThere();
    if (info.verb !== 'list' && info.verb !== 'watch') throw methodNotAllowed();
  }
  if (resource.connects !== true && !resource.verbs.includes(info.verb)) throw methodNotAllowed();
  return resource;
}

function notThere(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** Resource, name and subresource, and in front of them `/apis/GROUP/VERSION` and perhaps a namespace. */
function restOf(path: string, { namespace, parts }: RequestInfo): string {
  if (parts.length <= 3) return path.endsWith('/') && parts.length === 3 ? '/' : '';
  const before = 3 + (namespace === '' ? 0 : 2) + 3;
  return `/${path.replace(/^\//, '').split('/').slice(before).join('/')}`;
}

function groupVersionOf({ group, version, resources }: Mount): GroupVersion {
  return { group, version, preferred: true, resources: resources.map(resourceData) };
}

function resourceData(resource: MountedResource): ResourceData {
  const { name, kind, namespaced, verbs, shortNames, categories } = resource;
  const singular = resource.singular ?? (name.includes('/') ? '' : kind.toLowerCase());
  return {
    name,
    kind,
    singular,
    namespaced,
    verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    custom: { storageVersion: '' },
  };
}
