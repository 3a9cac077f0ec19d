// `npm run bench -- NAME [--quick]`: runs bench/NAME/main.ts. A table for people, one JSON object as the last line.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

const [name, ...flags] = process.argv.slice(2);
const entry = name === undefined ? undefined : join('bench', name, 'main.ts');
if (entry === undefined || !existsSync(join(FLOTILLA_ROOT, entry))) {
  const names = readdirSync(join(FLOTILLA_ROOT, 'bench'), { withFileTypes: true })
    .filter((each) => existsSync(join(FLOTILLA_ROOT, 'bench', each.name, 'main.ts')))
    .map((each) => each.name);
  console.error(`Cannot run benchmark "${name ?? ''}": there are ${names.join(', ') || 'none'}`);
  process.exit(1);
}
run(process.execPath, ['tools/with-install.mjs', entry, ...flags]);
