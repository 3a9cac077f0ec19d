import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, sep } from 'node:path';

/** Finds the file that a command means; undefined when there is none. */
export type LookPath = (command: string) => Promise<string | undefined>;

/**
 * Looks commands up in a PATH. Relative folders in it do not count: a command must not come from whichever folder one
 * happens to be in. Commands with a separator are paths already.
 */
export function lookPathIn(path: string): LookPath {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  return async (command) => {
    if (command.includes(sep) || command.includes('/')) {
      return isAbsolute(command) ? command : undefined;
    }
    for (const folder of folders) {
      for (const name of namesOf(command)) {
        const candidate = join(folder, name);
        if (await isExecutable(candidate)) return candidate;
      }
    }
    return undefined;
  };
}

function namesOf(command: string): string[] {
  return process.platform === 'win32' ? [command, `${command}.exe`] : [command];
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
