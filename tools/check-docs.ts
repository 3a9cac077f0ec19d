// Fails when the README's map of the tree names something that is not there, or leaves out something that is,
// and when a document links to a file that does not exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const problems: string[] = [];
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: FLOTILLA_ROOT,
  encoding: 'utf8',
}).split('\n');

checkMap();
for (const file of tracked.filter((name) => name.endsWith('.md'))) checkLinks(file);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
}

/** Lines of the map look like `packages/machinery/   what it holds`. */
function checkMap(): void {
  const readme = readFileSync(join(FLOTILLA_ROOT, 'README.md'), 'utf8');
  const map = /```tree\n([\s\S]*?)```/.exec(readme)?.[1];
  if (map === undefined) {
    problems.push('README.md: has no map of the tree (```tree)');
    return;
  }
  const named = new Set(
    map
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[0] ?? '')
      .filter((name) => name !== ''),
  );
  for (const name of named) {
    if (!existsSync(join(FLOTILLA_ROOT, name))) problems.push(`README.md: "${name}" does not exist`);
  }
  const folders = [
    ...readdirSync(join(FLOTILLA_ROOT, 'packages')).map((name) => `packages/${name}/`),
    ...new Set(
      tracked
        .filter((name) => name.includes('/') && !name.startsWith('packages/') && !name.startsWith('.'))
        .map((name) => `${name.split('/')[0]}/`),
    ),
  ];
  for (const folder of folders) {
    if (!named.has(folder)) problems.push(`README.md: the map leaves out "${folder}"`);
  }
}

function checkLinks(file: string): void {
  const text = readFileSync(join(FLOTILLA_ROOT, file), 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:|^#/.test(target)) continue;
    const path = target.split('#')[0] ?? '';
    if (!existsSync(join(FLOTILLA_ROOT, dirname(file), path))) {
      problems.push(`${file}: links to "${path}", which does not exist`);
    }
  }
}
