import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';
import { remember } from './remember.ts';

const KEPT_MS = 10 * 60_000;

/**
 * The types that clusters have, all of them together, from what is kept of them; where nothing is, they are asked. Only
 * `wanted` when there is such a list.
 */
export async function typeCandidates(
  session: Session,
  wanted?: readonly string[],
  cluster?: string,
): Promise<Candidate[]> {
  const question = { what: ['types', cluster ?? ''], keptMs: KEPT_MS };
  const types = await remember(question, session, async () => {
    // Whoever presses a key again does not wait for all that asks clusters to be loaded.
    const { findTypes } = await import('./find-types.ts');
    return await findTypes(session, cluster);
  });
  return types.filter(({ value }) => wanted === undefined || wanted.includes(value));
}
