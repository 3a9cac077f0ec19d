import type { Outcome } from '../../fan-out/outcome.ts';
import { findKubectl } from '../../kubectl/find-kubectl.ts';
import { openKubectl } from '../../kubectl/open-kubectl.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { clusterBlocks } from '../cluster-blocks.ts';
import { finishGet } from '../get/finish.ts';
import { orderedOutcomes } from '../get/ordered-outcomes.ts';
import { type Description, describeMember } from './describe-member.ts';
import { makePlan } from './make-plan.ts';

/** Runs a `describe` to its exit code. */
export async function runDescribe(call: Call, session: Session): Promise<number> {
  const path = await findKubectl(session.io);
  const plan = await makePlan(call, session);
  const fleet = await session.fleet(plan.clusters);
  const isAlone = fleet.clusters.length === 1;
  const write = clusterBlocks(session.io, isAlone);
  let isShown = false;
  const ordered = orderedOutcomes<Description>(fleet, async ({ cluster, value }) => {
    if (value === undefined || value.text === '') return;
    isShown = true;
    await write(cluster.name, value.text);
  });
  let outcomes: Outcome<Description>[];
  {
    await using kubectl = await openKubectl(path, fleet, session);
    outcomes = await session.fanOut(
      fleet,
      (member) => describeMember(member, { plan, kubectl, session, isAlone }),
      {
        isEmpty: ({ text }) => text === '',
        onOutcome: ordered.add,
      },
    );
    await ordered.done();
  }
  return finishGet({ session, plan }, outcomes, { output: isShown ? 'some' : 'none' });
}
