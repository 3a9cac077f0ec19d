import type { Kind } from '@flotilla/machinery';

/** A kind as its server describes it; good for every verb of a client. */
export interface ApiResource extends Kind {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** `status`, `scale`, `log`, … */
  readonly subresources: readonly string[];
}

/** A group with its versions, the preferred one first. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly ApiResource[];
  }[];
}

/** What a server serves, in its own order of priority; the core group comes first. */
export interface ApiSurface {
  readonly groups: readonly ApiGroup[];
  /** Group versions that are there but could not be described, such as `metrics.k8s.io/v1beta1`. */
  readonly failed: readonly string[];
}

/** All resources by priority: groups in their order, preferred versions first. */
export function* resourcesOf(surface: ApiSurface): Generator<ApiResource> {
  for (const { versions } of surface.groups) {
    for (const { resources } of versions) yield* resources;
  }
}
