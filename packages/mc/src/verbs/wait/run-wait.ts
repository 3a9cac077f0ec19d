import type { ApiResource } from '@flotilla/client';
import type { Json, KubeObject } from '@flotilla/machinery';
import { TimeLimit } from '../../fan-out/endings.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import { createRollCall } from '../../follow/roll-call.ts';
import { dropManagedFields } from '../../output/formats/fleet-item.ts';
import { kindPrefix, nameLine } from '../../output/formats/name.ts';
import { objectText } from '../../output/formats/object-text.ts';
import { plainFormat } from '../../output/formats/plain-format.ts';
import type { Session } from '../../session.ts';
import type { Call } from '../../verb.ts';
import { templatePrinter } from '../get/list.ts';
import { finishWait, isMet, judge } from './finish.ts';
import { waitOnMember } from './wait-on-member.ts';
import { makeWaitPlan } from './wait-plan.ts';
import type { MemberWait, WaitRun } from './wait-run.ts';

/** One cluster was enough, so that the others need not be waited for. Nobody is told. */
class Enough extends Error {
  override readonly name = 'Enough';
}

/** Waits on all clusters at once, for as long as `--timeout` says. */
export async function runWait(call: Call, session: Session): Promise<number> {
  const view = await openView(call, session);
  const plan = await makeWaitPlan(call, session);
  const fleet = await session.fleet(plan.objects.clusters);
  const { io, settings } = session;
  const end = new AbortController();
  const rollCall = createRollCall(fleet.clusters.length);
  using _timer =
    plan.timeoutMs === 0
      ? undefined
      : io.clock.later(plan.timeoutMs, () => {
          end.abort(new TimeLimit('run', plan.timeoutMs));
          rollCall.close();
        });
  const run: WaitRun = { plan, session, rollCall, end: end.signal, show: view.show };
  const outcomes = new Map<string, Outcome<MemberWait>>();
  try {
    await session.fanOut(fleet, (member) => waitOnMember(member, run), {
      // Clusters that cannot even be opened end some time, too.
      timeoutMs: plan.timeoutMs + settings.execution.timeoutMs,
      concurrency: 'all',
      onOutcome: (outcome) => {
        const isFirst = plan.isAny && isMet(outcome) && ![...outcomes.values()].some(isMet);
        outcomes.set(outcome.cluster.name, outcome);
        rollCall.answer(outcome.cluster.name, 'gone');
        if (isFirst) throw new Enough();
      },
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  const judged = judge(fleet.clusters.flatMap(({ cluster }) => outcomes.get(cluster.name) ?? []));
  await view.close(judged);
  const isEnough = plan.isAny && judged.some(isMet);
  return isEnough ? session.conclude(judged.filter(isMet)) : finishWait(session, judged);
}

interface WaitView {
  readonly show: WaitRun['show'];
  /** Shows what can be shown only when all is known. */
  readonly close: (outcomes: readonly Outcome<MemberWait>[]) => Promise<void>;
}

/** Objects are shown as they meet a condition, or all in one document at the end. */
async function openView(call: Call, session: Session): Promise<WaitView> {
  const { flags } = call;
  const { io, settings } = session;
  const showManagedFields = flags.bool('show-managed-fields');
  const showsCluster = settings.output.clusterColumn !== 'none';
  const format = plainFormat(flags.text('output'), flags.text('template'));
  const close = async (): Promise<void> => {};
  if (format === undefined) {
    const show: WaitView['show'] = async (object, resource, cluster) => {
      const name = `${kindPrefix(resource)}${object.metadata.name ?? '<unknown>'} condition met`;
      await io.out(nameLine(name, showsCluster ? cluster : undefined));
    };
    return { show, close };
  }
  if (format.kind === 'json' || format.kind === 'yaml') {
    return envelopeView({ format: format.kind, showManagedFields }, session);
  }
  const text = await objectText(format.kind, {
    showManagedFields,
    showsCluster,
    template: 'template' in format ? await templatePrinter(format, call, session) : undefined,
  });
  const show: WaitView['show'] = async (object, resource, cluster) => {
    await io.out(text(jsonOf(object), { cluster, kind: resource })(''));
  };
  return { show, close };
}

interface EnvelopeForm {
  readonly format: 'json' | 'yaml';
  readonly showManagedFields: boolean;
}

function envelopeView({ format, showManagedFields }: EnvelopeForm, session: Session): WaitView {
  const shown = new Map<string, Json[]>();
  return {
    show: async (object: KubeObject, _resource: ApiResource, cluster: string) => {
      const json = showManagedFields ? jsonOf(object) : dropManagedFields(jsonOf(object));
      shown.set(cluster, [...(shown.get(cluster) ?? []), json]);
      await Promise.resolve();
    },
    close: async (outcomes) => {
      const { printEnvelope } = await import('../print-envelope.ts');
      const withItems = outcomes.map((outcome) => ({
        ...outcome,
        value: shown.get(outcome.cluster.name) ?? [],
      }));
      await printEnvelope(withItems, { format, items: (items: Json[]) => items }, session);
    },
  };
}

/** A copy at its top, since what is shown is marked with its cluster, and the object is followed on. */
function jsonOf(object: KubeObject): Json {
  const { annotations, ...metadata } = object.metadata;
  return {
    ...(object as unknown as Json),
    metadata:
      annotations === undefined ? metadata : { ...metadata, annotations: { ...annotations } },
  };
}
