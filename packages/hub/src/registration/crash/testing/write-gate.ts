import { describeWrite, isWrite, type WrittenRequest } from './describe-write.ts';

/** When a process dies. */
export interface Trap {
  /** At which of its writes, from 1 on, whomever it writes to. */
  readonly at: number;
  /** Whether the server has done what was asked, and only the answer is lost. */
  readonly isDone: boolean;
}

/** What becomes of a request. */
export type Fate = 'live' | 'die before it' | 'die after it' | 'dead already';

/**
 * All that a process says to anybody goes through here. It counts what is written, and at the write it is told to, it
 * lets the process die: nothing that it says from then on is heard by anybody.
 */
export interface WriteGate {
  /** Asked with every request, before anybody else hears of it. */
  readonly admit: (server: string, request: WrittenRequest) => Fate;
  /** Called when the time has come; what is cut with {@link onSpring} is cut. */
  readonly spring: () => void;
  /** Tells how to cut a connection; the answer is called when it has ended by itself. */
  readonly onSpring: (cut: () => void) => () => void;
  /** Begins to count anew; without a trap nobody dies. */
  readonly arm: (trap?: Trap & { readonly kill: () => void }) => void;
  /** Lets through again, once whoever died is gone. */
  readonly open: () => void;
  /** Whether somebody has looked at a path since counting began. */
  readonly hasRead: (server: string, path: string) => boolean;
  /** What was written since counting began, by server and by what was done. */
  readonly writes: readonly string[];
  readonly isSprung: boolean;
}

/** Makes a gate through which everything goes, until it is armed. */
export function createWriteGate(): WriteGate {
  const cuts = new Set<() => void>();
  const reads = new Set<string>();
  let writes: string[] = [];
  let trap: (Trap & { readonly kill: () => void }) | undefined;
  let isSprung = false;
  return {
    admit: (server, request) => {
      if (isSprung) return 'dead already';
      if (!isWrite(request.method)) {
        reads.add(`${server} ${request.path.split('?')[0]}`);
        return 'live';
      }
      writes.push(`${server}: ${describeWrite(request)}`);
      if (writes.length !== trap?.at) return 'live';
      return trap.isDone ? 'die after it' : 'die before it';
    },
    spring: () => {
      isSprung = true;
      trap?.kill();
      for (const cut of [...cuts]) cut();
      cuts.clear();
    },
    onSpring: (cut) => {
      cuts.add(cut);
      return () => void cuts.delete(cut);
    },
    arm: (next) => {
      trap = next;
      writes = [];
      reads.clear();
    },
    hasRead: (server, path) => reads.has(`${server} ${path}`),
    open: () => {
      isSprung = false;
      trap = undefined;
    },
    get writes() {
      return writes;
    },
    get isSprung() {
      return isSprung;
    },
  };
}
