import type { Access } from '@flotilla/client';

/** How a cluster will be reached; nothing has been dialled or run yet. */
export interface Route {
  readonly kind: 'mapping' | 'provider' | 'properties' | 'kubeconfig' | 'hub-proxy';
  /** For people: `context eks-us-west`, `provider google`, `properties (aws)`, … */
  readonly source: string;
  /** For people and for comparing: the server's URL. */
  readonly server: string;
  /** The context, where it is one. */
  readonly context?: string | undefined;
  /** The credential command, where there is one: hints on 401 depend on it. */
  readonly command?: string | undefined;
  /** What requests without a namespace mean there. */
  readonly namespace: string;
  /** Where its certificate authority came from, for texts: `the profile`, `context "x" of FILE`. */
  readonly caSource: string;
  /** Equal for routes that lead to one and the same server. */
  readonly identity?: string | undefined;
  /** True when requests carry no credential at all, as over plain HTTP. */
  readonly isAnonymous?: boolean | undefined;
  /** How the user's own route differs from what the profile says; reads go on with a warning, writes must not. */
  readonly mismatch?: string | undefined;
  /** Reads files and prepares the credential; runs a command only when a request needs it. */
  readonly open: () => Promise<Access>;
}

/** Why there is no route. */
export interface NoRoute {
  /** `skipped`: nobody configured one. `noaccess`: one is configured and broken. `untrusted`: a command nobody has trusted. */
  readonly status: 'skipped' | 'noaccess' | 'untrusted';
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The way to a cluster, or why there is none. */
export type Routing = { readonly route: Route } | { readonly none: NoRoute };
