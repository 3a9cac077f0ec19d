/** What a command may touch of the world; `main.ts` hands in the real one. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeFolder: string;
  /** Aborted by SIGINT or SIGTERM; a second signal ends the process at once. */
  readonly signal: AbortSignal;
  readonly isTerminal: boolean;
  /** Asks for a line of text; undefined when nobody can answer. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
