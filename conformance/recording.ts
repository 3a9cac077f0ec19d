// What a real kube-apiserver answered, kept so that a server can be checked where there is no real
// one. One file per topic; the differential run fails when a recording is no longer what it answers.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case } from './case.ts';
import type { StepResult, Transcript } from './run-case.ts';

/** The recorded answers of every topic present in the folder, by case id. */
export function readRecordings(folder: string, cases: readonly Case[]): Map<string, Transcript> {
  const topics = new Set(cases.map(({ topic }) => topic));
  const transcripts = new Map<string, Transcript>();
  for (const topic of topics) {
    const file = join(folder, `${topic}.json`);
    if (!existsSync(file)) continue;
    const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, StepResult[]>;
    for (const [id, steps] of Object.entries(content)) {
      transcripts.set(id, { id, steps, surprises: [] });
    }
  }
  return transcripts;
}

/** Writes the answers of whole topics, a line for each step so that a change is a small diff. */
export function writeRecordings(
  folder: string,
  cases: readonly Case[],
  transcripts: ReadonlyMap<string, Transcript>,
): void {
  mkdirSync(folder, { recursive: true });
  for (const topic of new Set(cases.map((each) => each.topic))) {
    const entries = cases
      .filter((each) => each.topic === topic)
      .map(({ id }) => {
        const lines = (transcripts.get(id)?.steps ?? []).map((step) => JSON.stringify(step));
        return `${JSON.stringify(id)}: [\n${lines.join(',\n')}\n]`;
      });
    writeFileSync(join(folder, `${topic}.json`), `{\n${entries.join(',\n')}\n}\n`);
  }
}
