import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isGlob, matchesGlob, parseGlob } from '../selection/glob.ts';
import { UsageError } from '../usage-error.ts';

const EXTENSIONS = ['.json', '.yaml', '.yml'];

/** No tree of manifests is larger; one that a mistyped path leads to may be. */
const MAX_FILES = 10_000;

/** How folders are read. */
export interface FileOptions {
  readonly isRecursive: boolean;
  readonly cwd: string;
}

/** The files that a path means, as the user would write them: itself, those of a folder, or what a pattern matches. */
export async function manifestFiles(path: string, options: FileOptions): Promise<string[]> {
  const found = await stat(resolve(options.cwd, path)).catch(() => undefined);
  if (found === undefined) return await filesLike(path, options.cwd);
  // Pipes and devices that are named are read, too: `-f <(generate)`.
  if (!found.isDirectory()) return [path];
  const files = await filesIn(path, options, []);
  if (files.length > 0) return files;
  throw new UsageError(
    `error reading [${path}]: recognized file extensions are [${EXTENSIONS.join(' ')}]`,
  );
}

async function filesIn(folder: string, options: FileOptions, files: string[]): Promise<string[]> {
  const entries = await readdir(resolve(options.cwd, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // Links to folders are not followed, so that there is an end.
    if (entry.isDirectory()) {
      if (options.isRecursive) await filesIn(path, options, files);
    } else if (EXTENSIONS.includes(extname(entry.name)) && (await isFile(path, options.cwd))) {
      if (files.length >= MAX_FILES) {
        throw new UsageError(`Cannot read "${folder}": there are more than ${MAX_FILES} files`);
      }
      files.push(path);
    }
  }
  return files;
}

/** A pipe in a folder is nothing to wait for. */
async function isFile(path: string, cwd: string): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isFile() === true;
}

async function filesLike(pattern: string, cwd: string): Promise<string[]> {
  const folder = dirname(pattern);
  const glob = isGlob(basename(pattern)) ? parseGlob(basename(pattern)) : undefined;
  const names =
    glob === undefined ? [] : await readdir(resolve(cwd, folder)).catch((): string[] => []);
  const matching = names.filter((name) => glob !== undefined && matchesGlob(glob, name)).sort();
  if (matching.length === 0) throw new UsageError(`the path "${pattern}" does not exist`);
  return matching.map((name) => join(folder, name));
}
