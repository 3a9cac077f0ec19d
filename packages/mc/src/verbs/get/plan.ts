import type { Selector } from '@flotilla/machinery';
import type { SortPath } from '../../output/sort/sort-key.ts';
import type { Target } from './target.ts';

/** What a get asks every cluster for. */
export interface GetPlan {
  readonly targets: readonly Target[];
  /** Clusters that arguments name; undefined when not all of them do, and then flags choose. */
  readonly clusters: readonly string[] | undefined;
  readonly allNamespaces: boolean;
  /** `-n`; empty means each cluster's own. */
  readonly namespaces: readonly string[];
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Leaves out single objects whose labels it does not match. */
  readonly objectSelector?: Selector | undefined;
  readonly subresource?: string | undefined;
  /** Objects per request; 0 asks for all at once. */
  readonly pageSize: number;
  readonly ignoreNotFound: boolean;
  readonly requireAll: boolean;
  readonly sortPath?: SortPath | undefined;
  /** `-L`. */
  readonly labelColumns: readonly string[];
  readonly showLabels: boolean;
  /** Tells ages where servers are not to print; undefined has them print. */
  readonly plainNow?: (() => number) | undefined;
}

/** Whether the question is about one object by its name, which kubectl prints without a list around it. */
export function isSingleItem({ targets, namespaces, allNamespaces }: GetPlan): boolean {
  const [only, ...more] = targets;
  return (
    more.length === 0 &&
    only?.name !== undefined &&
    only.glob === undefined &&
    namespaces.length < 2 &&
    !allNamespaces
  );
}

/** The selectors of a plan, as lists take them. */
export function selectionOf({ labelSelector, fieldSelector }: GetPlan): {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
} {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}
