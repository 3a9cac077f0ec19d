import type { StatusReason } from './status-reasons.ts';

/** One cause of a refusal, as clients read it from `details.causes`. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The API refused. Server and client throw the same class; the server turns it into a Status. */
export class StatusError extends Error {
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  /** List metadata of the Status: the token with which an expired list can go on. */
  readonly metadata: { readonly continue?: string };

  // oxlint-disable-next-line max-params -- a Status has these parts, and every refusal is made from them
  constructor(
    code: number,
    reason: StatusReason,
    message: string,
    details?: StatusDetails,
    metadata: { readonly continue?: string } = {},
  ) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.metadata = metadata;
  }

  /** The object a client receives. */
  toStatus(): Record<string, unknown> {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.metadata,
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}
