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

/** A write on its way to the store, as admission sees it. */
export interface Admission {
  readonly tenant: Tenant;
  readonly def: ResourceDef;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The object as it will be; plug-ins may change it. Undefined on delete. */
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warn: (message: string) => void;
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
  /** Before defaults are validated: may change or refuse the object. */
  readonly admit: (admission: Admission) => Promise<void>;
  /** After validation: may refuse; reserves what must be unique (cluster IPs, node ports). */
  readonly reserve: (admission: Admission) => Release | undefined;
}
