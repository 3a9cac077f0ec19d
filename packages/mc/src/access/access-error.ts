import type { NoRoute } from '../fleet/route.ts';

/** A route that turned out to lead nowhere once it was opened: configured, and broken or not trusted. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly status: 'noaccess' | 'untrusted';
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: { status?: 'noaccess' | 'untrusted'; hint?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 'noaccess';
    this.hint = options.hint;
  }

  /** The same, for a cluster that is given no route in the first place. */
  get none(): NoRoute {
    return { status: this.status, message: this.message, hint: this.hint };
  }
}
