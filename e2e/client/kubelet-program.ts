import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runGo } from '../../tools/real-kubernetes/go.ts';

const FOLDER = join(FLOTILLA_ROOT, 'e2e', 'client', 'kubelet');
const CACHE = join(FLOTILLA_ROOT, '.cache', 'client');

/** Where the program is once it is built. */
export const KUBELET = join(CACHE, 'kubelet');

/** Builds the program; Go's cache makes a second time quick. */
export function buildKubelet(): void {
  mkdirSync(CACHE, { recursive: true });
  runGo(['build', '-trimpath', '-o', KUBELET, '.'], { folder: FOLDER });
}
