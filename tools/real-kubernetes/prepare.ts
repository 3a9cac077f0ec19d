import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBinaries, type Program } from './binaries.ts';
import { moduleFolder, runGo, wrapperModule } from './go.ts';

/** What the test files of a folder need beside the servers themselves. */
export interface Need {
  readonly folder: string;
  readonly programs?: readonly Program[];
  /** Downloads and builds that belong to the test. */
  readonly prepare?: () => void;
}

/** Builds and downloads all that comparing with real Kubernetes needs; afterwards no network is. */
export function prepareReal(parts: readonly string[], needs: readonly Need[]): void {
  ensureBinaries(['kube-apiserver', 'etcd', 'kubectl', 'kube-controller-manager']);
  moduleFolder('k8s.io/kubernetes');
  moduleFolder('k8s.io/api');
  runGo(['build', '-o', '/dev/null', './types', './openapi']);
  for (const need of needs.filter(({ folder }) => isWanted(folder, parts))) {
    const programs = need.programs ?? [];
    ensureBinaries(programs);
    // Its stages are read from the module at the start.
    if (programs.includes('kwok')) moduleFolder('sigs.k8s.io/kwok', join(wrapperModule, 'kwok'));
    need.prepare?.();
  }
}

/** Whether the parts of paths choose a test of the folder; without parts all run. */
function isWanted(folder: string, parts: readonly string[]): boolean {
  const files = readdirSync(join(FLOTILLA_ROOT, folder))
    .filter((file) => file.endsWith('.rtest.ts'))
    .map((file) => join(folder, file));
  return parts.length === 0 || files.some((file) => parts.some((part) => file.includes(part)));
}
