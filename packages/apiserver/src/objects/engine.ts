import type { KubeObject } from '@flotilla/machinery';
import type { UserInfo } from '../authn/user-info.ts';
import type { ApiRequest } from '../http/exchange.ts';
import type { RequestInfo } from '../resources/request-info.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Store, Tenant } from '../storage/store.ts';

export type { UserInfo } from '../authn/user-info.ts';

/** One request to a resource, after routing and authorization. */
export interface Scope {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly request: ApiRequest;
  /** Filled while the request is served; sent as Warning headers. */
  readonly warnings: string[];
}

/** What a request does to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The request behind a write; our own controllers have none. */
export interface Origin {
  /** CreateOptions, UpdateOptions or DeleteOptions as they were sent, with their kind. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Whether mutating admission runs a second time, and what plug-ins remember between the two. */
export interface Reinvocation {
  /** True the second time. */
  isAgain: boolean;
  /** Set by a plug-in that wants all of them to run once more. */
  isWanted: boolean;
  readonly values: Map<string, unknown>;
}

/** A write on its way to the store, as admission sees it. */
export interface Admission {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly operation: Operation;
  readonly subresource: string;
  /** The kind of the objects where it is not the resource's own: Scale, Binding, Eviction, TokenRequest. */
  readonly kind?:
    | { readonly group: string; readonly version: string; readonly kind: string }
    | undefined;
  readonly namespace: string;
  readonly name: string;
  /** The object as it will be; plug-ins may change it. Undefined on delete. */
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
  readonly origin?: Origin | undefined;
  /** Given by the chain while objects may still be changed. */
  readonly reinvocation?: Reinvocation | undefined;
}

/** Called with the outcome of a write, to keep or give back what admission reserved. */
export type Release = (written: boolean) => void;

/** What reading and writing objects needs from the server around it. */
export interface Engine {
  readonly store: Store;
  readonly now: () => Date;
  readonly newUid: () => string;
  /** Five random characters for generateName. */
  readonly nameSuffix: () => string;
  /** Mutating admission, before the kind prepares and validates the object: may change it in place, or refuse. */
  readonly admit: (admission: Admission) => Promise<void>;
  /** Validating admission, of the object as it will be stored, immediately before the write: may only refuse. */
  readonly validate: (admission: Admission) => Promise<void>;
  /** After validation: may refuse; reserves what must be unique (cluster IPs, node ports). */
  readonly reserve: (admission: Admission) => Release | undefined;
}
