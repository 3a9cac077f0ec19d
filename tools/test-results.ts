import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the runner saw of one test. */
export interface TestResult {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
}

/** The part of node:test's events that we keep. */
export interface TestEvent {
  readonly name: string;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details?: { readonly type?: string | undefined };
}

/** Where test events come from: the stream of node:test's `run`. */
export interface TestEvents {
  on(event: 'test:pass' | 'test:fail', listener: (event: TestEvent) => void): unknown;
}

/** Which run is recorded, and where. */
export interface Recording {
  readonly journal: string;
  /** Tells runs apart that write to one journal at the same time. */
  readonly run: string;
  /** Every test file of the run, whether or not it gets as far as a result. */
  readonly files: readonly string[];
  /** A full run starts the journal anew, a partial one adds to it. */
  readonly isFull: boolean;
  readonly nameOf: (path: string) => string;
}

interface RunLine {
  readonly run: string;
  readonly files: readonly string[];
}

interface ResultLine extends TestResult {
  readonly run: string;
}

/**
 * Writes each finished test's title and outcome to a journal; the returned counts grow as events arrive.
 *
 * Skipped and unfinished (`todo`) tests are left out of both: they prove nothing and break nothing.
 */
export function recordResults(
  events: TestEvents,
  recording: Recording,
): { passed: number; failed: number } {
  const { journal, run, files } = recording;
  const counts = { passed: 0, failed: 0 };
  const write = (line: RunLine | ResultLine) =>
    appendFileSync(journal, `${JSON.stringify(line)}\n`);
  const keep = (passed: boolean) => (event: TestEvent) => {
    if (event.details?.type === 'suite' || isSet(event.skip) || isSet(event.todo)) return;
    counts[passed ? 'passed' : 'failed'] += 1;
    const file = event.file === undefined ? '' : recording.nameOf(event.file);
    write({ run, file, title: event.name, passed });
  };

  mkdirSync(dirname(journal), { recursive: true });
  if (recording.isFull) writeFileSync(journal, '');
  write({ run, files });
  events.on('test:pass', keep(true));
  events.on('test:fail', keep(false));
  return counts;
}

/**
 * The results that hold now: for each test file those of the last run that had it.
 *
 * The file and not the single test decides, so that a test which was renamed, removed, or not reached
 * by the last run does not count as passed for ever.
 */
export function latestResults(journal: string): TestResult[] {
  const lastRunOf = new Map<string, string>();
  const results: ResultLine[] = [];
  for (const text of journal.split('\n')) {
    const line = parseLine(text);
    if (line === undefined) continue;
    if ('files' in line) for (const file of line.files) lastRunOf.set(file, line.run);
    else results.push(line);
  }
  return results
    .filter(({ file, run }) => lastRunOf.has(file) && lastRunOf.get(file) === run)
    .map(({ file, title, passed }) => ({ file, title, passed }));
}

/** A runner that was killed may have left half a line. */
function parseLine(text: string): RunLine | ResultLine | undefined {
  try {
    return JSON.parse(text) as RunLine | ResultLine;
  } catch {
    return undefined;
  }
}

/** The reason of a skip may be an empty text. */
function isSet(flag: string | boolean | undefined): boolean {
  return flag !== undefined && flag !== false;
}
