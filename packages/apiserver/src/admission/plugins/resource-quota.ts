import {
  compareQuantities,
  formatQuantity,
  type KubeObject,
  type Quantity,
  quantitySign,
  StatusError,
  subtractQuantities,
} from '@flotilla/machinery';
import {
  type Amounts,
  amountsOf,
  isSame,
  listOf,
  only,
  sum,
  ZERO,
} from '../../builtin/quota/amounts.ts';
import { evaluatorOf, type QuotaEvaluator } from '../../builtin/quota/evaluators.ts';
import { isTerminating, scopesOf } from '../../builtin/quota/scopes.ts';
import { noWarnings, SYSTEM_USER } from '../../builtin/system-user.ts';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import { API_SERVER } from '../../managed-fields/manager-name.ts';
import type { Admission } from '../../objects/engine.ts';
import { createObjectIndex } from '../../objects/object-index.ts';
import { MODIFIED } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import type { PluginDeps } from '../plugin.ts';
import { refuse } from '../refuse.ts';

/** So often a charge is tried again when somebody else wrote the quota meanwhile. */
const RETRIES = 3;

/** Charges what is written to the quotas of its namespace. */
export interface ResourceQuotaPlugin extends Disposable {
  readonly validate: (admission: Admission) => Promise<void>;
}

interface Quota {
  readonly object: KubeObject;
  readonly hard: Amounts;
  readonly used: Amounts;
}

/** A quota and what a write would leave used of it. */
interface Charge {
  readonly quota: Quota;
  readonly used: Amounts;
}

/**
 * Knows the tenants' quotas. Charges of one namespace are made one after the other: two writes that each fit alone
 * must not both pass where only one fits.
 */
export function createResourceQuota({ engine, registryOf }: PluginDeps): ResourceQuotaPlugin {
  const quotas = createObjectIndex(engine.store, 'core/resourcequotas/', (object) =>
    quotaOf(object as unknown as KubeObject),
  );
  const turns = new Map<string, Promise<void>>();

  const charge = async (admission: Admission, evaluator: QuotaEvaluator): Promise<void> => {
    const { tenant, namespace } = admission;
    for (let retries = RETRIES; ; retries -= 1) {
      const charges = chargesOf(quotas.in(tenant, namespace), {
        admission,
        evaluator,
        now: engine.now(),
      });
      if (admission.dryRun) return;
      const lost = await writeAll(admission, charges);
      if (lost === undefined) return;
      if (retries === 0) throw lost;
    }
  };

  /** Undefined when all are written; otherwise why one is not. */
  const writeAll = async (
    { tenant, namespace }: Admission,
    charges: readonly Charge[],
  ): Promise<StatusError | undefined> => {
    const def = registryOf(tenant).find('', 'v1', 'resourcequotas');
    if (def === undefined) return undefined;
    for (const { quota, used } of charges) {
      const { name = '', resourceVersion = '' } = quota.object.metadata;
      try {
        await updateObject(engine, {
          tenant,
          def,
          namespace,
          name,
          subresource: 'status',
          change: (current) => {
            if (current.metadata.resourceVersion !== resourceVersion) throw overtaken();
            const status = current['status'] as object | undefined;
            return { ...current, status: { ...status, used: listOf(used) } };
          },
          user: SYSTEM_USER,
          manager: API_SERVER,
          dryRun: false,
          warn: noWarnings,
        });
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        return error;
      }
    }
    return undefined;
  };

  return {
    validate: async (admission) => {
      const { def, tenant, namespace, object } = admission;
      if (namespace === '' || object === undefined || def.resource === 'namespaces') return;
      if (quotas.in(tenant, namespace).length === 0) return;
      const evaluator = evaluatorOf(def);
      if (evaluator === undefined || !isCounted(admission)) return;
      const place = `${tenant}\u0000${namespace}`;
      const turn = (turns.get(place) ?? Promise.resolve()).then(() => charge(admission, evaluator));
      // The next in line does not care how this one ends.
      const ended = turn.then(
        () => {},
        () => {},
      );
      turns.set(place, ended);
      try {
        await turn;
      } finally {
        if (turns.get(place) === ended) turns.delete(place);
      }
    },
    [Symbol.dispose]: () => quotas[Symbol.dispose](),
  };
}

function overtaken(): StatusError {
  return new StatusError(409, 'Conflict', MODIFIED);
}

function quotaOf(object: KubeObject): Quota {
  const { hard, used } = (object['status'] ?? {}) as Record<string, Record<string, unknown>>;
  return { object, hard: amountsOf(hard), used: amountsOf(used) };
}

/** Which writes can use more than before. */
function isCounted({ def, operation, subresource, object, old }: Admission): boolean {
  const isUpdate = operation === 'UPDATE';
  switch (`${def.group}/${def.resource}`) {
    case '/pods':
      if (subresource === 'resize') return isUpdate;
      if (subresource !== '') return false;
      return !isUpdate || isTerminating(object as Pod) !== isTerminating(old as Pod);
    case '/services':
    case '/persistentvolumeclaims':
    case 'resource.k8s.io/resourceclaims':
      return subresource === '';
    default:
      return subresource === '' && !isUpdate;
  }
}

interface Asked {
  readonly admission: Admission;
  readonly evaluator: QuotaEvaluator;
  readonly now: Date;
}

/** What the write adds to each quota that it changes; throws where one has not enough left. */
function chargesOf(quotas: readonly Quota[], { admission, evaluator, now }: Asked): Charge[] {
  const { object, old, operation } = admission;
  if (object === undefined) return [];
  const interesting = quotas.filter((quota) => matches(quota, object, evaluator));
  for (const { object: quota, hard, used } of interesting) {
    const restricted = evaluator.matching([...hard.keys()]);
    const missing = evaluator.missing?.(restricted, object);
    if (missing !== undefined) {
      throw refuse(admission, `failed quota: ${quota.metadata.name}: ${missing}`);
    }
    if (restricted.some((name) => !used.has(name))) {
      throw refuse(
        admission,
        `status unknown for quota: ${quota.metadata.name}, resources: ${restricted.sort().join(',')}`,
      );
    }
  }
  const wanted = evaluator.usage(object, now);
  const negative = [...wanted].filter(([, amount]) => quantitySign(amount) < 0);
  if (negative.length > 0) {
    const names = negative.map(([name]) => name).sort();
    throw refuse(admission, `quota usage is negative for resource(s): ${names.join(',')}`);
  }
  const before = operation === 'UPDATE' && old !== undefined ? old : undefined;
  return interesting.flatMap((quota) => {
    const counted = before !== undefined && matches(quota, before, evaluator);
    const delta = positive(counted ? less(wanted, evaluator.usage(before, now)) : wanted);
    const used = added(quota, delta, admission);
    return isSame(used, quota.used) ? [] : [{ quota, used }];
  });
}

function matches({ object: quota, hard }: Quota, object: KubeObject, evaluator: QuotaEvaluator) {
  if (evaluator.matching([...hard.keys()]).length === 0) return false;
  return scopesOf(quota).every((scope) => evaluator.matchesScope(scope, object));
}

/** What is used afterwards of a quota's resources. */
function added(
  { object: quota, hard, used }: Quota,
  delta: Amounts,
  admission: Admission,
): Amounts {
  const requested = only(delta, new Set(hard.keys()));
  const after = sum(used, requested);
  const exceeded = [...requested.keys()].filter((name) => {
    const [amount, limit] = [after.get(name), hard.get(name)];
    return amount !== undefined && limit !== undefined && compareQuantities(amount, limit) > 0;
  });
  if (exceeded.length > 0 && admission.subresource !== 'status') {
    const names = new Set(exceeded);
    throw refuse(
      admission,
      `exceeded quota: ${quota.metadata.name}, requested: ${shown(only(requested, names))}, used: ${shown(only(used, names))}, limited: ${shown(only(hard, names))}`,
    );
  }
  return after;
}

/** The difference, and nothing where there is less than before. */
function less(a: Amounts, b: Amounts): Amounts {
  return new Map(
    [...a].map(([name, amount]): [string, Quantity] => {
      const rest = subtractQuantities(amount, b.get(name) ?? ZERO);
      return [name, quantitySign(rest) < 0 ? ZERO : rest];
    }),
  );
}

function positive(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, amount]) => quantitySign(amount) !== 0));
}

function shown(amounts: Amounts): string {
  return [...amounts.keys()]
    .sort()
    .map((name) => `${name}=${formatQuantity(amounts.get(name) ?? ZERO)}`)
    .join(',');
}
