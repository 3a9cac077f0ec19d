/** A command that the hub's administrator allows kubeconfigs to name. */
export interface ExecProfile {
  readonly name: string;
  /** Absolute. Kubeconfigs mean it by its last part, such as `aws`. */
  readonly command: string;
  /** Every argument of a kubeconfig must pass one of these, whole; an option and its value pass together. */
  readonly args: readonly AllowedArgument[];
  /** The whole environment of the command; nothing is inherited, nor taken from the kubeconfig. */
  readonly env: Readonly<Record<string, string>>;
  /** At most 30 s. */
  readonly timeoutMs: number;
  /**
   * Namespaces whose registrations may use it; empty for the gateway namespace alone. Whoever may use a profile can have
   * the hub's own cloud credential sent to a server of their choice, unless `servers` says otherwise.
   */
  readonly namespaces: readonly string[];
  /** Hosts of API servers that may be sent what the command prints, whole; empty for any. */
  readonly servers: readonly RegExp[];
}

/**
 * One way an argument may look. Values have a place of their own, behind their option: a pattern for the name of a
 * cluster is one for the name of another subcommand, too.
 */
export type AllowedArgument =
  | { readonly exact: string }
  | { readonly pattern: RegExp }
  | { readonly option: string; readonly value: RegExp };
