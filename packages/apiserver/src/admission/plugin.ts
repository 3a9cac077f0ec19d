import type { Authorizer } from '../authz/rbac.ts';
import type { Clock } from '../clock.ts';
import type { Admission, Engine, Operation } from '../objects/engine.ts';
import type { Registry } from '../resources/registry.ts';
import type { Tenant } from '../storage/store.ts';

/**
 * One step of admission, under the name that `--enable-admission-plugins` and `--disable-admission-plugins` know.
 *
 * A plug-in refuses by throwing. It sees objects in the version of the request, and finds out by itself which of them
 * concern it.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Operations the plug-in wants to see at all. */
  readonly handles: (operation: Operation) => boolean;
  /** Before the kind prepares and validates the object: may change `admission.object` in place. */
  readonly mutate?: (admission: Admission) => void | Promise<void>;
  /** After validation, immediately before the write: sees what will be stored, and changes nothing. */
  readonly validate?: (admission: Admission) => void | Promise<void>;
  /** Gives back what the plug-in follows the store with. */
  readonly [Symbol.dispose]?: () => void;
}

/** What plug-ins are made from. */
export interface PluginDeps {
  /** Store, time and identifiers; also reads and writes objects through the functions of objects/. */
  readonly engine: Engine;
  readonly authorizer: Authorizer;
  /** Every resource that the tenant has. */
  readonly registryOf: (tenant: Tenant) => Registry;
  readonly clock: Clock;
  /** For failures that no client is to hear of. */
  readonly report: (error: unknown) => void;
}

/** Makes a plug-in for one server. */
export type PluginFactory = (deps: PluginDeps) => AdmissionPlugin;
