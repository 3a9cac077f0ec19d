import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { run } from 'node:test';

/** One line of the results file: what the runner saw, for `npm run scenarios` to read. */
export interface TestResult {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
}

/** Keeps each finished test's title and outcome; the returned counts grow as the stream flows. */
export function recordResults(
  stream: ReturnType<typeof run>,
  resultsFile: string,
  options: { append: boolean; nameOf: (path: string) => string },
): { passed: number; failed: number } {
  const counts = { passed: 0, failed: 0 };
  mkdirSync(dirname(resultsFile), { recursive: true });
  if (!options.append) writeFileSync(resultsFile, '');
  const keep = (passed: boolean) => (event: TestEvent) => {
    if (event.details?.type === 'suite') return;
    counts[passed ? 'passed' : 'failed'] += 1;
    if (event.skip !== undefined || event.todo !== undefined) return;
    const result: TestResult = {
      file: event.file === undefined ? '' : options.nameOf(event.file),
      title: event.name,
      passed,
    };
    appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
  };
  stream.on('test:pass', keep(true));
  stream.on('test:fail', keep(false));
  return counts;
}

interface TestEvent {
  readonly name: string;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details?: { readonly type?: string | undefined };
}
