/** What the user asked for cannot be asked: printed as kubectl does (`error: …`), exit code 1, no stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
