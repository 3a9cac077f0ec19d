/**
 * A cluster does not have what was asked for, and says nothing about it itself: no such type, no match. Counts as a
 * failure only where `--require-all` says so, or when no cluster has it.
 */
export class Absent extends Error {
  override readonly name = 'Absent';
  /** `NotFound`, or a word of ours. */
  readonly reason: string;

  constructor(message: string, reason = 'NotFound') {
    super(message);
    this.reason = reason;
  }
}

/** kubectl's words for a type that a server does not have. */
export function noSuchType(name: string): Absent {
  return new Absent(`the server doesn't have a resource type "${name}"`, NO_SUCH_TYPE);
}

/** The reason of `noSuchType`. */
export const NO_SUCH_TYPE = 'NoSuchType';

/** A failure after part of the answer: the outcome has both. `cause` says what went wrong. */
export class PartialAnswer<T> extends Error {
  override readonly name = 'PartialAnswer';
  readonly value: T;

  constructor(value: T, cause: unknown) {
    super('the answer is incomplete', { cause });
    this.value = value;
  }
}
