import type { Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Io } from './io.ts';

/** Between whom questions and answers go. */
export interface AskOptions {
  /** Opened with the first question. */
  readonly input: () => Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
  /** Ctrl-C, which is a character while a line is edited. */
  readonly interrupt: () => void;
}

/**
 * Questions that are answered with a line each. Lines that came before they were asked for are kept for the next
 * question; after the last one, and after an interrupt, nobody answers.
 */
export function createAsk({ input, output, signal, interrupt }: AskOptions): Io['ask'] {
  const early: string[] = [];
  let lines: Promise<Interface> | undefined;
  let hasEnded = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  /** Several lines may come at once: only the first is the answer. */
  const answer = (line: string | undefined): boolean => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(line);
    return resolve !== undefined;
  };

  const open = async (): Promise<Interface> => {
    const { createInterface } = await import('node:readline');
    const opened = createInterface({ input: input(), output });
    opened.on('line', (line) => {
      if (!answer(line)) early.push(line);
    });
    opened.on('close', () => {
      hasEnded = true;
      answer(undefined);
    });
    opened.on('SIGINT', interrupt);
    signal.addEventListener('abort', () => opened.close(), { once: true });
    return opened;
  };

  return async (question) => {
    if (signal.aborted) return undefined;
    lines ??= open();
    const opened = await lines;
    if (early.length > 0 || hasEnded) {
      output.write(question);
      return early.shift();
    }
    opened.setPrompt(question);
    opened.prompt();
    const line = await new Promise<string | undefined>((resolve) => {
      waiting = resolve;
    });
    // An open terminal would keep the process waiting for what nobody asks.
    if (!hasEnded) opened.pause();
    return line;
  };
}
