/** A credential could not be had. The message is kubectl's where it has one; it never holds a secret or what a helper printed. */
export class CredentialError extends Error {
  override readonly name = 'CredentialError';

  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
  }
}
