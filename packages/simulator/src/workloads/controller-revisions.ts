import { deepCopy, isAlreadyExists, type Kind, type KubeObject } from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import { type ControllerRevision, ControllerRevisions, type PodTemplate } from '../kinds.ts';
import type { World } from '../world/world.ts';
import { canonical, templateHash } from './template-hash.ts';

/** A workload whose templates are kept. */
export interface Versioned extends KubeObject {
  spec: { template: PodTemplate; revisionHistoryLimit?: number };
  status?: { collisionCount?: number };
}

/** Whose templates are kept, and under which label each revision has its hash: it differs between the kinds. */
export interface Keeping {
  readonly kind: Kind;
  readonly hashLabel: string;
}

/** The history of a workload's templates, its present one last. */
export interface History {
  readonly present: ControllerRevision;
  /** Oldest first, the present one included. */
  readonly all: readonly ControllerRevision[];
}

/** What `kubectl rollout undo` patches a workload with to get a template back. */
export function revisionData(template: PodTemplate): { spec: { template: unknown } } {
  return { spec: { template: { ...deepCopy(template), $patch: 'replace' } } };
}

/** The template that a revision keeps. */
export function templateOf({ data }: ControllerRevision): PodTemplate {
  const { spec } = data as { spec: { template: PodTemplate & { $patch?: string } } };
  const { $patch: _, ...template } = deepCopy(spec.template);
  return template;
}

/**
 * Sees to it that the present template of a workload is the newest revision: one that was there before gets a new number,
 * which is what an undo looks like.
 */
export async function keepHistory(
  world: World,
  { kind, hashLabel }: Keeping,
  owner: Versioned,
): Promise<History> {
  const { uid, name = '', namespace } = owner.metadata;
  const all = world.of(ControllerRevisions).ownedBy(uid).sort(byRevision);
  const data = revisionData(owner.spec.template);
  const same = canonical(data);
  const newest = all.at(-1);
  const found = all.findLast((revision) => canonical(revision.data) === same);
  if (found !== undefined && found === newest) return { present: found, all };
  const number = (newest?.revision ?? 0) + 1;
  if (found !== undefined) {
    const present = await world.update(ControllerRevisions, { ...found, revision: number });
    return { present, all: [...all.filter((each) => each !== found), present] };
  }
  for (let collisions = owner.status?.collisionCount ?? 0; ; collisions++) {
    const hash = templateHash(data, collisions);
    const revision: ControllerRevision = {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: `${name}-${hash}`,
        namespace,
        labels: { ...owner.spec.template.metadata?.labels, [hashLabel]: hash },
        ...annotationsFor(owner),
        ownerReferences: [controllerReference(kind, owner)],
      },
      data,
      revision: number,
    };
    try {
      const present = await world.create(ControllerRevisions, revision);
      return { present, all: [...all, present] };
    } catch (error) {
      // Another template has the name, or another owner whose end is near.
      if (!isAlreadyExists(error)) throw error;
    }
  }
}

/** Where `kubectl rollout history` finds why a template changed. */
function annotationsFor({ metadata }: KubeObject): { annotations?: Record<string, string> } {
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(
      ([name]) => name !== 'kubectl.kubernetes.io/last-applied-configuration',
    ),
  );
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

/** Deletes revisions that are neither in use nor within the history the workload keeps. */
export async function trimHistory(
  world: World,
  { owner, history, inUse }: { owner: Versioned; history: History; inUse: ReadonlySet<string> },
): Promise<void> {
  const idle = history.all.filter(
    (revision) => revision !== history.present && !inUse.has(revision.metadata.name ?? ''),
  );
  const surplus = idle.length - (owner.spec.revisionHistoryLimit ?? 10);
  for (const revision of idle.slice(0, Math.max(0, surplus))) {
    await world.delete(ControllerRevisions, revision);
  }
}

function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  return a.revision - b.revision || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}
