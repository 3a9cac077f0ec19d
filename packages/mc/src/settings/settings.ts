/** What holds for a run: flag over environment (`KUBECTL_MC_<KEY>`) over config file over default. */
export interface Settings {
  readonly hub: {
    /** Contexts asked in order and merged by identity; empty means mapping.hubContext, else the current one. */
    readonly contexts: readonly string[];
    readonly kubeconfig?: string | undefined;
    /** `['*']` asks for all, and falls back where that is forbidden. */
    readonly namespaces: readonly string[];
  };
  readonly discovery: {
    readonly cacheTtlMs: number;
    readonly api: InventoryApi;
    readonly refresh: boolean;
    readonly noCache: boolean;
  };
  readonly selection: Selection;
  readonly access: {
    readonly order: readonly AccessWay[];
    readonly providerFile?: string | undefined;
    readonly builtinTemplates: boolean;
    /** Commands of profiles' `auth.exec.*` that the user allows, beside the trust file. */
    readonly allowedCommands: readonly AllowedCommand[];
    /** The way through the hub that is open: off unless the user says so. */
    readonly hubProxy?: 'cluster-gateway' | 'cluster-proxy' | 'karmada' | undefined;
    /** A URL with `{cluster}` in place of its name, for other proxies. */
    readonly hubProxyTemplate?: string | undefined;
    /** Honours `insecure-skip-tls-verify` of profiles. @default false */
    readonly allowInsecureProfiles: boolean;
    /** Keeps exec credentials on disk until they expire. @default false */
    readonly diskCache: boolean;
  };
  readonly execution: {
    readonly maxConcurrency: number;
    readonly timeoutMs: number;
    readonly connectTimeoutMs: number;
    /** Undefined means max(60 s, 5 s × clusters, ⌈clusters ÷ concurrency⌉ × timeout). */
    readonly deadlineMs?: number | undefined;
    readonly retries: number;
    readonly unhealthy: 'try' | 'last' | 'skip';
    readonly failFast: boolean;
    readonly allowPartial: boolean;
    readonly requireAll: boolean;
  };
  readonly output: {
    readonly color: 'auto' | 'always' | 'never';
    readonly clusterColumn: 'first' | 'after-name' | 'none';
    readonly stream: boolean;
    readonly progress: 'auto' | 'none';
  };
  /** 0 quiet, 1 causes and timings, 6 requests, 8 headers, 9 bodies. */
  readonly verbosity: number;
  /** kubectl's own flags; credentials among them are for members, not for the hub. */
  readonly kubectl: KubectlFlags;
}

/** Where clusters are looked up. */
export type InventoryApi = 'clusterprofile' | 'about' | 'kubeconfig' | { readonly file: string };

/** A way to find a route, in the order they are tried. */
export type AccessWay =
  | 'mapping'
  | 'provider-file'
  | 'properties'
  | 'kubeconfig-match'
  | 'hub-proxy';

/** A credential command that profiles may name. */
export interface AllowedCommand {
  /** A bare name, or an absolute path. */
  readonly command: string;
  /** When given, the arguments must be these. */
  readonly args?: readonly string[] | undefined;
}

/** Which clusters of the inventory are meant. */
export interface Selection {
  readonly clusters: readonly string[];
  readonly exclude: readonly string[];
  readonly clusterSelector?: string | undefined;
  readonly properties: readonly string[];
  readonly clusterset?: string | undefined;
  readonly manager?: string | undefined;
  readonly placement?: string | undefined;
  /** Resolved from the config file's `groups`. */
  readonly groups: readonly Selection[];
  readonly allClusters: boolean;
  readonly pick: boolean;
}

/** The kubeconfig flags of kubectl. */
export interface KubectlFlags {
  readonly kubeconfig?: string | undefined;
  /** Single-cluster mode on that context. */
  readonly context?: string | undefined;
  readonly namespaces: readonly string[];
  readonly as?: string | undefined;
  readonly asGroups: readonly string[];
  readonly asUid?: string | undefined;
  readonly token?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly tlsServerName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  readonly cacheDir?: string | undefined;
}
