import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { lookPathIn } from '@flotilla/client';
import type { Io } from '../../../io.ts';
import { type Check, type CheckResult, ok, warn } from '../check.ts';

/** What kubectl finds of this program, and what this program needs of kubectl. */
export async function checkPrograms({ env }: Pick<Io, 'env'>): Promise<Check[]> {
  const path = env['PATH'] ?? '';
  const lookPath = lookPathIn(path);
  const completing = await lookPath('kubectl_complete-mc');
  const kubectl = env['KUBECTL_PATH'] ?? (await lookPath('kubectl'));
  return [
    { kind: 'program', subject: 'kubectl-mc', ...ourselves(await allOnPath('kubectl-mc', path)) },
    {
      kind: 'program',
      subject: 'kubectl_complete-mc',
      ...(completing === undefined
        ? warn('not on PATH: kubectl completes nothing behind mc', 'put it beside kubectl-mc')
        : ok(completing)),
    },
    {
      kind: 'program',
      subject: 'kubectl',
      ...(kubectl === undefined
        ? warn('not on PATH: verbs that hand on to it will not work', 'install kubectl')
        : ok(kubectl)),
    },
  ];
}

/** kubectl takes the first on PATH, whichever that is. */
function ourselves(found: readonly string[]): CheckResult {
  const [first, ...others] = found;
  if (first === undefined) {
    return warn('not on PATH: kubectl mc will not find it', 'put kubectl-mc on PATH');
  }
  if (others.length === 0) return ok(first);
  return warn(`${first} hides ${others.join(', ')}`, 'remove all but one');
}

/** The different programs of a name, in the order in which they are found. */
async function allOnPath(name: string, path: string): Promise<string[]> {
  const found = new Map<string, string>();
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = await lookPathIn(folder)(name);
    if (file === undefined) continue;
    // Several links to one program are nothing to worry about.
    const real = await realpath(file).catch(() => join(folder, name));
    if (!found.has(real)) found.set(real, file);
  }
  return [...found.values()];
}
