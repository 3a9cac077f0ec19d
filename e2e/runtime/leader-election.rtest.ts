// The cases of packages/testkit/src/runtime/leader-election.cases.ts, on a real kube-apiserver each.
import { leaderElectionCases } from '../../packages/testkit/src/runtime/leader-election.cases.ts';
import { accessOf } from '../client/access.ts';
import { startSide } from '../sides.ts';

leaderElectionCases(async () => {
  const side = await startSide('real');
  return { access: accessOf(side), [Symbol.asyncDispose]: side.stop };
});
