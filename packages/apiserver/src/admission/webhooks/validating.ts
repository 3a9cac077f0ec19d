import { timeoutError } from '@flotilla/machinery';
import type { Admission } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { inVersion, kindUnder } from '../matching/equivalents.ts';
import { wireForm } from '../matching/forms.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { CallFailure, callHook, failClosed } from './call.ts';
import { type Invocation, invocationOf, isExempt } from './invocation.ts';
import type { WebhookDeps } from './mutating.ts';
import type { ReviewedObjects } from './review.ts';

/** Lets webhooks refuse objects; all are asked at once, and the first refusal to come back is the answer. */
export function validatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    handles: () => true,
    validate: async (admission) => {
      const hooks = deps.hooks.of(admission.tenant);
      if (hooks.length === 0 || isExempt(admission)) return;
      const objects = new Map<ResourceDef, ReviewedObjects>();
      const invocations: Invocation[] = [];
      for (const hook of hooks) {
        const invocation = await invocationOf(deps, hook, admission);
        if (invocation === undefined) continue;
        invocations.push(invocation);
        const { def } = invocation;
        if (!objects.has(def)) objects.set(def, await objectsAs(def, admission));
      }
      if (invocations.length === 0) return;
      if (admission.origin?.signal.aborted === true) {
        throw timeoutError('request did not complete within requested timeout', 0);
      }
      await askAll(deps, admission, { invocations, objects });
    },
    [Symbol.dispose]: () => deps.hooks[Symbol.dispose](),
  };
}

async function objectsAs(def: ResourceDef, admission: Admission): Promise<ReviewedObjects> {
  const kind = kindUnder(admission, def);
  const there = { from: admission.def, to: def };
  return {
    object: wireForm(await inVersion(admission.object, admission, there), kind, def),
    old: wireForm(await inVersion(admission.old, admission, there), kind, def),
  };
}

async function askAll(
  deps: WebhookDeps,
  admission: Admission,
  {
    invocations,
    objects,
  }: { invocations: readonly Invocation[]; objects: ReadonlyMap<ResourceDef, ReviewedObjects> },
): Promise<void> {
  const refusals: unknown[] = [];
  await Promise.all(
    invocations.map(async (invocation) => {
      const { hook, def } = invocation;
      const reviewed = objects.get(def) ?? { object: undefined, old: undefined };
      try {
        await callHook(deps, invocation, { admission, objects: reviewed, mutating: false });
      } catch (error) {
        if (!(error instanceof CallFailure)) refusals.push(error);
        else if (hook.spec.failurePolicy !== 'Ignore') refusals.push(failClosed(error));
      }
    }),
  );
  if (refusals.length > 0) throw refusals[0];
}
