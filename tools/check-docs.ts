// Fails when the README's map of the tree names something that is not there, or leaves out something that is,
// and when a document links to a file that does not exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkProblems, mapProblems } from './documents.ts';
import { listFiles } from './list-files.ts';

const files = listFiles('');
const readText = (path: string): string => readFileSync(join(FLOTILLA_ROOT, path), 'utf8');

const problems = [
  ...mapProblems(readText('README.md'), files),
  ...files
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => linkProblems({ path, text: readText(path) }, files)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
