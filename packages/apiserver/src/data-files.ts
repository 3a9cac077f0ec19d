import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the generated tables lie: beside the bundle when bundled, beside the sources otherwise. */
export function dataFolder(): string {
  return typeof FLOTILLA_DATA === 'string'
    ? FLOTILLA_DATA
    : fileURLToPath(new URL('../data', import.meta.url));
}

/** Reads one generated table; nothing is kept, so callers decide what stays in memory. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(dataFolder(), name), 'utf8')) as T;
}
