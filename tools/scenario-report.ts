import type { TestResult } from './test-results.ts';

/** The acceptance scenarios of one document: `docs/scenarios/PREFIX.md`. */
export interface ScenarioDocument {
  readonly prefix: string;
  readonly numbers: readonly string[];
}

/** What the results prove of one document. */
export interface DocumentReport extends ScenarioDocument {
  readonly proved: readonly string[];
  /** Scenarios that a test carries which does not pass. */
  readonly failing: readonly string[];
  readonly missing: readonly string[];
}

/** Reads the lines `- REG-17 what must hold`; a number that is missing, repeated or out of order is an error. */
export function parseScenarios(prefix: string, text: string): ScenarioDocument {
  const numbers: string[] = [];
  for (const line of text.split('\n').filter((each) => each.startsWith('- '))) {
    const expected = `${prefix}-${numbers.length + 1}`;
    if (!/^- [A-Z]+-\d+ \S/.test(line) || line.split(' ')[1] !== expected) {
      throw new Error(`Cannot read "${line}" of ${prefix}.md: the next scenario is ${expected}`);
    }
    numbers.push(expected);
  }
  return { prefix, numbers };
}

/** A scenario is proved when a test with its number ran and passed, and none with it failed. */
export function reportScenarios(
  documents: readonly ScenarioDocument[],
  results: readonly TestResult[],
): DocumentReport[] {
  const passed = numbersOf(results.filter((result) => result.passed));
  const failed = numbersOf(results.filter((result) => !result.passed));
  return documents.map(({ prefix, numbers }) => ({
    prefix,
    numbers,
    proved: numbers.filter((number) => passed.has(number) && !failed.has(number)),
    failing: numbers.filter((number) => failed.has(number)),
    missing: numbers.filter((number) => !passed.has(number) && !failed.has(number)),
  }));
}

/** Titles that carry a number of a document's prefix which the document does not have. */
export function strayTitles(
  documents: readonly ScenarioDocument[],
  results: readonly TestResult[],
): string[] {
  const known = new Set(documents.flatMap(({ numbers }) => numbers));
  const prefixes = new Set(documents.map(({ prefix }) => prefix));
  // Other titles may begin alike: "UTF-8 …", "SHA-256 …".
  const isStray = (number: string) =>
    prefixes.has(number.split('-')[0] ?? '') && !known.has(number);
  return results.filter(({ title }) => carried(title).some(isStray)).map(({ title }) => title);
}

function numbersOf(results: readonly TestResult[]): Set<string> {
  return new Set(results.flatMap(({ title }) => carried(title)));
}

/** The numbers a title begins with; a test may prove two: "CP-63 CP-64 …". */
function carried(title: string): string[] {
  const words = title.split(/[\s,:]+/);
  const end = words.findIndex((word) => !/^[A-Z]+-\d+$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}
