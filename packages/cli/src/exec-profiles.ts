import { type ExecProfile, ExecProfilesError, parseExecProfiles } from '@flotilla/hub';
import { UsageError } from './usage-error.ts';

/** Reads the file that says which commands kubeconfigs may name. */
export function readExecProfiles(
  file: string,
  readFile: (path: string) => string,
): readonly ExecProfile[] {
  try {
    return parseExecProfiles(readFile(file));
  } catch (error) {
    const state = error instanceof ExecProfilesError ? `\n${error.message}` : ` ${String(error)}`;
    throw new UsageError(`Cannot use --exec-profiles "${file}":${state}`);
  }
}
