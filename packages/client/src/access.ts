/** How to reach one API server as one user. Files are read, contexts resolved; only credentials may still change. */
export interface Access {
  /** `https://host[:port][/path]`, without a trailing slash. */
  readonly server: string;
  readonly tls: ServerTls;
  /** http, https or socks5 URL. Undefined asks the environment that `connect` was given. */
  readonly proxyUrl?: string | undefined;
  /** True asks servers not to compress answers. @default false */
  readonly disableCompression?: boolean;
  readonly impersonate?: Impersonation | undefined;
  readonly credential: Credential;
  /** The namespace of the context; what commands without one mean. */
  readonly namespace: string;
}

/** What is expected of the server's certificate. */
export interface ServerTls {
  /** PEM; undefined means the authorities Node knows. */
  readonly ca?: string | undefined;
  /** Asked for and checked instead of the host. */
  readonly serverName?: string | undefined;
  /** True accepts any certificate. @default false */
  readonly insecure?: boolean;
}

/** Who the requests are made as, beside who makes them. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What proves who we are, renewed when it must be. */
export interface Credential {
  /** What to present now; may run a helper or renew a token first. Concurrent callers share one renewal. */
  readonly present: (signal?: AbortSignal) => Promise<Presented>;
  /** Told that a server answered 401 to `rejected`. True when another attempt with a newer one is worth it. */
  readonly refused: (rejected: Presented, signal?: AbortSignal) => Promise<boolean>;
}

/** One form of a credential. */
export interface Presented {
  /** The Authorization header, where there is one. */
  readonly authorization?: string | undefined;
  /** A client certificate and its key, PEM; connections are made anew when it changes. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}
