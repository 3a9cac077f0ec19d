import type { ResumingWatch, WatchEvent } from './watch-reader.ts';

/** The parts of a list that are compared. */
export interface Listed {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: {
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly uid: string;
      readonly resourceVersion: string;
      readonly annotations?: Readonly<Record<string, string>>;
    };
  }[];
}

/** Replays what a watch was told: each event must fit the ones before, and the end must be the list. */
export function rebuilt(watch: ResumingWatch, listed: Listed, through: number): void {
  const objects = new Map<string, number>();
  for (const { type, key, revision } of watch.events) {
    if (revision > through) break;
    const isKnown = objects.has(key);
    if (isKnown === (type === 'ADDED')) {
      throw new Error(`"${watch.path}" was told ${type} ${revision} of "${key}" out of order`);
    }
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, revision);
  }
  const told = [...objects].map(([key, revision]) => `${key}@${revision}`).sort();
  const there = listed.items
    // What a control plane is born with was never written, so nobody was told of it.
    .filter(({ metadata }) => metadata.resourceVersion !== '1')
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`)
    .sort();
  if (told.join('\n') !== there.join('\n')) {
    const missing = there.filter((each) => !told.includes(each));
    const extra = told.filter((each) => !there.includes(each));
    throw new Error(
      `"${watch.path}" rebuilt another state: lacks ${missing.join() || 'nothing'}, has ${extra.join() || 'nothing'}`,
    );
  }
}

/** Two watches of one collection were told the same between two revisions. */
export function sameEvents(
  one: ResumingWatch,
  other: ResumingWatch,
  { from, through }: { from: number; through: number },
): void {
  const [first, second] = [one, other].map(({ events }) =>
    events.filter(({ revision }) => revision > from && revision <= through).map(lineOf),
  );
  const index = first?.findIndex((line, at) => line !== second?.[at]) ?? -1;
  if (first?.length !== second?.length || index >= 0) {
    throw new Error(
      `"${one.path}" saw ${first?.length} events, history has ${second?.length}; first difference: ${first?.[index]} / ${second?.[index]}`,
    );
  }
}

function lineOf({ type, key, revision, seq }: WatchEvent): string {
  return `${revision} ${type} ${key} ${seq ?? ''}`;
}
