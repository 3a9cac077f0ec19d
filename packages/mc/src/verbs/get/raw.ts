import { isRefusal, refusalOf } from '@flotilla/client';
import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import { orderedOutcomes } from './ordered-outcomes.ts';

const RULE = '-'.repeat(80);
const SEPARATOR = '='.repeat(80);

/** Asks every cluster for a path and prints what it says, a block per cluster; of a single cluster just that. */
export async function getRaw(path: string, session: Session): Promise<number> {
  const { io } = session;
  const fleet = await session.fleet();
  const isAlone = fleet.clusters.length === 1;
  let isFirst = true;
  const write = async ({ cluster, value }: Outcome<string>): Promise<void> => {
    if (value === undefined) return;
    if (isAlone) {
      await io.out(value);
      return;
    }
    const before = isFirst ? '' : `${SEPARATOR}\n`;
    isFirst = false;
    const end = value.endsWith('\n') ? '' : '\n';
    await io.out(`${before}CLUSTER: ${printableLine(cluster.name)}\n${RULE}\n${value}${end}`);
  };
  const ordered = orderedOutcomes(fleet, write);
  const outcomes = await session.fanOut(fleet, (member) => rawText(member, path), {
    onOutcome: ordered.add,
  });
  await ordered.done();
  return session.conclude(outcomes);
}

/** The answer as it came; a refusal is thrown in the server's words. */
async function rawText({ transport, signal }: Member, path: string): Promise<string> {
  const answer = await transport.send({ method: 'GET', path, signal });
  if (isRefusal(answer.status)) throw refusalOf(answer, { method: 'GET' });
  return answer.body.toString();
}
