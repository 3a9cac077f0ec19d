import type { Session } from '../../../session.ts';
import type { Candidate } from '../completion.ts';

/** The contexts of the user's kubeconfig with their servers. */
export async function contextCandidates(session: Session): Promise<Candidate[]> {
  const { contexts, clusters } = await session.kubeconfig();
  return [...contexts].map(([value, { cluster = '' }]) => ({
    value,
    description: clusters.get(cluster)?.server ?? '',
  }));
}
