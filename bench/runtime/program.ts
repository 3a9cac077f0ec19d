import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runGo } from '../../tools/real-kubernetes/go.ts';

const FOLDER = join(FLOTILLA_ROOT, 'bench', 'runtime', 'controller-runtime');
const CACHE = join(FLOTILLA_ROOT, '.cache', 'bench-runtime');

/** Where the Go program is once it is built. */
export const PROGRAM = join(CACHE, 'tasks');

/** Builds it; Go's cache makes a second time quick. */
export function buildProgram(): void {
  mkdirSync(CACHE, { recursive: true });
  runGo(['build', '-trimpath', '-o', PROGRAM, '.'], { folder: FOLDER });
}
