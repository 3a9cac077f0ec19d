import type { Clock } from '@flotilla/machinery';

/** What a command says on stderr during one run. */
export interface PluginWords {
  readonly take: (chunk: Buffer) => void;
  /** Everything that nobody has seen yet; nothing is shown any more. */
  readonly end: () => string;
}

/** Whoever still runs then is waiting for the person who reads it; what fails, fails faster. */
const SHOWN_AFTER_MS = 1000;
const MAX_BYTES = 64 * 1024;

/**
 * Gathers what a command says, since of fifty commands at once nobody wants to read it all. One that waits for a person
 * (`open this page and enter this code`) is given `show`, and is heard at once after a moment.
 */
export function gatherWords(clock: Clock, show?: (text: string) => void): PluginWords {
  let pending = '';
  let bytes = 0;
  let isShowing = false;
  const showLines = () => {
    if (!isShowing || show === undefined) return;
    // A prompt has no line break behind it; it must be seen all the same.
    const text = pending;
    pending = '';
    show(text);
  };
  const timer =
    show === undefined
      ? undefined
      : clock.later(SHOWN_AFTER_MS, () => {
          isShowing = true;
          showLines();
        });
  return {
    take: (chunk) => {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return;
      pending += chunk.toString();
      showLines();
    },
    end: () => {
      timer?.[Symbol.dispose]();
      isShowing = false;
      return pending;
    },
  };
}
