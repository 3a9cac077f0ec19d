/** One thing wrong with a value of a type. */
export interface TypedProblem {
  readonly path: string;
  readonly message: string;
}

/** A value does not fit the type it should be merged as; the message is upstream's. */
export class TypedError extends Error {
  readonly problems: readonly TypedProblem[];

  constructor(problems: readonly TypedProblem[]) {
    super(messageOf(problems));
    this.name = 'TypedError';
    this.problems = problems;
  }
}

function messageOf(problems: readonly TypedProblem[]): string {
  const lines = problems.map(({ path, message }) =>
    path === '' ? message : `${path}: ${message}`,
  );
  return lines.length === 1
    ? (lines[0] ?? '')
    : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}
