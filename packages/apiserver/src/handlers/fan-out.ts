/** A watch with events to write. */
export interface Flushable {
  /** Writes all that waits; called in a turn of its own. */
  flush(): void;
}

/** Takes turns writing to watches, and joins the events they share. */
export interface FanOut {
  /** Has the watch flushed soon; asking again before that changes nothing. */
  readonly enqueue: (watch: Flushable) => void;
  /** The frames one after the other. Watches that lag by the same events get the same bytes. */
  readonly join: (frames: readonly Buffer[]) => Buffer;
}

/** Watches flushed in one turn of the event loop: about 2 ms of work, so that requests get theirs. */
const SLICE = 128;
const KEPT_JOINS = 64;

/**
 * Writing to a thousand watches takes longer than a write to the store. Done at once for every change it would hold up
 * the next one; done in turns, the changes that arrive meanwhile go out together, and the cost per event falls as the
 * load rises. A lone event waits for nothing but the end of the turn.
 */
export function createFanOut(): FanOut {
  const waiting = new Set<Flushable>();
  const ids = new WeakMap<Buffer, number>();
  const joins = new Map<string, Buffer>();
  let lastId = 0;
  let running = false;

  const run = (): void => {
    let left = SLICE;
    for (const watch of waiting) {
      if (left === 0) break;
      left -= 1;
      waiting.delete(watch);
      watch.flush();
    }
    running = waiting.size > 0;
    if (running) setImmediate(run);
    else joins.clear();
  };

  const idOf = (frame: Buffer): number => {
    let id = ids.get(frame);
    if (id === undefined) {
      lastId += 1;
      id = lastId;
      ids.set(frame, id);
    }
    return id;
  };

  return {
    enqueue: (watch) => {
      waiting.add(watch);
      if (running) return;
      running = true;
      setImmediate(run);
    },
    join: (frames) => {
      const [only] = frames;
      if (only !== undefined && frames.length === 1) return only;
      const key = frames.map(idOf).join();
      let joined = joins.get(key);
      if (joined === undefined) {
        joined = Buffer.concat(frames);
        if (joins.size >= KEPT_JOINS) joins.clear();
        joins.set(key, joined);
      }
      return joined;
    },
  };
}
