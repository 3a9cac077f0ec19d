// `npm run scenarios`: which acceptance scenarios a test that ran and passed has proved, from the runner's results.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from './test-results.ts';

const RESULTS = ['test-results.jsonl', 'real-results.jsonl'];
const SCENARIO = /^([A-Z]+-\d+)\b/;

/** `docs/scenarios/PREFIX.md` has one line a scenario: `- REG-17 what must hold`. */
function scenarios(folder: string): Map<string, string[]> {
  const documents = new Map<string, string[]>();
  for (const file of readdirSync(folder).filter((name) => /^[A-Z]+\.md$/.test(name))) {
    const numbers = [...readFileSync(join(folder, file), 'utf8').matchAll(/^- ([A-Z]+-\d+) /gm)].map(
      ([, number = '']) => number,
    );
    documents.set(file.replace('.md', ''), numbers);
  }
  return documents;
}

/** A scenario is proved when every test that carries its number passed, and at least one did. */
function proved(): Set<string> {
  const outcome = new Map<string, boolean>();
  for (const name of RESULTS) {
    const file = join(FLOTILLA_ROOT, '.cache', name);
    if (!existsSync(file)) continue;
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { title, passed } = JSON.parse(line) as TestResult;
      const number = SCENARIO.exec(title)?.[1];
      if (number !== undefined) outcome.set(number, passed && (outcome.get(number) ?? true));
    }
  }
  return new Set([...outcome].filter(([, passed]) => passed).map(([number]) => number));
}

const done = proved();
for (const [document, numbers] of scenarios(join(FLOTILLA_ROOT, 'docs', 'scenarios'))) {
  const missing = numbers.filter((number) => !done.has(number));
  console.log(`${document}: ${numbers.length - missing.length} of ${numbers.length} proved`);
  if (missing.length > 0) console.log(`  missing: ${missing.join(' ')}`);
}
if (!RESULTS.some((name) => existsSync(join(FLOTILLA_ROOT, '.cache', name)))) {
  console.log('No results yet: run `npm test` (and `npm run real`) first');
}
