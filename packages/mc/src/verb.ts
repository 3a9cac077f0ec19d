import type { FlagSpec, Flags } from './flags/flag.ts';
import type { Session } from './session.ts';

/** One subcommand. `main.ts` loads the module of the verb that is called, and no other. */
export interface Verb {
  /** `get`, or `auth can-i` where a verb has a second word. */
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  /** Behind `kubectl mc`, for help: `get (TYPE[.VERSION][.GROUP] [NAME ...] | TYPE/NAME ...)`. */
  readonly usage: string;
  readonly summary: string;
  readonly examples?: readonly string[] | undefined;
  /** Beside those that every verb has. */
  readonly flags: readonly FlagSpec[];
  /** The exit code of what is thrown, wrong flags among it, where 1 is an answer. @default 1 */
  readonly errorCode?: number | undefined;
  /** Whether it runs, and says what is wrong, where config file or environment cannot be meant. @default false */
  readonly bearsWrongSettings?: boolean | undefined;
  /** The exit code; UsageError, StatusError and TransportError may be thrown and are told as kubectl does. */
  readonly run: (call: Call, session: Session) => Promise<number>;
}

/** What was typed. */
export interface Call {
  readonly verb: string;
  readonly args: readonly string[];
  /** What came behind `--`; undefined when there was none. */
  readonly rest: readonly string[] | undefined;
  readonly flags: Flags;
}
