import { plainFormat } from '../../output/formats/plain-format.ts';
import type { Session } from '../../session.ts';
import { UsageError } from '../../usage-error.ts';
import type { Call } from '../../verb.ts';
import { makeEventPlan } from './event-plan.ts';

/** Runs `events` to its exit code; each way of answering is loaded when it is asked for. */
export async function runEvents(call: Call, session: Session): Promise<number> {
  const { args, flags } = call;
  if (args.length > 0) throw new UsageError(`extra arguments: [${args.join(' ')}]`);
  const plan = makeEventPlan(flags, session);
  const format = plainFormat(flags.text('output'), flags.text('template'));
  if (flags.bool('watch')) {
    const { watchEvents } = await import('./watch-events.ts');
    return await watchEvents(call, plan, { session, format });
  }
  if (format === undefined) {
    const { listEvents } = await import('./list-events.ts');
    return await listEvents(call, plan, session);
  }
  const { listEventObjects } = await import('./list-event-objects.ts');
  return await listEventObjects(call, plan, { session, format });
}
