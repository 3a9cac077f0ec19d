import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runGo } from '../../tools/real-kubernetes/go.ts';

/** The Go module beside this file. */
export const MODULE = join(FLOTILLA_ROOT, 'e2e', 'envtest');

/** Our stand-ins for what envtest starts. */
export const ASSETS = join(FLOTILLA_ROOT, 'packages', 'cli', 'envtest');

const CACHE = join(FLOTILLA_ROOT, '.cache', 'envtest');

/** Where the compiled test is once it is built. */
export const PROGRAM = join(CACHE, 'envtest.test');

/** Downloads the module's dependencies and compiles the test; Go's cache makes a second time quick. */
export function buildTest(): void {
  mkdirSync(CACHE, { recursive: true });
  runGo(['test', '-c', '-trimpath', '-o', PROGRAM, '.'], { folder: MODULE });
}
