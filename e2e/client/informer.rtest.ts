// The cases of packages/testkit/src/informer.cases.ts, on a real kube-apiserver.
import { informerCases } from '../../packages/testkit/src/informer.cases.ts';
import { startSide } from '../sides.ts';
import { accessOf } from './access.ts';

informerCases(async () => {
  const side = await startSide('real');
  return { access: accessOf(side), [Symbol.asyncDispose]: side.stop };
});
