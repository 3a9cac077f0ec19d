import { printTables } from '../../output/table/print-tables.ts';
import type { Column, TablePart } from '../../output/table/table-part.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { type Answer, gatherAnswer, Segments } from './answer.ts';
import { tableOptions } from './list.ts';
import type { GetPlan } from './plan.ts';

const COLUMNS: readonly Column[] = [{ name: 'Missing', isName: false, priority: 0 }];

/**
 * Prints which clusters do not have what is named. That some have it not is the answer, not a failure, unless all must
 * have it.
 */
export async function listMissing(call: Call, plan: GetPlan, session: Session): Promise<number> {
  if (plan.targets.some(({ name, glob }) => name === undefined || glob !== undefined)) {
    throw new UsageError('--missing needs the names of objects, such as deploy/web');
  }
  const output = call.flags.text('output') ?? '';
  if (output !== '' && output !== 'wide') {
    throw new UsageError(`--missing cannot be used with ${output} printer`);
  }
  const outcomes = await session.fanOut(await session.fleet(plan.clusters), (member) =>
    gatherAnswer(
      member,
      { ...plan, ignoreNotFound: false },
      {
        segments: new Segments<undefined>(() => undefined),
        visit: async (resource, { name, namespace }) => {
          const { client, signal } = member;
          await client.table(resource, {
            name: name ?? '',
            namespace,
            includeObject: 'None',
            signal,
          });
        },
      },
    ),
  );
  const parts: TablePart[] = outcomes.flatMap(({ cluster, value }) =>
    value === undefined
      ? []
      : [
          {
            cluster: cluster.name,
            columns: COLUMNS,
            rows: absences(value).map((text) => ({ cells: [text] })),
          },
        ],
  );
  const options = { ...tableOptions(call, plan, session), sortPath: undefined, showKind: false };
  const isShown = await printTables([{ kindPrefix: '', parts }], options, session.io.out);
  const isAnswered = outcomes.some(({ value }) => value !== undefined);
  if (!isShown && isAnswered) session.io.err('Nothing is missing\n');
  // A cluster that has nothing of it has answered all the same.
  return session.conclude(
    plan.requireAll
      ? outcomes
      : outcomes.map((outcome) =>
          outcome.status === 'absent' ? { ...outcome, status: 'ok', failure: undefined } : outcome,
        ),
  );
}

/** What the server called it, or what was asked for where it knows no such type. */
function absences({ missing, unknown }: Answer<undefined>): string[] {
  return [
    ...missing.map(({ error }) => error.message.replace(/^(\S+) "([^"]*)" not found$/, '$1/$2')),
    ...unknown.map(({ error }) => error.message),
  ];
}
