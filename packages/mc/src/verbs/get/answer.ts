import type { ApiResource } from '@flotilla/client';
import { PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { GetPlan } from './plan.ts';
import { type Visit, type Visited, visitTargets } from './visit-targets.ts';

/** What one type contributed. */
export interface Segment<C> {
  /** Where it stands among what was asked for. */
  readonly segment: number;
  readonly resource: ApiResource;
  readonly content: C;
}

/** What a cluster answered to a get. */
export interface Answer<C> extends Visited {
  readonly segments: readonly Segment<C>[];
  /** Of the list, when there was only one. */
  readonly resourceVersion?: string | undefined;
}

/** Content by what it is of, in the order it was first asked for. */
export class Segments<C> {
  readonly #segments = new Map<string, Segment<C>>();
  readonly #create: (resource: ApiResource) => C;

  constructor(create: (resource: ApiResource) => C) {
    this.#create = create;
  }

  /** The content of a type at its place, made when it is first asked for. */
  of(resource: ApiResource, segment: number): C {
    const key = `${segment} ${resource.plural}.${resource.group}`;
    const known = this.#segments.get(key);
    if (known !== undefined) return known.content;
    const content = this.#create(resource);
    this.#segments.set(key, { segment, resource, content });
    return content;
  }

  all(): Segment<C>[] {
    return [...this.#segments.values()];
  }
}

/**
 * Asks a cluster and gathers its answer. When it has nothing of what was asked for, or not all of it where all must
 * have it, that is told by throwing what the server said, with the answer.
 */
export async function gatherAnswer<C>(
  member: Member,
  plan: GetPlan,
  { segments, visit }: { readonly segments: Segments<C>; readonly visit: Visit },
): Promise<Answer<C>> {
  const visited = await visitTargets(member, plan, visit);
  const answer: Answer<C> = { ...visited, segments: segments.all() };
  const [absence] = [...visited.unknown, ...visited.missing];
  if (absence !== undefined && (plan.requireAll || visited.answered === 0)) {
    throw new PartialAnswer(answer, absence.error);
  }
  return answer;
}
