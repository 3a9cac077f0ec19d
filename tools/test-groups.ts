/** More would make the last group the one that all wait for. */
const GROUP_SIZE = 12;

/** Hooks of a whole file would be those of its whole group, and what belongs to the process belongs to all of them. */
const NEEDS_PROCESS = /^(?:before|after|beforeEach|afterEach)\(|\bprocess\.(?!pid\b|platform\b)/m;

/**
 * Puts test files together that can share a process: starting one takes longer than most of them run. Those that start
 * servers have one each and come first, since they take longest.
 */
export function groupTests(files: readonly string[], read: (file: string) => string): string[][] {
  const sharing = files.filter(
    (file) => file.endsWith('.test.ts') && !NEEDS_PROCESS.test(read(file)),
  );
  const groups: string[][] = files.filter((file) => !sharing.includes(file)).map((file) => [file]);
  for (let at = 0; at < sharing.length; at += GROUP_SIZE) {
    groups.push(sharing.slice(at, at + GROUP_SIZE));
  }
  return groups;
}
