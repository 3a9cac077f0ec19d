import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { checkFlags } from './check-flags.ts';
import { makePlan } from './make-plan.ts';

/** Runs a get to its exit code; each way of answering is loaded when it is asked for. */
export async function runGet(call: Call, session: Session): Promise<number> {
  const { flags } = call;
  checkFlags(call, session);
  const raw = flags.text('raw');
  if (raw !== undefined) {
    const { getRaw } = await import('./raw.ts');
    return await getRaw(raw, session);
  }
  const plan = await makePlan(call, session);
  if (flags.bool('watch') || flags.bool('watch-only')) {
    const { watchResources } = await import('./watch.ts');
    return await watchResources(call, plan, session);
  }
  if (flags.bool('count')) {
    const { countResources } = await import('./count.ts');
    return await countResources(call, plan, session);
  }
  if (flags.bool('missing')) {
    const { listMissing } = await import('./missing.ts');
    return await listMissing(call, plan, session);
  }
  if (flags.isSet('compare')) {
    const { compareFields } = await import('./compare.ts');
    return await compareFields(call, plan, session);
  }
  const { listResources } = await import('./list.ts');
  return await listResources(call, plan, session);
}
