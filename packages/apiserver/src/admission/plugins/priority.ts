import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { Admission } from '../../objects/engine.ts';
import { createObjectIndex } from '../../objects/object-index.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import { refuse } from '../refuse.ts';
import { podOf } from './pod-of.ts';

interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly globalDefault: boolean;
  readonly preemptionPolicy: string | undefined;
}

/** The two halves of the plug-in: pods get their number from a class, and one class at most is the default. */
export interface PriorityPlugin extends Disposable {
  readonly mutate: (admission: Admission) => void;
  readonly validate: (admission: Admission) => void;
}

/** Knows the tenants' priority classes. */
export function createPriority(store: Store): PriorityPlugin {
  const classes = createObjectIndex(store, 'scheduling.k8s.io/priorityclasses/', digest);
  /** Where a race left two defaults, the lower one counts. */
  const defaultOf = (tenant: Tenant): PriorityClass | undefined => {
    let found: PriorityClass | undefined;
    for (const each of classes.all(tenant)) {
      if (each.globalDefault && (found === undefined || found.value > each.value)) found = each;
    }
    return found;
  };

  const resolve = (pod: Pod, admission: Admission): PriorityClass => {
    const name = pod.spec.priorityClassName ?? '';
    if (name === '') return defaultOf(admission.tenant) ?? NONE;
    const found = classes.get(admission.tenant, name);
    if (found === undefined)
      throw refuse(admission, `no PriorityClass with name ${name} was found`);
    return found;
  };

  const admitNew = (pod: Pod, admission: Admission): void => {
    const { spec } = pod;
    const { name, value, preemptionPolicy } = resolve(pod, admission);
    if ((spec.priorityClassName ?? '') === '' && name !== '') spec.priorityClassName = name;
    if (spec.priority !== undefined && spec.priority !== value) {
      throw refuse(
        admission,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    }
    spec.priority = value;
    if (preemptionPolicy === undefined) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
      throw refuse(
        admission,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = preemptionPolicy;
  };

  return {
    mutate: (admission) => {
      const pod = podOf(admission, ['CREATE', 'UPDATE']);
      if (pod === undefined) return;
      if (admission.operation === 'CREATE') admitNew(pod, admission);
      else keepPriority(pod, admission.old as Pod);
    },
    validate: (admission) => {
      const { def, object, operation, subresource, tenant } = admission;
      if (def.resource !== 'priorityclasses' || def.group !== 'scheduling.k8s.io') return;
      if (object === undefined || subresource !== '' || operation === 'DELETE') return;
      const wanted = digest(object as unknown as Record<string, unknown>);
      if (!wanted.globalDefault) return;
      const present = defaultOf(tenant);
      if (present === undefined) return;
      if (operation === 'CREATE' || present.name !== wanted.name) {
        throw refuse(
          admission,
          `PriorityClass ${present.name} is already marked as default. Only one default can exist`,
        );
      }
    },
    [Symbol.dispose]: () => classes[Symbol.dispose](),
  };
}

/** What a pod has where no class is the default. */
const NONE: PriorityClass = {
  name: '',
  value: 0,
  globalDefault: false,
  preemptionPolicy: 'PreemptLowerPriority',
};

/** Clients that send a pod back without what was filled in mean no change. */
function keepPriority({ spec }: Pod, { spec: old }: Pod): void {
  if (spec.priority === undefined && old.priority !== undefined) spec.priority = old.priority;
  if (spec.preemptionPolicy === undefined && old.preemptionPolicy !== undefined) {
    spec.preemptionPolicy = old.preemptionPolicy;
  }
}

function digest(object: Record<string, unknown>): PriorityClass {
  const { name } = object['metadata'] as { name: string };
  return {
    name,
    value: Number(object['value'] ?? 0),
    globalDefault: object['globalDefault'] === true,
    preemptionPolicy: object['preemptionPolicy'] as string | undefined,
  };
}
