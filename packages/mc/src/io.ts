import type { Readable } from 'node:stream';
import type { Clock } from '@flotilla/machinery';

/** What a command may touch of the world; `main.ts` hands in the real one, tests their own. */
export interface Io {
  /** Resolves when more can be taken; rejects never. After the reader is gone (EPIPE) `signal` is aborted with `BrokenPipe`. */
  readonly out: (text: string) => Promise<void>;
  /** The same for bytes that may be no text, as in logs. @default `out` of them, read as UTF-8 */
  readonly outBytes?: ((bytes: Uint8Array) => Promise<void>) | undefined;
  readonly err: (text: string) => void;
  readonly stdin: Readable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by SIGINT, SIGTERM (reason `Interrupted`) or a reader that is gone (reason `BrokenPipe`). */
  readonly signal: AbortSignal;
  /** Whether each is a terminal; what is not gets no colour, no progress and no question. */
  readonly terminal: { readonly out: boolean; readonly err: boolean; readonly in: boolean };
  /** Of the terminal; 80 where nobody knows. */
  readonly columns: number;
  /** How this very program is run again: a file and what stands before its arguments. @default kubectl-mc on PATH */
  readonly self?: readonly string[] | undefined;
  /** Asks for a line on stderr; undefined when nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
}

/** Why a run was cut short by its user; the exit code follows. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: 130 | 143;

  constructor(exitCode: 130 | 143) {
    super(exitCode === 130 ? 'interrupted' : 'terminated');
    this.exitCode = exitCode;
  }
}

/** Nobody reads any more, as with `| head -1`. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}
