/** What a cluster says at first: it has something to follow, it has not, or it cannot be asked yet. */
export type FirstWord = 'found' | 'missing' | 'waiting';

/** Waits for the first word of every cluster, to tell whether there is anything to follow at all. */
export interface RollCall {
  /** Only the first word of a cluster counts. */
  readonly answer: (cluster: string, word: FirstWord | 'gone') => void;
  /** Whether any cluster has something; known at once when one has, and otherwise when all have said what they can. */
  readonly isWorthIt: Promise<boolean>;
  /** Waits no longer. */
  readonly close: () => void;
}

/** A roll call of so many clusters. */
export function createRollCall(count: number): RollCall {
  const heard = new Set<string>();
  let decide: (isWorthIt: boolean) => void = () => {};
  const isWorthIt = new Promise<boolean>((resolve) => {
    decide = resolve;
  });
  return {
    isWorthIt,
    answer: (cluster, word) => {
      if (heard.has(cluster)) return;
      heard.add(cluster);
      if (word === 'found') decide(true);
      else if (heard.size >= count) decide(false);
    },
    close: () => decide(false),
  };
}
