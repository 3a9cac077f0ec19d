import { BrokenPipe, Interrupted, type Io } from '../io.ts';
import type { Session } from '../session.ts';
import type { Settings } from '../settings/settings.ts';
import { type Colours, NO_COLOURS } from '../text/colour.ts';
import { absentText, failureText, leftOutText, timingLines } from './summary.ts';
import { type Tally, tallyOf } from './tally.ts';

/** What telling how a run ended needs. */
export interface ConcludeDeps {
  readonly io: Pick<Io, 'err' | 'signal'>;
  readonly settings: Pick<Settings, 'verbosity'> & {
    readonly execution: Pick<Settings['execution'], 'allowPartial' | 'requireAll'>;
  };
  /** Of stderr. @default none */
  readonly colours?: Colours | undefined;
}

/**
 * Says on stderr which clusters failed and why, and which were left out, and tells the exit code: 0 when all answered,
 * 3 when some did, 1 when none did, 130 or 143 when the user ended it. Verbs that have more to say raise a 0.
 */
export function createConclude(deps: ConcludeDeps): Session['conclude'] {
  const { io, settings, colours = NO_COLOURS } = deps;
  const { allowPartial, requireAll } = settings.execution;
  return (outcomes) => {
    const reason: unknown = io.signal.reason;
    // There is nobody to tell, or so the reader said by leaving.
    if (reason instanceof BrokenPipe) return 0;
    const tally = tallyOf(outcomes, requireAll);
    const isVerbose = settings.verbosity > 0;
    const text = [
      failureText(tally, { isVerbose, colours }),
      absentText(tally, { isVerbose, colours }),
      leftOutText(tally, { isVerbose, colours }),
      isVerbose ? timingLines(tally) : '',
    ].join('');
    if (text !== '') io.err(text);
    return reason instanceof Interrupted ? reason.exitCode : exitCode(tally, allowPartial);
  };
}

function exitCode(
  { ok, failed, cancelled, absent, skipped }: Tally,
  allowPartial: boolean,
): number {
  const isSound = failed.length === 0 && cancelled.length === 0;
  if (ok.length > 0) return isSound || allowPartial ? 0 : 3;
  return isSound && absent.length === 0 && skipped.length === 0 ? 0 : 1;
}
