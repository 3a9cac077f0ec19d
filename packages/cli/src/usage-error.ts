/** The command line is wrong: the message is shown without a stack, and the exit code is 1. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
