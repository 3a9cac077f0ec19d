/**
 * A kubeconfig as it stands in files: read, merged, relative paths made absolute, nothing looked up yet. Entries keep
 * the file's own field names; a field that is empty in the file is absent here, as it is to kubectl.
 */
export interface Kubeconfig {
  /** Empty when no file names one. */
  readonly currentContext: string;
  readonly clusters: ReadonlyMap<string, KubeconfigCluster>;
  readonly users: ReadonlyMap<string, KubeconfigUser>;
  readonly contexts: ReadonlyMap<string, KubeconfigContext>;
  /** Where it was looked for, in order of precedence. */
  readonly files: readonly string[];
  /** Those of `files` that do not exist. */
  readonly missing: readonly string[];
}

/** Where an entry was read; absent on what came as text. */
export interface Origin {
  readonly origin?: string;
}

/** A server, under a name. */
export interface KubeconfigCluster extends Origin {
  readonly server?: string;
  readonly 'tls-server-name'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: Buffer;
  readonly 'proxy-url'?: string;
  readonly 'disable-compression'?: boolean;
  readonly extensions?: ReadonlyMap<string, unknown>;
}

/** Who one is, under a name. */
export interface KubeconfigUser extends Origin {
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: Buffer;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: Buffer;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
  readonly username?: string;
  readonly password?: string;
  readonly 'auth-provider'?: KubeconfigAuthProvider;
  readonly exec?: KubeconfigExec;
  readonly extensions?: ReadonlyMap<string, unknown>;
}

/** A server, a user and a namespace, under a name. */
export interface KubeconfigContext extends Origin {
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly extensions?: ReadonlyMap<string, unknown>;
}

/** The older way to renew tokens; of the providers only `oidc` is left. */
export interface KubeconfigAuthProvider {
  readonly name?: string;
  readonly config?: Readonly<Record<string, string>>;
}

/** A command that prints a credential. */
export interface KubeconfigExec {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name?: string; readonly value?: string }[];
  readonly apiVersion?: string;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: string;
}

/** The entries of one kubeconfig text. */
export type KubeconfigEntries = Pick<
  Kubeconfig,
  'currentContext' | 'clusters' | 'users' | 'contexts'
>;
