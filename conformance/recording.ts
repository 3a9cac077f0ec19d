// What a real kube-apiserver answered, kept so that a server can be checked where there is no real
// one. One file per topic; the differential run fails when a recording is no longer what it answers.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './case.ts';
import type { StepResult, Transcript } from './run-case.ts';

interface RecordedStep extends StepResult {
  readonly case: string;
}

/** The recorded answers of every topic present in the folder, by case id. */
export function readRecordings(folder: string, cases: readonly Case[]): Map<string, Transcript> {
  const steps = new Map<string, StepResult[]>();
  for (const topic of new Set(cases.map((each) => each.topic))) {
    const file = join(folder, `${topic}.jsonl`);
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const { case: id, ...step } = JSON.parse(line) as RecordedStep;
      steps.set(id, [...(steps.get(id) ?? []), step]);
    }
  }
  return new Map([...steps].map(([id, each]) => [id, { id, steps: each, surprises: [] }]));
}

/** Writes the answers of whole topics, a line for each step so that a change is a small diff. */
export function writeRecordings(
  folder: string,
  cases: readonly Case[],
  transcripts: ReadonlyMap<string, Transcript>,
): void {
  mkdirSync(folder, { recursive: true });
  for (const topic of new Set(cases.map((each) => each.topic))) {
    const lines = cases
      .filter((each) => each.topic === topic)
      .flatMap(({ id }) =>
        (transcripts.get(id)?.steps ?? []).map((step) => JSON.stringify({ case: id, ...step })),
      );
    writeFileSync(join(folder, `${topic}.jsonl`), `${lines.join('\n')}\n`);
  }
}
