/** Why an allowed command made no credential. The message holds nothing of what the command printed. */
export class ExecFailure extends Error {
  override readonly name = 'ExecFailure';
}
