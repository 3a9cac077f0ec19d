import { isNotFound } from '@flotilla/machinery';

/**
 * For verbs to which every cluster has to have an answer: what a server does not find is its failure, and not something
 * that it merely does not have.
 */
export function notAbsent(error: unknown): unknown {
  // Without its cause, by which it would be known for a 404 again.
  return isNotFound(error) && error instanceof Error ? new Error(error.message) : error;
}
