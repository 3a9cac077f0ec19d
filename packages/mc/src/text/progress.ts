import type { Io } from '../io.ts';
import type { Settings } from '../settings/settings.ts';
import { printableLine } from './printable.ts';

/** Tells on a terminal how far a run is, in one line that is gone before anything else is written. */
export interface Progress {
  /** The same world; whatever is written through it erases the line first. */
  readonly io: Io;
  /** Begins to tell; disposing of it ends that. */
  readonly start: (total: number) => ProgressRun;
}

/** What is being told. */
export interface ProgressRun extends Disposable {
  /** One more is done; `waiting` may name a few that are not. */
  readonly done: (waiting?: () => readonly string[]) => void;
}

/** Runs that end sooner are not worth a line. */
const QUIET_MS = 300;
/** Between two drawings. */
const PACE_MS = 100;
const NEWLINE = 0x0a;
const ERASE = '\r\u001b[K';

const SILENT: ProgressRun = { done: () => {}, [Symbol.dispose]: () => {} };

/** Progress for a world; none where stderr is no terminal or its user does not want it. */
export function createProgress(io: Io, mode: Settings['output']['progress']): Progress {
  const isShown = mode === 'auto' && io.terminal.err && io.env['TERM'] !== 'dumb';
  return isShown ? drawn(io) : { io, start: () => SILENT };
}

function drawn(io: Io): Progress {
  /** What stands there; empty when nothing does. */
  let drawnLine = '';
  // A line that somebody has begun on the same terminal is not written over.
  let isLineBegun = false;
  const erase = () => {
    if (drawnLine !== '') io.err(ERASE);
    drawnLine = '';
  };
  const written = (text: string) => {
    if (text !== '') isLineBegun = !text.endsWith('\n');
  };
  const { outBytes } = io;
  const draw = (line: string) => {
    // One short of the width: a full line would wrap, and its first half could not be erased.
    const fitting = [...line].slice(0, Math.max(0, io.columns - 1)).join('');
    if (isLineBegun || fitting === drawnLine) return;
    io.err(`${drawnLine === '' ? '' : ERASE}${fitting}`);
    drawnLine = fitting;
  };
  return {
    io: {
      env: io.env,
      homeFolder: io.homeFolder,
      cwd: io.cwd,
      clock: io.clock,
      random: io.random,
      signal: io.signal,
      terminal: io.terminal,
      columns: io.columns,
      self: io.self,
      // Opened by whoever reads from it, and not by being copied.
      get stdin() {
        return io.stdin;
      },
      out: (text) => {
        if (io.terminal.out) {
          erase();
          written(text);
        }
        return io.out(text);
      },
      ...(outBytes === undefined
        ? {}
        : {
            outBytes: (bytes: Uint8Array) => {
              if (io.terminal.out) {
                erase();
                if (bytes.length > 0) isLineBegun = bytes.at(-1) !== NEWLINE;
              }
              return outBytes(bytes);
            },
          }),
      err: (text) => {
        erase();
        written(text);
        io.err(text);
      },
      ask: (question) => {
        erase();
        return io.ask(question);
      },
    },
    start: (total) => tell(total, io, { draw, erase }),
  };
}

interface Pen {
  readonly draw: (line: string) => void;
  readonly erase: () => void;
}

function tell(total: number, { clock }: Pick<Io, 'clock'>, { draw, erase }: Pen): ProgressRun {
  let count = 0;
  let waiting: (() => readonly string[]) | undefined;
  let isOver = false;
  const line = () => {
    const names = waiting?.() ?? [];
    const rest = names.length === 0 ? '' : `, waiting for ${printableLine(names.join(', '))}`;
    return `${count}/${total} clusters${rest}`;
  };
  const show = () => {
    if (isOver) return;
    draw(line());
    timer = clock.later(PACE_MS, show);
  };
  let timer = clock.later(QUIET_MS, show);
  return {
    done: (others) => {
      count += 1;
      waiting = others ?? waiting;
    },
    [Symbol.dispose]: () => {
      isOver = true;
      timer[Symbol.dispose]();
      erase();
    },
  };
}
