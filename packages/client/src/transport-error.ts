/** Why a server did not answer. */
export type TransportFault =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'proxy'
  | 'credential'
  | 'aborted'
  | 'closed'
  | 'malformed'
  | 'too-large'
  | 'redirect';

/** Thrown when no usable answer came; what the server itself refused is a StatusError. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly fault: TransportFault;
  /** True when the server cannot have acted on the request, so that repeating it is safe whatever it was. */
  readonly wasNotSent: boolean;

  constructor(
    fault: TransportFault,
    message: string,
    options: { cause?: unknown; wasNotSent?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.wasNotSent = options.wasNotSent ?? false;
  }
}
