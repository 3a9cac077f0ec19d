import type { Candidate } from './completion.ts';

/** Candidates for the last of several values with commas between, each with those before it; what is there is not offered again. */
export function inList(typed: string, candidates: readonly Candidate[]): Candidate[] {
  const cut = typed.lastIndexOf(',') + 1;
  const before = typed.slice(0, cut);
  const given = new Set(before.split(','));
  return candidates
    .filter(({ value }) => !given.has(value))
    .map(({ value, description }) => ({ value: `${before}${value}`, description }));
}
