import { formatColumns } from '@flotilla/machinery';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import { printableCell } from '../../text/printable.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { type AccessAnswer, askAccess } from './access-answer.ts';
import { readQuestion } from './access-question.ts';
import { warnFleet } from './warn-fleet.ts';

/** Asks all clusters, and says yes (0) only when all of them do. */
export async function canI({ args, flags }: Call, session: Session): Promise<number> {
  const question = readQuestion(args, flags);
  if (flags.bool('no-headers')) {
    throw new UsageError('--no-headers cannot be set without --list specified');
  }
  const { io, settings } = session;
  const namespaces = [...new Set(settings.kubectl.namespaces)];
  const { cluster } = question;
  const fleet = await session.fleet(cluster === undefined ? undefined : [cluster]);
  const outcomes = await session.fanOut(fleet, (member) => askAccess(member, question, namespaces));
  // With the empty line that kubectl has there.
  warnFleet(outcomes, session, '\n');
  const isSeveral = namespaces.length > 1 && question.url === undefined && !question.allNamespaces;
  if (!flags.bool('quiet')) await io.out(accessTable(outcomes, isSeveral));
  const code = session.conclude(outcomes);
  const isRefused = outcomes.some(
    ({ value }) => value?.verdicts.some(({ isAllowed }) => !isAllowed) === true,
  );
  return isRefused ? 1 : code;
}

/** A row for each cluster that answered, and for each namespace where there are several. */
function accessTable(outcomes: readonly Outcome<AccessAnswer>[], hasNamespaces: boolean): string {
  const rows = outcomes.flatMap(({ cluster, value }) =>
    (value?.verdicts ?? []).map(({ namespace, isAllowed, reason }) =>
      [
        cluster.name,
        ...(hasNamespaces ? [namespace] : []),
        isAllowed ? 'yes' : 'no',
        reason === '' ? '<none>' : reason,
      ].map(printableCell),
    ),
  );
  if (rows.length === 0) return '';
  return formatColumns([
    ['CLUSTER', ...(hasNamespaces ? ['NAMESPACE'] : []), 'ALLOWED', 'REASON'],
    ...rows,
  ]);
}
