import { deepCopy, formatTime, type KubeObject } from '@flotilla/machinery';
import type { ResourceDef } from '../resources/resource.ts';

/** Objects of one kind that could not be deleted yet. */
export interface Leftover {
  readonly def: ResourceDef;
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** How far the emptying of a namespace has come. */
export interface Outcome {
  readonly left: readonly Leftover[];
  /** Why kinds could not be deleted, one text per kind. */
  readonly failures: readonly string[];
  readonly isPending: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

type Wanted = Omit<Condition, 'lastTransitionTime'>;

/** Gives a terminating namespace its five conditions, in upstream's words; those of others stay. */
export function withConditions(namespace: KubeObject, outcome: Outcome, now: Date): KubeObject {
  const next = deepCopy(namespace);
  const status = (next['status'] ?? {}) as { conditions?: Condition[] };
  const conditions = [...(status.conditions ?? [])];
  for (const wanted of wantedConditions(outcome)) {
    const index = conditions.findIndex(({ type }) => type === wanted.type);
    const known = conditions[index];
    const moved = known === undefined || known.status !== wanted.status;
    const lastTransitionTime = moved ? formatTime(now) : known.lastTransitionTime;
    if (known === undefined) conditions.push({ ...wanted, lastTransitionTime });
    else conditions[index] = { ...known, ...wanted, lastTransitionTime };
  }
  next['status'] = { ...status, conditions };
  return next;
}

function wantedConditions({ left, failures }: Outcome): Wanted[] {
  const finalizers = new Map<string, number>();
  for (const leftover of left) {
    for (const [name, count] of leftover.finalizers) {
      finalizers.set(name, (finalizers.get(name) ?? 0) + count);
    }
  }
  const remaining = left.map(
    ({ def, count }) => `${def.resource}.${def.group} has ${count} resource instances`,
  );
  const waiting = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`);
  return [
    {
      type: 'NamespaceDeletionDiscoveryFailure',
      status: 'False',
      reason: 'ResourcesDiscovered',
      message: 'All resources successfully discovered',
    },
    {
      type: 'NamespaceDeletionGroupVersionParsingFailure',
      status: 'False',
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    },
    failures.length === 0
      ? {
          type: 'NamespaceDeletionContentFailure',
          status: 'False',
          reason: 'ContentDeleted',
          message: 'All content successfully deleted, may be waiting on finalization',
        }
      : {
          type: 'NamespaceDeletionContentFailure',
          status: 'True',
          reason: 'ContentDeletionFailed',
          message: `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(', ')}`,
        },
    remaining.length === 0
      ? {
          type: 'NamespaceContentRemaining',
          status: 'False',
          reason: 'ContentRemoved',
          message: 'All content successfully removed',
        }
      : {
          type: 'NamespaceContentRemaining',
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${remaining.sort().join(', ')}`,
        },
    waiting.length === 0
      ? {
          type: 'NamespaceFinalizersRemaining',
          status: 'False',
          reason: 'ContentHasNoFinalizers',
          message: 'All content-preserving finalizers finished',
        }
      : {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${waiting.sort().join(', ')}`,
        },
  ];
}
