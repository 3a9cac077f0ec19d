import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';
import { remember } from './remember.ts';

const KEPT_MS = 30_000;

/** Names of objects of a type, with the clusters that have them, of those that answer in time. */
export async function nameCandidates(
  type: string,
  session: Session,
  cluster?: string,
): Promise<readonly Candidate[]> {
  if (!/^[A-Za-z0-9][A-Za-z0-9.-]*$/.test(type)) return [];
  const question = { what: ['names', type, cluster ?? ''], keptMs: KEPT_MS };
  return await remember(question, session, async () => {
    const { findNames } = await import('./find-names.ts');
    return await findNames(type, session, cluster);
  });
}
