import { stat } from 'node:fs/promises';
import { type CheckResult, fail, ok, warn } from '../check.ts';

/** What only its owner should do with a file. */
export interface FileRule {
  /** The bits of its mode that must not be there. */
  readonly forbidden: number;
  /** What somebody else could do. */
  readonly danger: string;
}

/** Nobody else may read or write it. */
export const PRIVATE = 0o077;
/** Nobody else may write it. */
export const UNTOUCHED = 0o022;

/** Whether somebody else could do what only its owner should; undefined where there is no such file. */
export async function ownFile(
  path: string,
  { forbidden, danger }: FileRule,
): Promise<CheckResult | undefined> {
  try {
    const { mode, uid } = await stat(path);
    if (process.platform === 'win32') return ok(path);
    const isOthers = process.getuid !== undefined && uid !== process.getuid() && uid !== 0;
    if (isOthers) {
      return warn(
        `${path} is somebody else's: ${danger}`,
        `own it yourself: chown $(id -u) ${path}`,
      );
    }
    if ((mode & forbidden) === 0) return ok(path);
    const shown = (mode & 0o777).toString(8).padStart(4, '0');
    return warn(`${path} has mode ${shown}: ${danger}`, `chmod 600 ${path}`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : fail(message, `make ${path} readable for you`);
  }
}
