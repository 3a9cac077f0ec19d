import {
  badRequest,
  deepCopy,
  type KubeObject,
  labelSelectorAsSelector,
  matchesLabels,
  StatusError,
} from '@flotilla/machinery';
import { readObject } from '../handlers/body.ts';
import { writeOptions } from '../handlers/options.ts';
import { admissionOfCreate } from '../handlers/subresource-admission.ts';
import type { ApiResponse } from '../http/exchange.ts';
import { checkOptions, type DeleteOptions, deleteObject } from '../objects/delete-object.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { decodeStored, requireStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { type ResourceDef, rangePrefix } from '../resources/resource.ts';
import { success } from './success.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
}

interface BudgetStatus {
  readonly disruptionsAllowed?: number;
  readonly currentHealthy?: number;
  readonly desiredHealthy?: number;
  readonly observedGeneration?: number;
  readonly disruptedPods?: Record<string, string>;
}

/** POST to pods/NAME/eviction: a delete that asks the pod's disruption budget first. */
export async function evict(
  engine: Engine,
  scope: Scope,
  budgets: ResourceDef,
): Promise<ApiResponse> {
  const { info, tenant, def, user } = scope;
  const options = writeOptions(scope.request.query, 'CreateOptions');
  const eviction = await readObject(scope, {
    ...options,
    kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
  });
  const admission = admissionOfCreate(scope, { object: eviction, dryRun: options.dryRun });
  await engine.admit(admission);
  if (eviction.metadata.name !== info.name) {
    throw badRequest('name in URL does not match name in Eviction object');
  }
  await engine.validate(admission);
  const target = { tenant, def, namespace: info.namespace, name: info.name };
  const pod = requireStored(engine, target).object;
  const asked = (eviction['deleteOptions'] ?? {}) as DeleteOptions;
  // Either place may ask for a dry run; a dry run spends nothing of the budget.
  const deletion: DeleteOptions = options.dryRun ? { ...asked, dryRun: ['All'] } : asked;
  checkOptions(deletion);
  const dryRun = (deletion.dryRun ?? []).length > 0;
  if (!isTerminal(pod)) {
    const refusal = await askBudget(engine, scope, { pod, budgets, dryRun });
    if (refusal !== undefined) throw refusal;
  }
  await deleteObject(engine, {
    ...target,
    options: deletion,
    isAdmitted: true,
    user,
    warn: (message) => scope.warnings.push(message),
  });
  return success(201);
}

/** A pod that has ended, never started, or is going already disturbs nobody. */
function isTerminal(pod: KubeObject): boolean {
  const phase = (pod['status'] as { phase?: string } | undefined)?.phase ?? '';
  return (
    ['Succeeded', 'Failed', 'Pending'].includes(phase) ||
    pod.metadata.deletionTimestamp !== undefined
  );
}

async function askBudget(
  engine: Engine,
  scope: Scope,
  { pod, budgets, dryRun }: { pod: KubeObject; budgets: ResourceDef; dryRun: boolean },
): Promise<StatusError | undefined> {
  const { tenant, info, user } = scope;
  const matching = budgetsOf(engine, { tenant, budgets, namespace: info.namespace }, pod);
  if (matching.length > 1) {
    return new StatusError(
      500,
      '',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    );
  }
  const [budget] = matching;
  if (budget === undefined) return undefined;
  if (!isReady(pod) && mayGoUnready(budget)) return undefined;
  const name = budget.metadata.name ?? '';
  try {
    await updateObject(engine, {
      tenant,
      def: budgets,
      namespace: info.namespace,
      name,
      subresource: 'status',
      change: (current) => spend(current, { pod: info.name, now: engine.now() }),
      user,
      dryRun,
      warn: () => {},
    });
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  return undefined;
}

function budgetsOf(
  engine: Engine,
  where: { tenant: string; budgets: ResourceDef; namespace: string },
  pod: KubeObject,
): KubeObject[] {
  using snapshot = engine.store.snapshot(where.tenant);
  return snapshot
    .range(rangePrefix(where.budgets, where.namespace), { limit: Number.MAX_SAFE_INTEGER })
    .map(({ value }) => decodeStored(where.budgets, value))
    .filter((budget) => {
      const selector = (budget['spec'] as { selector?: object } | undefined)?.selector;
      if (selector === undefined) return false;
      return matchesLabels(labelSelectorAsSelector(selector), pod.metadata.labels ?? {});
    });
}

function isReady(pod: KubeObject): boolean {
  const conditions = (pod['status'] as { conditions?: Condition[] } | undefined)?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function mayGoUnready(budget: KubeObject): boolean {
  const policy = (budget['spec'] as { unhealthyPodEvictionPolicy?: string } | undefined)
    ?.unhealthyPodEvictionPolicy;
  const { currentHealthy = 0, desiredHealthy = 0 } = (budget['status'] ?? {}) as BudgetStatus;
  return policy === 'AlwaysAllow' || (currentHealthy >= desiredHealthy && desiredHealthy > 0);
}

/** Takes one disruption from the budget, or refuses with 429 as the disruption controller expects. */
function spend(budget: KubeObject, evicted: { pod: string; now: Date }): KubeObject {
  const status = (budget['status'] ?? {}) as BudgetStatus;
  const name = budget.metadata.name ?? '';
  const allowed = status.disruptionsAllowed ?? 0;
  if ((status.observedGeneration ?? 0) < (budget.metadata.generation ?? 0)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, 10);
  }
  if (allowed <= 0) {
    throw tooMany(
      `The disruption budget ${name} needs ${status.desiredHealthy ?? 0} healthy pods and has ${status.currentHealthy ?? 0} currently`,
      0,
    );
  }
  const next = deepCopy(budget);
  next['status'] = {
    ...status,
    disruptionsAllowed: allowed - 1,
    disruptedPods: {
      ...status.disruptedPods,
      [evicted.pod]: `${evicted.now.toISOString().slice(0, 19)}Z`,
    },
  };
  return next;
}

function tooMany(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(
    429,
    'TooManyRequests',
    "Cannot evict pod as it would violate the pod's disruption budget.",
    {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  );
}
