/** A kubeconfig cannot be used. Where kubectl has words for it, the message is kubectl's; it never holds a secret. */
export class KubeconfigError extends Error {
  override readonly name = 'KubeconfigError';
  /** Each thing that is wrong, by itself. */
  readonly problems: readonly string[];
  /** True when there is simply no configuration. */
  readonly isEmpty: boolean;

  constructor(
    message: string,
    options: { problems?: readonly string[]; isEmpty?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.problems = options.problems ?? [message];
    this.isEmpty = options.isEmpty ?? false;
  }
}

/** Several problems in one line, as Kubernetes joins them: each once, in brackets when there is more than one. */
export function joinProblems(problems: readonly string[]): string {
  const different = [...new Set(problems)];
  return different.length === 1 ? String(different[0]) : `[${different.join(', ')}]`;
}
