import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import type { GetPlan } from './plan.ts';
import { keyOf, type Visited } from './visit-targets.ts';

/** How a get ended, beside its outcomes. */
export interface Ending {
  /** Whether anything was printed; `quiet` where an empty answer is an answer. */
  readonly output: 'some' | 'none' | 'quiet';
}

/** Says what was not found and what failed, and tells the exit code. */
export function finishGet(
  { session, plan }: { readonly session: Session; readonly plan: GetPlan },
  outcomes: readonly Outcome<Visited>[],
  { output }: Ending,
): number {
  const { io } = session;
  const answers = outcomes.filter(({ value }) => value !== undefined);
  const unknown = unknownEverywhere(outcomes, plan);
  const missing = missingEverywhere(outcomes, plan);
  const isSound = answers.some(({ status }) => status === 'ok' || status === 'empty');
  const isEmpty = output === 'none' && isSound && unknown.length === 0 && missing.length === 0;
  if (isEmpty && !plan.ignoreNotFound) io.err(`${emptyText(answers)}\n`);
  const code = session.conclude(outcomes);
  // What no cluster has at all is told with the outcomes.
  if (!isSound || plan.requireAll) return code;
  for (const text of unknown) io.err(`error: ${printableLine(text)}\n`);
  const where = answers.length > 1 ? ` (in ${answers.length} clusters)` : '';
  for (const text of missing) {
    io.err(`Error from server (NotFound): ${printableLine(text)}${where}\n`);
  }
  return code === 0 && unknown.length + missing.length > 0 ? 1 : code;
}

/** kubectl's words for each type that no cluster has; it then shows nothing of the others either. */
export function unknownEverywhere(
  outcomes: readonly Outcome<Visited>[],
  { targets }: GetPlan,
): string[] {
  const answers = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (answers.length === 0) return [];
  const texts = targets.flatMap(({ type }) => {
    const errors = answers.map(({ unknown }) => unknown.find((each) => each.type === type)?.error);
    const [first] = errors;
    return first !== undefined && errors.every((error) => error !== undefined)
      ? [first.message]
      : [];
  });
  return [...new Set(texts)];
}

/** The server's words for each object that no cluster has. */
function missingEverywhere(outcomes: readonly Outcome<Visited>[], { targets }: GetPlan): string[] {
  const answers = outcomes.flatMap(({ value, cluster }) =>
    value === undefined ? [] : [{ value, cluster }],
  );
  const texts = targets.flatMap((target) => {
    const asked = answers.filter(
      ({ cluster: { name, aliases } }) =>
        target.cluster === undefined || name === target.cluster || aliases.includes(target.cluster),
    );
    const errors = asked.map(
      ({ value: { missing } }) => missing.find(({ key }) => key === keyOf(target))?.error,
    );
    const [first] = errors;
    return first !== undefined && errors.every((error) => error !== undefined)
      ? [first.message]
      : [];
  });
  return [...new Set(texts)];
}

function emptyText(answers: readonly Outcome<Visited>[]): string {
  const places = answers.map(({ value }) => value?.namespaces ?? []);
  const isEverywhere = places.some((namespaces) => namespaces.length === 0);
  const names = [...new Set(places.map((namespaces) => namespaces.join(', ')))];
  const [only = '', ...others] = names;
  if (isEverywhere || others.length > 0 || only === '') return 'No resources found';
  const word = only.includes(', ') ? 'namespaces' : 'namespace';
  return `No resources found in ${printableLine(only)} ${word}.`;
}
