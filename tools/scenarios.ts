// `npm run scenarios`: which acceptance scenarios a test that ran and passed has proved, from the
// journals that tools/test.ts writes for `npm test` and `npm run real`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseScenarios, reportScenarios, strayTitles } from './scenario-report.ts';
import { latestResults } from './test-results.ts';

const JOURNALS = { 'npm test': 'test-results.jsonl', 'npm run real': 'real-results.jsonl' };

const folder = join(FLOTILLA_ROOT, 'docs', 'scenarios');
const documents = readdirSync(folder)
  .filter((name) => /^[A-Z]+\.md$/.test(name))
  .map((name) => parseScenarios(name.slice(0, -3), readFileSync(join(folder, name), 'utf8')));

const results = Object.entries(JOURNALS).flatMap(([command, name]) => {
  const file = join(FLOTILLA_ROOT, '.cache', name);
  if (existsSync(file)) return latestResults(readFileSync(file, 'utf8'));
  console.log(`No results of \`${command}\` yet`);
  return [];
});

for (const { prefix, numbers, proved, failing, missing } of reportScenarios(documents, results)) {
  console.log(`${prefix}: ${proved.length} of ${numbers.length} proved`);
  if (failing.length > 0) console.log(`  failing: ${failing.join(' ')}`);
  if (missing.length > 0) console.log(`  missing: ${missing.join(' ')}`);
}

for (const title of strayTitles(documents, results)) {
  console.error(`Cannot place the test "${title}": no document has this scenario`);
  process.exitCode = 1;
}
