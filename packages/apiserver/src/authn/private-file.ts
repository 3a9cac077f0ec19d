import {
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder } from '../private-folder.ts';

/**
 * Replaces a file that only its owner may read, in one step: whoever reads it, even after a power
 * cut, finds the old content or the new one.
 */
export function writePrivateFile(path: string, content: string): void {
  const folder = dirname(path);
  const draft = `${path}.${process.pid}.new`;
  try {
    makePrivateFolder(folder);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;
    const file = openSync(draft, flags, 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    removeDraft(draft);
    throw new Error(`Cannot write "${path}": ${reasonOf(error)}`, { cause: error });
  }
  syncFolder(folder);
}

/** The content of a file, or undefined when there is none. */
export function readPrivateFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`Cannot read "${path}": ${reasonOf(error)}`, { cause: error });
  }
}

/** The draft may not be there at all; the first error is the one to tell. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {}
}

/** Without this the rename itself may be lost in a power cut. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC') return 'the disk is full';
  if (code === 'ENOTDIR' || code === 'EEXIST') return 'a file is where its folder belongs';
  if (code === 'EROFS') return 'the file system is read-only';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a directory';
  return error instanceof Error ? error.message : String(error);
}
