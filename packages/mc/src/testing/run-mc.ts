import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '@flotilla/machinery';
import { BrokenPipe, Interrupted, type Io } from '../io.ts';
import { run } from '../run.ts';
import { verbs as allVerbs, type LoadVerb } from '../verbs/table.ts';

/** The world a run under test sees. */
export interface RunMcOptions {
  /** Where `~/.kube` is. @default a folder of its own, gone afterwards */
  readonly homeFolder?: string;
  /** Becomes KUBECONFIG. */
  readonly kubeconfig?: string;
  /** Beside PATH and KUBECONFIG; nothing else of the environment reaches the run. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stdin?: string | Readable;
  /** Each true, all true with `true`. @default no terminal */
  readonly terminal?: boolean | Partial<Io['terminal']>;
  readonly columns?: number;
  /** What is typed at each question, in order; afterwards nobody answers. */
  readonly answers?: readonly string[];
  readonly clock?: Clock;
  readonly random?: () => number;
  /** How the run would run itself. */
  readonly self?: readonly string[];
  /** Verbs beside or instead of the real ones. */
  readonly verbs?: Readonly<Record<string, LoadVerb>>;
}

/** How a run ended. */
export interface McResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on, as a watch does. */
export interface McRun {
  /** What it has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** As Ctrl-C, or `kill`. */
  readonly interrupt: (exitCode?: 130 | 143) => void;
  /** As when `head` has seen enough: what is written from now on is lost. */
  readonly closeReader: () => void;
  readonly done: Promise<McResult>;
}

/**
 * Runs `kubectl mc ARGV` in this process, against the real thing.
 *
 * @example
 * const { code, stdout, stderr } = await runMc(['get', 'pods', '-A'], fleet);
 */
export async function runMc(
  argv: readonly string[],
  options: RunMcOptions = {},
): Promise<McResult> {
  return await startMc(argv, options).done;
}

/** Starts `kubectl mc ARGV` without waiting for its end. */
export function startMc(argv: readonly string[], options: RunMcOptions = {}): McRun {
  const ownHome =
    options.homeFolder === undefined ? mkdtempSync(join(tmpdir(), 'kubectl-mc-')) : undefined;
  const home = options.homeFolder ?? ownHome ?? '';
  const stop = new AbortController();
  const answers = [...(options.answers ?? [])];
  const { terminal = false } = options;
  let stdout = '';
  let stderr = '';
  const err = (text: string) => {
    stderr += text;
  };

  const io: Io = {
    out: async (text) => {
      if (!(stop.signal.reason instanceof BrokenPipe)) stdout += text;
      await Promise.resolve();
    },
    err,
    stdin:
      options.stdin instanceof Readable
        ? options.stdin
        : Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ...(options.kubeconfig === undefined ? {} : { KUBECONFIG: options.kubeconfig }),
      ...options.env,
    },
    homeFolder: home,
    cwd: options.cwd ?? home,
    clock: options.clock ?? systemClock,
    random: options.random ?? (() => 0.5),
    signal: stop.signal,
    terminal: {
      out: terminal === true,
      err: terminal === true,
      in: terminal === true,
      ...(typeof terminal === 'boolean' ? {} : terminal),
    },
    columns: options.columns ?? 80,
    self: options.self,
    ask: async (question) => {
      err(question);
      return await Promise.resolve(answers.shift());
    },
  };
  const done = run(argv, io, { ...allVerbs, ...options.verbs })
    .then((code) => ({ code, stdout, stderr }))
    .finally(() => {
      if (ownHome !== undefined) rmSync(ownHome, { recursive: true, force: true });
    });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    interrupt: (exitCode = 130) => stop.abort(new Interrupted(exitCode)),
    closeReader: () => stop.abort(new BrokenPipe()),
    done,
  };
}
