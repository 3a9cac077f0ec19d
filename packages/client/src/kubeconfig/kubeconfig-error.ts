/** Why a kubeconfig of somebody else is refused, from what is named first when there are several reasons. */
export const kubeconfigRefusals = [
  'FileReference',
  'Exec',
  'AuthProvider',
  'Impersonation',
  'InsecureTls',
  'Proxy',
  'ContextNotFound',
  'KeyPairMismatch',
  'NoCredential',
  'Invalid',
] as const;

/** One of them. */
export type KubeconfigRefusal = (typeof kubeconfigRefusals)[number];

/** A kubeconfig cannot be used. Where kubectl has words for it, the message is kubectl's; it never holds a secret. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  /** Each thing that is wrong, by itself. */
  readonly problems: readonly string[];
  /** True when there is simply no configuration. */
  readonly isEmpty: boolean;
  /** What kind of problem it is, where the text is somebody else's; `Invalid` otherwise. */
  readonly refusal: KubeconfigRefusal;

  constructor(
    message: string,
    options: {
      problems?: readonly string[];
      isEmpty?: boolean;
      cause?: unknown;
      refusal?: KubeconfigRefusal | undefined;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.problems = options.problems ?? [message];
    this.isEmpty = options.isEmpty ?? false;
    this.refusal = options.refusal ?? 'Invalid';
  }
}

/** Several problems in one line, as Kubernetes joins them: each once, in brackets when there is more than one. */
export function joinProblems(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? String(different[0]) : `[${different.join(', ')}]`;
}
