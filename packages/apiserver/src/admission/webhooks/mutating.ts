import {
  deepCopy,
  deepEqual,
  goQuote,
  internalError,
  jsonPatch,
  type KubeObject,
  parseJson,
  StatusError,
  timeoutError,
} from '@flotilla/machinery';
import type { Admission, Reinvocation } from '../../objects/engine.ts';
import { inVersion, kindUnder } from '../matching/equivalents.ts';
import { readBack, replaceContent, wireForm } from '../matching/forms.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { type CallDeps, CallFailure, callHook, failClosed } from './call.ts';
import type { HookIndex } from './hooks.ts';
import { type Invocation, type InvocationDeps, invocationOf, isExempt } from './invocation.ts';
import type { Verdict } from './review.ts';

const NAME = 'MutatingAdmissionWebhook';

/** What the plug-in is made from. */
export interface WebhookDeps extends CallDeps, InvocationDeps {
  readonly hooks: HookIndex;
}

/** What is remembered of the first round, for the second. */
interface Rounds {
  last: KubeObject | undefined;
  /** Called, and to be called again if someone changes the object after them. */
  readonly waiting: Set<string>;
  readonly again: Set<string>;
}

/** Lets webhooks change objects, one after the other. */
export function mutatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  return {
    name: NAME,
    handles: () => true,
    mutate: async (admission) => {
      const hooks = deps.hooks.of(admission.tenant);
      if (hooks.length === 0 || isExempt(admission)) return;
      const { reinvocation } = admission;
      const rounds = roundsOf(reinvocation);
      // Other plug-ins ran again too; what they changed, webhooks must see.
      if (reinvocation?.isAgain === true && !deepEqual(rounds.last, admission.object))
        recall(rounds);
      try {
        for (const hook of hooks) {
          const invocation = await invocationOf(deps, hook, admission);
          if (invocation === undefined) continue;
          if (reinvocation?.isAgain === true && !rounds.again.has(hook.id)) continue;
          if (await invoke(deps, invocation, admission)) {
            recall(rounds);
            if (reinvocation !== undefined) reinvocation.isWanted = true;
          }
          if (hook.spec.reinvocationPolicy === 'IfNeeded') rounds.waiting.add(hook.id);
        }
      } finally {
        rounds.last = admission.object === undefined ? undefined : deepCopy(admission.object);
      }
    },
    [Symbol.dispose]: () => deps.hooks[Symbol.dispose](),
  };
}

function roundsOf(reinvocation: Reinvocation | undefined): Rounds {
  const known = reinvocation?.values.get(NAME) as Rounds | undefined;
  if (known !== undefined) return known;
  const fresh: Rounds = { last: undefined, waiting: new Set(), again: new Set() };
  reinvocation?.values.set(NAME, fresh);
  return fresh;
}

function recall(rounds: Rounds): void {
  for (const id of rounds.waiting) rounds.again.add(id);
  rounds.waiting.clear();
}

/** Calls one webhook and applies its patch; true when that changed the object. */
async function invoke(
  deps: WebhookDeps,
  invocation: Invocation,
  admission: Admission,
): Promise<boolean> {
  const { hook, def } = invocation;
  const kind = kindUnder(admission, def);
  const there = { from: admission.def, to: def };
  const object = wireForm(await inVersion(admission.object, admission, there), kind, def);
  const old = wireForm(await inVersion(admission.old, admission, there), kind, def);
  try {
    const verdict = await callHook(deps, invocation, {
      admission,
      objects: { object, old },
      mutating: true,
    });
    const patched = applyPatch(hook.spec.name, verdict, object);
    if (patched === undefined || object === undefined || admission.object === undefined) {
      return false;
    }
    const next = readBack(patched, kind, def);
    const isChanged = !deepEqual(next, object);
    const back = await inVersion(next, admission, { from: def, to: admission.def });
    if (back !== undefined) replaceContent(admission.object, back);
    return isChanged;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    if (hook.spec.failurePolicy !== 'Ignore') throw failClosed(error);
    if (admission.origin?.signal.aborted === true) {
      throw timeoutError('request did not complete within requested timeout', 0);
    }
    return false;
  }
}

/** The patched document; undefined when there is nothing to patch. */
function applyPatch(webhook: string, verdict: Verdict, object: KubeObject | undefined): unknown {
  if (verdict.patch === undefined) return undefined;
  const operations = readPatch(webhook, verdict.patch);
  if (operations === null || operations.length === 0) return undefined;
  if (object === undefined) {
    throw internalError(
      `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (verdict.patchType !== 'JSONPatch') {
    throw new CallFailure(webhook, `unsupported patch type ${goQuote(verdict.patchType)}`);
  }
  try {
    return jsonPatch(object, operations);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { cause } = error;
    throw internalError(cause instanceof Error ? cause.message : error.message);
  }
}

function readPatch(webhook: string, patch: Buffer): unknown[] | null {
  const undecodable = (why: string): CallFailure =>
    new CallFailure(webhook, `received undecodable patch in webhook response: ${why}`);
  let value: unknown;
  try {
    ({ value } = parseJson(patch, { strict: false }));
  } catch (error) {
    throw undecodable(error instanceof Error ? error.message : String(error));
  }
  if (value === null || Array.isArray(value)) return value;
  throw undecodable(
    `json: cannot unmarshal ${typeof value === 'boolean' ? 'bool' : typeof value} into Go value of type jsonpatch.Patch`,
  );
}
