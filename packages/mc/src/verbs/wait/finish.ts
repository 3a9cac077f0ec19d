import type { Outcome } from '../../fan-out/outcome.ts';
import { Interrupted } from '../../io.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import type { MemberWait } from './wait-run.ts';

type WaitOutcome = Outcome<MemberWait>;

/** The exit code where a condition was not met in time. */
const NOT_MET = 4;
const FEW_NAMES = 10;

/**
 * What outcomes mean for a wait: a cluster where the conditions were not met ran out of time; one that lacks what
 * another has fails, because all have to meet them.
 */
export function judge(outcomes: readonly WaitOutcome[]): WaitOutcome[] {
  const isAnywhere = outcomes.some(
    ({ status, value }) => status === 'ok' && (value?.count ?? 0) > 0,
  );
  return outcomes.map((outcome): WaitOutcome => {
    const { status, value, failure } = outcome;
    const [message] = value?.unmet ?? [];
    if (status === 'ok' && message !== undefined) {
      return { ...outcome, status: 'timeout', failure: { reason: 'ConditionNotMet', message } };
    }
    const isMissing = status === 'absent' && failure?.code === 404;
    return isMissing && isAnywhere ? { ...outcome, status: 'error' } : outcome;
  });
}

/** Whether a cluster has met everything. */
export function isMet({ status, value }: WaitOutcome): boolean {
  return status === 'ok' && value?.unmet.length === 0;
}

/** Says what was not met where, and what failed, and tells the exit code. */
export function finishWait(session: Session, judged: readonly WaitOutcome[]): number {
  const { io } = session;
  const isUnmet = ({ status, value }: WaitOutcome): boolean =>
    (value?.unmet.length ?? 0) > 0 && status !== 'cancelled';
  const unmet = judged.filter(isUnmet);
  if (!io.signal.aborted) io.err(unmetText(unmet, judged.filter(wasAsked).length > 1));
  // They answered, and what there is to say of them is said.
  const code = session.conclude(
    judged.map((outcome) =>
      outcome.failure?.reason === 'ConditionNotMet' ? { ...outcome, status: 'ok' } : outcome,
    ),
  );
  return unmet.length > 0 && !(io.signal.reason instanceof Interrupted) ? NOT_MET : code;
}

function wasAsked({ status }: WaitOutcome): boolean {
  return status !== 'skipped';
}

/** As kubectl, which says that it is an error only where there is one. */
function unmetText(outcomes: readonly WaitOutcome[], isNamed: boolean): string {
  const byText = new Map<string, string[]>();
  for (const { cluster, value } of outcomes) {
    for (const text of new Set(value?.unmet ?? [])) {
      byText.set(text, [...(byText.get(text) ?? []), cluster.name]);
    }
  }
  const prefix = byText.size === 1 ? 'error: ' : '';
  return [...byText]
    .map(([text, clusters]) => `${prefix}${text}${isNamed ? where(clusters) : ''}`)
    .map((line) => `${printableLine(line)}\n`)
    .join('');
}

function where(clusters: readonly string[]): string {
  const rest = clusters.length - FEW_NAMES;
  const names = clusters.slice(0, FEW_NAMES).join(', ');
  return ` (in ${names}${rest > 0 ? ` and ${rest} more` : ''})`;
}
