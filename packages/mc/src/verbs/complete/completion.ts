/** One thing that a word may become. */
export interface Candidate {
  /** The whole word, or the whole value of a flag behind `=`. */
  readonly value: string;
  readonly description?: string | undefined;
}

/** What the shell does beside offering candidates; the numbers are cobra's, which kubectl's scripts know. */
export const DIRECTIVES = {
  /** No space behind what was chosen: it goes on. */
  noSpace: 2,
  /** Files are no candidates. */
  noFiles: 4,
  /** Folders are. */
  folders: 16,
} as const;

/** Everything that a word may become. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Sum of directives; 0 leaves it to the shell, which offers files. */
  readonly directive: number;
}

/** Nothing, and no files either. */
export const NOTHING: Completion = { candidates: [], directive: DIRECTIVES.noFiles };

/** Names of files, which the shell knows best. */
export const FILES: Completion = { candidates: [], directive: 0 };

/** Candidates that end a word. */
export function words(candidates: readonly Candidate[]): Completion {
  return { candidates, directive: DIRECTIVES.noFiles };
}

/** Candidates behind which one writes on. */
export function beginnings(candidates: readonly Candidate[]): Completion {
  return { candidates, directive: DIRECTIVES.noFiles + DIRECTIVES.noSpace };
}

/*
 * Shells expand what they are offered: bash runs `$(…)` in a list of words. Names come from servers and profiles, so
 * nothing passes but what means itself in every shell.
 */
const SAFE = /^[A-Za-z0-9._:/@%+=,-]+$/;
const UNSAFE_IN_DESCRIPTION = /[^\p{L}\p{N} ._:/@%+=,()#*?<>&|;!-]+/gu;
const LONGEST_DESCRIPTION = 100;

/** As `__complete` prints it: a line for each candidate that goes on with `typed`, and the directive. */
export function completionText({ candidates, directive }: Completion, typed: string): string {
  const seen = new Set<string>();
  const lines = candidates.flatMap(({ value, description = '' }) => {
    if (!value.startsWith(typed) || !SAFE.test(value) || seen.has(value)) return [];
    seen.add(value);
    const told = description.replace(UNSAFE_IN_DESCRIPTION, ' ').trim();
    const text = told.slice(0, LONGEST_DESCRIPTION);
    return [text === '' ? `${value}\n` : `${value}\t${text}\n`];
  });
  return `${lines.join('')}:${directive}\n`;
}
