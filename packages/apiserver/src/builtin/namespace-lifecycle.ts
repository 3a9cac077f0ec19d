import { deepCopy, formatTime, isNotFound, type KubeObject } from '@flotilla/machinery';
import { deleteObject } from '../objects/delete-object.ts';
import type { Engine } from '../objects/engine.ts';
import { decodeStored, findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Entry, Tenant } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { namesOf } from './namespace-defaults.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

const FINALIZER = 'kubernetes';
/** Objects deleted between two looks at the event loop. */
const SLICE = 100;
/** Content that goes only after its grace period or finalizers is looked at again by then at the latest. */
const RECHECK_MS = 5_000;

/** What could not be deleted yet. */
interface Leftover {
  readonly def: ResourceDef;
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Empties namespaces that are being deleted, then lets them go. */
export function namespaceLifecycleController(
  engine: Engine,
  namespaces: ResourceDef,
  contents: () => readonly ResourceDef[],
): BuiltinController {
  return {
    name: 'namespace',
    yields: true,
    initial: (tenant) => namesOf(engine, namespaces, tenant),
    concerns: (change) => {
      if (change.key.startsWith(namespaces.prefix)) {
        return change.value === undefined ? [] : [change.key.slice(namespaces.prefix.length)];
      }
      // Something in a namespace went away: it may have been the last thing that kept it.
      if (change.value !== undefined) return [];
      const namespace = change.key.split('/')[2];
      if (namespace === undefined) return [];
      const parent = findStored(engine, {
        tenant: change.tenant,
        def: namespaces,
        namespace: '',
        name: namespace,
      });
      return parent?.object.metadata.deletionTimestamp === undefined ? [] : [namespace];
    },
    sync: async (tenant, name) => {
      const target = { tenant, def: namespaces, namespace: '', name };
      const stored = findStored(engine, target);
      if (stored?.object.metadata.deletionTimestamp === undefined) return undefined;
      const spec = stored.object['spec'] as { finalizers?: string[] } | undefined;
      if (!(spec?.finalizers ?? []).includes(FINALIZER)) return undefined;

      const change = { ...target, user: SYSTEM_USER, dryRun: false, warn: noWarnings };
      do {
        const left: Leftover[] = [];
        for (const def of contents()) {
          const leftover = await empty(engine, tenant, { def, namespace: name });
          if (leftover !== undefined) left.push(leftover);
        }
        await updateObject(engine, {
          ...change,
          subresource: 'status',
          change: (current) => withConditions(current, left, engine.now()),
        });
        if (left.length > 0) return RECHECK_MS;
        // A create that was accepted before anyone could see the namespace terminate is stored by now: it stood in line
        // before our status.
      } while (contents().some((def) => holdsAny(engine, tenant, `${def.prefix}${name}/`)));
      await updateObject(engine, {
        ...change,
        subresource: 'finalize',
        change: (current) => {
          const next = deepCopy(current);
          const { finalizers = [] } = (next['spec'] ?? {}) as { finalizers?: string[] };
          next['spec'] = { finalizers: finalizers.filter((each) => each !== FINALIZER) };
          return next;
        },
      }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return undefined;
    },
  };
}

function holdsAny(engine: Engine, tenant: Tenant, prefix: string): boolean {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { limit: 1 }).length > 0;
}

/** Deletes all objects of one kind in a namespace and tells what stays behind. */
async function empty(
  engine: Engine,
  tenant: Tenant,
  { def, namespace }: { def: ResourceDef; namespace: string },
): Promise<Leftover | undefined> {
  const contents = { engine, tenant, def, prefix: `${def.prefix}${namespace}/` };
  for await (const objects of slices(contents)) {
    await Promise.all(
      objects.map(async ({ metadata }) => {
        if (metadata.deletionTimestamp !== undefined) return;
        await deleteObject(engine, {
          tenant,
          def,
          namespace,
          name: metadata.name ?? '',
          options: { propagationPolicy: 'Background' },
          user: SYSTEM_USER,
          warn: noWarnings,
        }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      }),
    );
  }
  let count = 0;
  const finalizers = new Map<string, number>();
  for await (const objects of slices(contents)) {
    count += objects.length;
    for (const { metadata } of objects) {
      for (const finalizer of metadata.finalizers ?? []) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }
  return count === 0 ? undefined : { def, count, finalizers };
}

/** What lies below a prefix, a little at a time: a namespace may hold more than one turn of the event loop can. */
async function* slices(contents: {
  engine: Engine;
  tenant: Tenant;
  def: ResourceDef;
  prefix: string;
}): AsyncGenerator<KubeObject[]> {
  const { engine, tenant, def, prefix } = contents;
  let after: string | undefined;
  for (;;) {
    const entries = read(engine, tenant, { prefix, after });
    if (entries.length > 0) yield entries.map(({ value }) => decodeStored(def, value));
    if (entries.length < SLICE) return;
    after = entries.at(-1)?.key;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function read(
  engine: Engine,
  tenant: Tenant,
  { prefix, after }: { prefix: string; after: string | undefined },
): Entry[] {
  // A new snapshot each time: the one at the beginning would hold up the store for as long as the deletes take.
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { ...(after === undefined ? {} : { after }), limit: SLICE });
}

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** The five conditions a terminating namespace reports, in upstream's words. */
function withConditions(namespace: KubeObject, left: readonly Leftover[], now: Date): KubeObject {
  const next = deepCopy(namespace);
  const status = (next['status'] ?? {}) as { conditions?: Condition[] };
  const before = status.conditions ?? [];
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
  const wanted: Omit<Condition, 'lastTransitionTime'>[] = [
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
    {
      type: 'NamespaceDeletionContentFailure',
      status: 'False',
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
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
  next['status'] = {
    ...status,
    conditions: wanted.map((condition) => {
      const known = before.find(({ type }) => type === condition.type);
      const moved = known === undefined || known.status !== condition.status;
      return {
        ...condition,
        lastTransitionTime: moved ? formatTime(now) : known.lastTransitionTime,
      };
    }),
  };
  return next;
}
