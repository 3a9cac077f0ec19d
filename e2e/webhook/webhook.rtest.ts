// The cases of packages/testkit/src/webhook, called by a real kube-apiserver.
import { webhookCases } from '../../packages/testkit/src/webhook/webhook.cases.ts';
import { accessOf } from '../client/access.ts';
import { startSide } from '../sides.ts';

webhookCases(async () => {
  const side = await startSide('real');
  return { access: accessOf(side), [Symbol.asyncDispose]: side.stop };
});
