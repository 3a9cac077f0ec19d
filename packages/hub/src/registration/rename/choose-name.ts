import { brief } from '../brief.ts';
import { FORCE_RENAME_ANNOTATION, wantedName } from '../types.ts';
import type { Visit } from '../visit.ts';

/** Under which name a pass works. */
export interface NameChoice {
  readonly name: string;
  /** The name that the cluster still has; it goes when the new one works. */
  readonly from: string | undefined;
  /** Why it keeps its name although the spec has another. */
  readonly blocked: string | undefined;
}

/** Decides whether a cluster may have the name that its spec wants: nobody may be left behind with the old one. */
export async function chooseName({ pass, deps, status }: Visit): Promise<NameChoice> {
  const wanted = wantedName(pass.observed);
  const current = status.registeredName;
  if (current === undefined || current === wanted) {
    return { name: wanted, from: undefined, blocked: undefined };
  }
  const isForced = pass.observed.metadata.annotations?.[FORCE_RENAME_ANNOTATION] === 'true';
  const references = isForced ? [] : await deps.clusterReferences(current, pass.signal);
  if (references.length === 0) return { name: wanted, from: current, blocked: undefined };
  return {
    name: current,
    from: undefined,
    blocked: brief(
      `Cannot rename cluster "${current}" to "${wanted}": it is named by ${references.join(', ')}; change those, or set the annotation ${FORCE_RENAME_ANNOTATION}: "true"`,
    ),
  };
}
