// The cases of packages/testkit/src/client.cases.ts, on a real kube-apiserver.
import { clientCases } from '../../packages/testkit/src/client.cases.ts';
import { startSide } from '../sides.ts';
import { accessOf } from './access.ts';

clientCases(
  async () => {
    const side = await startSide('real');
    return { access: accessOf(side), [Symbol.asyncDispose]: side.stop };
  },
  { forgetsEarly: true },
);
