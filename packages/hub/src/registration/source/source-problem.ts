import type { SourceFault, SourceRead } from './resolved-source.ts';

/** How a source can fail beside why. */
export interface SourceProblemOptions {
  /** True when it is only waiting for an input that somebody still has to give. @default false */
  readonly isWaiting?: boolean;
  /** When to look again although nothing that is watched has changed. @default never */
  readonly retryAfterMs?: number | undefined;
  readonly reads?: readonly SourceRead[];
}

/** What conditions and events hold. */
const LONGEST_MESSAGE = 1000;

/** Why a source gives no credential. Its message is for status and events: it holds nothing that was read. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  readonly reason: SourceFault;
  readonly isWaiting: boolean;
  readonly retryAfterMs: number | undefined;
  /** What was looked at, so that its change leads to another look. */
  readonly reads: readonly SourceRead[];

  constructor(reason: SourceFault, message: string, options: SourceProblemOptions = {}) {
    super(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message);
    this.reason = reason;
    this.isWaiting = options.isWaiting ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.reads = options.reads ?? [];
  }

  /** The same problem, with what was looked at before it was found. */
  withReads(reads: readonly SourceRead[]): SourceProblem {
    const { reason, message, isWaiting, retryAfterMs } = this;
    return new SourceProblem(reason, message, { isWaiting, retryAfterMs, reads });
  }
}
