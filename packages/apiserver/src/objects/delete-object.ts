import {
  conflict,
  deepCopy,
  deepEqual,
  type FieldError,
  formatTime,
  invalid,
  invalidObject,
  type KubeObject,
  notFound,
  notSupported,
} from '@flotilla/machinery';
import { groupResource } from '../resources/resource.ts';
import { WriteConflict } from '../storage/store.ts';
import type { Admission, Engine, Origin, UserInfo } from './engine.ts';
import {
  loadStored,
  peekStored,
  removeObject,
  retryOnConflict,
  type Stored,
  type Target,
  writeObject,
} from './stored.ts';

/** DeleteOptions as clients send them, in the body or the query. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

/** A delete, from a request or from one of our own controllers. */
export interface Delete extends Target {
  readonly options: DeleteOptions;
  readonly user: UserInfo;
  readonly warn: (message: string) => void;
  readonly origin?: Origin;
  /** True when admission has seen the delete as something else: an eviction. */
  readonly isAdmitted?: boolean;
  /** True for one of many deleted by a single request, which names none of them to admission. */
  readonly ofCollection?: boolean;
}

/** What a delete did: the object is gone, or marked and waiting for its grace period or finalizers. */
export interface Deleted {
  readonly object: KubeObject;
  readonly gone: boolean;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';
const EVENTS = 'core/events/';

/** Deletes an object, or starts what must happen before it can go. */
export async function deleteObject(engine: Engine, request: Delete): Promise<Deleted> {
  checkOptions(request.options);
  const dryRun = (request.options.dryRun ?? []).length > 0;
  return retryOnConflict(request, async () => {
    const current = await loadStored(engine, request);
    if (current === undefined) throw notFound(groupResource(request.def), request.name);
    checkPreconditions(request, current);
    const step = nextStep(engine, request, current.object);
    if (step.kind === 'pending') return { object: current.object, gone: false };
    const admission: Admission = {
      ...request,
      ...originOfStep(request, step),
      name: request.ofCollection === true ? '' : request.name,
      operation: 'DELETE',
      subresource: '',
      object: undefined,
      old: current.object,
      dryRun,
    };
    const admit = async (old: KubeObject): Promise<void> => {
      if (request.isAdmitted === true) return;
      await engine.admit({ ...admission, old });
      await engine.validate({ ...admission, old });
    };
    await admit(current.object);
    if (step.kind === 'remove') {
      if (dryRun) return { object: current.object, gone: true };
      const revision = await remove(engine, request, current);
      return { object: atRevision(current.object, revision), gone: true };
    }
    const marked = request.def.storedForm(step.object);
    // Asked again for what has begun already: nothing changes, and the revision stays.
    if (deepEqual(marked, current.object)) return { object: current.object, gone: false };
    if (dryRun) return { object: marked, gone: false };
    const written = await writeObject(engine, request, {
      object: marked,
      expect: current.revision,
    });
    if (step.kind === 'mark') return { object: written.object, gone: false };
    // A grace period of nothing: watchers and admission first see the mark, then the delete, as upstream shows them.
    await admit(written.object);
    const revision = await remove(engine, request, written);
    return { object: atRevision(written.object, revision), gone: true };
  });
}

/** Admission is told the grace period that was decided on, whatever was asked for. */
function originOfStep({ def, origin }: Delete, step: Step): { origin?: Origin } {
  if (origin === undefined || def.behaviour.gracePeriod === undefined) return {};
  if (step.kind !== 'mark' && step.kind !== 'mark-and-remove') return {};
  const { deletionGracePeriodSeconds } = step.object.metadata;
  return {
    origin: {
      signal: origin.signal,
      options: { ...origin.options, gracePeriodSeconds: deletionGracePeriodSeconds },
    },
  };
}

type Step =
  | { readonly kind: 'pending' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'mark' | 'mark-and-remove'; readonly object: KubeObject };

/** Decides between removing at once, marking for later, and leaving a pending delete alone. */
function nextStep(engine: Engine, request: Delete, object: KubeObject): Step {
  const { def, options } = request;
  const next = deepCopy(object);
  const meta = next.metadata;
  const now = engine.now();
  const asked =
    options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0
      ? 1
      : options.gracePeriodSeconds;

  if (isNamespace(request)) return namespaceStep(engine, request, next);
  if (def.behaviour.holdOnDelete !== undefined && meta.deletionTimestamp === undefined) {
    meta.deletionTimestamp = formatTime(now);
    def.behaviour.holdOnDelete(next, now);
    return { kind: 'mark', object: next };
  }

  let graceful: number | undefined;
  if (def.behaviour.gracePeriod !== undefined) {
    if (meta.deletionTimestamp !== undefined) {
      const pending = meta.deletionGracePeriodSeconds ?? 0;
      if (pending > 0) {
        if (asked === undefined || asked >= pending) return { kind: 'pending' };
        graceful = shorten(meta, { pending, asked, now });
      }
    } else {
      graceful = def.behaviour.gracePeriod(object, asked);
      if (graceful !== undefined) {
        meta.deletionTimestamp = formatTime(new Date(now.getTime() + graceful * 1000));
        meta.deletionGracePeriodSeconds = graceful;
        if ((meta.generation ?? 0) > 0) meta.generation = (meta.generation ?? 0) + 1;
      }
    }
  }

  setFinalizers(meta, collectorFinalizers(request, object));
  const held = (meta.finalizers ?? []).length > 0;
  if (graceful !== undefined) {
    return { kind: held || graceful > 0 ? 'mark' : 'mark-and-remove', object: next };
  }
  if (!held) return { kind: 'remove' };
  markDeleting(meta, now);
  return { kind: 'mark', object: next };
}

/** A namespace empties itself first: it turns Terminating and stays until nothing finalizes it. */
function namespaceStep(engine: Engine, request: Delete, next: KubeObject): Step {
  const meta = next.metadata;
  const spec = next['spec'] as { finalizers?: string[] } | undefined;
  setFinalizers(meta, collectorFinalizers(request, next));
  const held = (meta.finalizers ?? []).length + (spec?.finalizers ?? []).length > 0;
  if (!held) return { kind: 'remove' };
  if (meta.deletionTimestamp !== undefined) return { kind: 'pending' };
  meta.deletionTimestamp = formatTime(engine.now());
  next['status'] = { ...(next['status'] as object), phase: 'Terminating' };
  return { kind: 'mark', object: next };
}

/** Marks an object as waiting for its finalizers. */
function markDeleting(meta: KubeObject['metadata'], now: Date): void {
  if (meta.deletionTimestamp === undefined && (meta.generation ?? 0) > 0) {
    meta.generation = (meta.generation ?? 0) + 1;
  }
  if (meta.deletionTimestamp === undefined || new Date(meta.deletionTimestamp) > now) {
    meta.deletionTimestamp = formatTime(now);
  }
  meta.deletionGracePeriodSeconds = 0;
}

/** Moves a pending delete forward, never into the past; returns the new grace period. */
function shorten(
  meta: KubeObject['metadata'],
  { pending, asked, now }: { pending: number; asked: number; now: Date },
): number {
  const begun = new Date(meta.deletionTimestamp ?? now).getTime() - pending * 1000;
  let period = asked;
  let at = new Date(begun + asked * 1000);
  if (at < now) {
    at = now;
    if (period !== 0) period = 1;
  }
  meta.deletionTimestamp = formatTime(at);
  meta.deletionGracePeriodSeconds = period;
  return period;
}

/** Which of the garbage collector's finalizers the object gets for this delete. */
function collectorFinalizers(request: Delete, object: KubeObject): string[] {
  const present = object.metadata.finalizers ?? [];
  const others = present.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  // The collector does not know events: nobody would ever take such a finalizer away.
  if (request.def.prefix === EVENTS) return others;
  const { propagationPolicy, orphanDependents } = request.options;
  let wanted: string | undefined;
  if (orphanDependents !== undefined) wanted = orphanDependents ? ORPHAN : undefined;
  else if (propagationPolicy === 'Orphan') wanted = ORPHAN;
  else if (propagationPolicy === 'Foreground') wanted = FOREGROUND;
  else if (propagationPolicy === 'Background') wanted = undefined;
  else if (present.includes(ORPHAN)) wanted = ORPHAN;
  else if (present.includes(FOREGROUND)) wanted = FOREGROUND;
  else if (request.def.behaviour.defaultPropagation === 'orphan') wanted = ORPHAN;
  return wanted === undefined ? others : [...others, wanted];
}

function setFinalizers(meta: KubeObject['metadata'], finalizers: string[]): void {
  if (finalizers.length > 0) meta.finalizers = finalizers;
  else delete meta.finalizers;
}

async function remove(engine: Engine, target: Target, current: Stored): Promise<number> {
  try {
    return await removeObject(engine, target, current.revision);
  } catch (error) {
    // Someone else deleted it meanwhile: what we wanted has happened.
    if (error instanceof WriteConflict && peekStored(engine, target) === undefined) {
      return current.revision;
    }
    throw error;
  }
}

/** A deleted object is shown with the revision of its deletion. */
function atRevision(object: KubeObject, revision: number): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

function checkPreconditions(request: Delete, current: Stored): void {
  const { preconditions } = request.options;
  const { uid, resourceVersion } = current.object.metadata;
  const { group, kind } = request.def;
  if (preconditions?.uid !== undefined && preconditions.uid !== uid) {
    throw conflict(
      { group, resource: kind },
      request.name,
      `the UID in the precondition (${preconditions.uid}) does not match the UID in record (${uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (
    preconditions?.resourceVersion !== undefined &&
    preconditions.resourceVersion !== resourceVersion
  ) {
    throw conflict(
      { group, resource: kind },
      request.name,
      `the ResourceVersion in the precondition (${preconditions.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

/** Refuses contradictory or unknown options before anything is touched. */
export function checkOptions(options: DeleteOptions): void {
  const errors: FieldError[] = [];
  const { propagationPolicy, orphanDependents, dryRun = [] } = options;
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    errors.push(
      invalid(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  }
  if (propagationPolicy !== undefined && !POLICIES.includes(propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', propagationPolicy, [...POLICIES, 'nil']));
  }
  if (dryRun.some((value) => value !== 'All')) {
    errors.push(notSupported('dryRun', dryRun, ['All']));
  }
  if (errors.length > 0) {
    throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  }
}

function isNamespace({ def }: Target): boolean {
  return def.group === '' && def.resource === 'namespaces';
}
