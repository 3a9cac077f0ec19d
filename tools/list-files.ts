import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What no checkout has fresh from a clone, or what is none of a tool's business. */
const NOT_OURS = new Set(['node_modules', 'dist', '.cache', '.git']);

/** Every file below a folder of the checkout, as paths from its root; '' is the root itself. */
export function listFiles(folder: string): string[] {
  return readdirSync(join(FLOTILLA_ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return NOT_OURS.has(entry.name) ? [] : listFiles(path);
  });
}
