import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Generated content by path below the data folder. */
export type GeneratedFiles = Map<string, string | Uint8Array>;

/** How a folder differs from what the generators write, one line per path. */
export function differences(folder: string, files: GeneratedFiles): string[] {
  const stale = existingFiles(folder)
    .filter((path) => !files.has(path))
    .map((path) => `${path}: no longer generated`);
  const changed = [...files].flatMap(([path, content]) => {
    const place = join(folder, path);
    if (!existsSync(place)) return [`${path}: missing`];
    return isSame(place, content) ? [] : [`${path}: differs`];
  });
  return [...stale, ...changed].sort();
}

/** Makes a folder hold the generated files and nothing else. */
export function writeAll(folder: string, files: GeneratedFiles): void {
  for (const path of existingFiles(folder)) {
    if (!files.has(path)) rmSync(join(folder, path));
  }
  for (const [path, content] of files) {
    const place = join(folder, path);
    if (existsSync(place) && isSame(place, content)) continue;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

/** Releases and processors compress the same text to different bytes, so texts are compared. */
function isSame(place: string, content: string | Uint8Array): boolean {
  const found = readFileSync(place);
  const wanted = Buffer.from(content);
  if (!place.endsWith('.gz')) return found.equals(wanted);
  return found.equals(wanted) || gunzipSync(found).equals(gunzipSync(wanted));
}

function existingFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
