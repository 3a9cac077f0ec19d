import type { KubeObject } from '@flotilla/machinery';
import { setResourceVersion } from '../codec/encode.ts';
import { decodeAll, decodeStored, isServable } from '../objects/stored.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Change } from '../storage/store.ts';
import type { Selection } from './selection.ts';

/** The kinds of events a watch carries. */
export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/**
 * One change as watchers see it. Every watcher of the same kind shares it, so an object is decoded at
 * most once, and an event encoded at most once, however many are watching.
 */
export interface ChangeView {
  readonly change: Change;
  /** What everyone without a selector sees. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The object after the change; undefined when it is gone. */
  current(): KubeObject | undefined;
  /** The object before the change, carrying the change's resourceVersion; undefined when it is new. */
  previous(): KubeObject | undefined;
  /** Has the objects converted where somebody else does that; before it is done the rest must not be asked for. */
  load(): Promise<void>;
  /** The object of the event, as it is sent. */
  bytes(type: 'ADDED' | 'MODIFIED' | 'DELETED'): Buffer;
  /** The event as one line of JSON; for DELETED, the last state with the revision of the delete. */
  frame(type: 'ADDED' | 'MODIFIED' | 'DELETED'): Buffer;
}

const NEWLINE_END = Buffer.from('}\n');
const NOTHING = Buffer.alloc(0);

function atRevision(object: KubeObject | undefined, revision: number): KubeObject | undefined {
  if (object === undefined) return undefined;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** Frames an object's bytes as a watch event. */
export function frame(type: EventType, object: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), object, NEWLINE_END]);
}

type Views = Map<ResourceDef, ChangeView>;

/**
 * Makes views of changes and shares them between watchers, who all ask for them within a few turns of the event loop.
 * A view that nobody asked for in a whole turn is forgotten: the newest changes stay in memory for long, and with each
 * its decoded objects and events would, several times their size.
 */
export function changeViews(
  nextTurn: (turn: () => void) => void = setImmediate,
): (def: ResourceDef, change: Change) => ChangeView {
  // Versions of one kind have different views of the same change.
  let used = new Map<Change, Views>();
  let unused = new Map<Change, Views>();
  let isTurning = false;
  // What another server converted is waited for before it is used, and would have to be once more.
  const converted = new WeakMap<Change, Views>();

  const turn = (): void => {
    isTurning = used.size > 0;
    unused.clear();
    [used, unused] = [unused, used];
    if (isTurning) nextTurn(turn);
  };

  const viewsOf = (change: Change): Views => {
    const views = used.get(change) ?? unused.get(change) ?? new Map<ResourceDef, ChangeView>();
    used.set(change, views);
    if (!isTurning) {
      isTurning = true;
      nextTurn(turn);
    }
    return views;
  };

  const convertedOf = (change: Change): Views => {
    const views = converted.get(change) ?? new Map<ResourceDef, ChangeView>();
    converted.set(change, views);
    return views;
  };

  return (def, change) => {
    const isRemote = def.conversion?.remote !== undefined;
    const views = isRemote ? convertedOf(change) : viewsOf(change);
    let view = views.get(def);
    if (view === undefined) {
      view = viewOf(def, change);
      views.set(def, view);
    }
    return view;
  };
}

function viewOf(def: ResourceDef, change: Change): ChangeView {
  const frames = new Map<string, Buffer>();
  let current: KubeObject | undefined;
  let previous: KubeObject | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const values = [change.value, change.previous].filter((value) => value !== undefined);
    const objects = await decodeAll(def, values);
    if (change.value !== undefined) current = objects[0];
    if (change.previous !== undefined) previous = atRevision(objects.at(-1), change.revision);
  };
  const previousBytes = (): Buffer =>
    setResourceVersion(change.previous ?? Buffer.alloc(0), change.revision);
  return {
    change,
    type:
      change.value === undefined ? 'DELETED' : change.previous === undefined ? 'ADDED' : 'MODIFIED',
    current: () => {
      if (change.value === undefined) return undefined;
      current ??= decodeStored(def, change.value);
      return current;
    },
    load: () => {
      loading ??= load();
      return loading;
    },
    previous: () => {
      if (change.previous === undefined) return undefined;
      previous ??=
        def.conversion === undefined
          ? decodeStored(def, previousBytes())
          : atRevision(decodeStored(def, change.previous), change.revision);
      return previous;
    },
    bytes(type) {
      const isGone = type === 'DELETED' || change.value === undefined;
      if (def.conversion === undefined) return isGone ? previousBytes() : (change.value ?? NOTHING);
      if (!isGone && isServable(def, change)) return change.value ?? NOTHING;
      const object = isGone ? this.previous() : this.current();
      return object === undefined ? NOTHING : def.encode(object);
    },
    frame(type) {
      let bytes = frames.get(type);
      if (bytes === undefined) {
        bytes = frame(type, this.bytes(type));
        frames.set(type, bytes);
      }
      return bytes;
    },
  };
}

/** How a change looks through a selector: objects that come to match appear, those that cease to are deleted. */
export function transition(
  view: ChangeView,
  wanted: Selection,
): 'ADDED' | 'MODIFIED' | 'DELETED' | undefined {
  const current = view.current();
  const previous = view.previous();
  const now = current !== undefined && wanted.matches(current);
  const before = previous !== undefined && wanted.matches(previous);
  if (now) return before ? 'MODIFIED' : 'ADDED';
  return before ? 'DELETED' : undefined;
}
