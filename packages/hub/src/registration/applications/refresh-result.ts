import type { Outcome, RefreshResult } from './refresh-applications.ts';

/** How many names a message has room for. */
const NAMED = 10;

/** Conditions hold no more than this. */
const LONGEST_MESSAGE = 1024;

/** How the attempt went, in one sentence and a few numbers. */
export function resultOf(attempt: {
  readonly cluster: string;
  readonly state?: 'KubeVelaNotInstalled' | 'ListFailed';
  readonly why?: string;
  readonly outcomes?: readonly Outcome[];
}): RefreshResult {
  const { cluster, state, why = '', outcomes = [] } = attempt;
  const none = { matched: 0, updated: 0, failed: 0, warnings: [] };
  if (state === 'KubeVelaNotInstalled') {
    const message = 'The hub has no Applications (core.oam.dev/v1beta1): KubeVela is not installed';
    return { ...none, state, message, isFinal: true };
  }
  if (state === 'ListFailed') {
    return { ...none, state, message: cut(`Cannot read Applications: ${why}`), isFinal: false };
  }
  const failures = outcomes.filter((one) => one.did === 'fail' || one.did === 'misread');
  const updated = outcomes.filter(
    ({ did }) => did === 'refresh' || did === 'nothing' || did === 'leave',
  ).length;
  const matched = updated + failures.filter(({ did }) => did === 'fail').length;
  const counts = { matched, updated, failed: failures.length, warnings: warningsOf(outcomes) };
  if (failures.length > 0) {
    const listed = enumerate(failures.map(({ name, why: because }) => `${name} (${because})`));
    const message = cut(`Refreshed ${updated} Applications for "${cluster}", but not ${listed}`);
    const isFinal = failures.every((one) => one.did === 'misread' || one.isFinal);
    return { ...counts, state: 'PartiallyRefreshed', message, isFinal };
  }
  if (updated === 0) {
    const message = `No Application has to see "${cluster}" anew`;
    return { ...counts, state: 'UpToDate', message, isFinal: true };
  }
  const message = `Refreshed ${updated} Applications that select "${cluster}"`;
  return { ...counts, state: 'Refreshed', message, isFinal: true };
}

function warningsOf(outcomes: readonly Outcome[]): RefreshResult['warnings'] {
  const pinned = outcomes.flatMap((one) => (one.did === 'refresh' && one.pinned ? [one.name] : []));
  const left = outcomes.flatMap((one) =>
    one.did === 'leave' ? [`${one.name} (every ${one.every})`] : [],
  );
  return [
    ...(pinned.length === 0
      ? []
      : [
          {
            reason: 'ApplicationsPinned',
            message: cut(
              `This KubeVela can be told to place again only by app.oam.dev/publishVersion, which ${enumerate(pinned)} did not have: their edits roll out only when it changes, until it is removed`,
            ),
          },
        ]),
    ...(left.length === 0
      ? []
      : [
          {
            reason: 'ApplicationsRestartByPlan',
            message: cut(
              `app.oam.dev/restart-workflow was left as it is: the new placement comes with the next planned restart of ${enumerate(left)}`,
            ),
          },
        ]),
  ];
}

/** The first names, and how many more there are. */
function enumerate(all: readonly string[]): string {
  const sorted = all.toSorted();
  const more = sorted.length - NAMED;
  return more > 0 ? `${sorted.slice(0, NAMED).join(', ')} and ${more} more` : sorted.join(', ');
}

function cut(message: string): string {
  return message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE - 1)}…`;
}
