import type { Duplex } from 'node:stream';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import type { UserInfo } from '../objects/engine.ts';
import type { RequestInfo } from '../resources/request-info.ts';
import type { Tenant } from '../storage/store.ts';
import type { OwnRequest } from './own-requests.ts';

/** A group version that a package serves inside this server, beside the kinds of Kubernetes and those of CRDs. */
export interface Mount {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly MountedResource[];
  /** Answers a request to one of the resources. Whoever asks is known and may ask it. */
  readonly handle: (exchange: MountedExchange) => Promise<ApiResponse>;
  /** Takes over the connection of a client that asked for another protocol; an answer refuses it. */
  readonly upgrade?: (
    exchange: MountedExchange,
    socket: Duplex,
    head: Buffer,
  ) => Promise<ApiResponse | undefined>;
  /** OpenAPI v3 schemas by kind; kinds without one are described as any object. */
  readonly schemas?: Readonly<Record<string, object>>;
  /** Whether a tenant has the group; it may come and go. @default every tenant has it */
  readonly isServedFor?: (tenant: Tenant) => boolean;
  /** What the group's APIService names as its server, for clients that look there. @default none: the server itself */
  readonly service?: { readonly namespace: string; readonly name: string; readonly port: number };
  /** Lets go of what the group holds between requests; called when a server it is mounted on has stopped. */
  readonly close?: () => void;
}

/** A resource of a mounted group, or with a slash in its name a subresource. */
export interface MountedResource {
  /** `widgets`, `widgets/proxy`. */
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** What discovery tells and the server lets through: get, list, watch, create, … */
  readonly verbs: readonly string[];
  /** True lets every method through, those that have no verb too: whatever answers is elsewhere. @default false */
  readonly connects?: boolean;
  /** @default the kind in small letters, nothing for a subresource */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** A request to a mounted resource, after authentication and authorization. */
export interface MountedExchange {
  readonly tenant: Tenant;
  readonly request: ApiRequest;
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly resource: MountedResource;
  /** What follows the subresource in the path, as it was sent: empty or with a slash in front. */
  readonly rest: string;
  /** Filled while the request is served; sent as Warning headers. */
  readonly warnings: string[];
  /** Asks this very server about the exchange's tenant, as the server itself. */
  readonly ask: (request: OwnRequest) => Promise<unknown>;
  /** Aborted when the server stops: streams without an end of their own are ended then. */
  readonly stopping: AbortSignal;
}
