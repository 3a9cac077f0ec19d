import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The path without symbolic links; what does not exist yet is taken as it is written. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
