import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The wrapper module that pins every real Kubernetes program and library. */
export const wrapperModule = join(FLOTILLA_ROOT, 'tools', 'real-kubernetes');

/** The Kubernetes release that the wrapper module pins, such as `v1.34.4`. */
export function kubernetesVersion(): string {
  return pinnedVersion('.', 'k8s.io/kubernetes');
}

/** The version of a dependency that the module in a folder below the wrapper module pins. */
export function pinnedVersion(folder: string, dependency: string): string {
  const file = join(wrapperModule, folder, 'go.mod');
  const words = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\s*(require )?/, '').split(' '));
  const version = words.find(([name]) => name === dependency)?.[1];
  if (version === undefined) throw new Error(`Cannot find "${dependency}" in "${file}"`);
  return version;
}

/** Where the Go tool runs, and what it reads; by default the wrapper module and nothing. */
export interface GoOptions {
  readonly folder?: string;
  readonly input?: string;
}

/** Runs the Go tool in a module and gives back what it printed. */
export function runGo(args: readonly string[], options: GoOptions = {}): string {
  try {
    return execFileSync('go', args, {
      cwd: options.folder ?? wrapperModule,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      input: options.input ?? '',
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Error(
        'Cannot run "go": it is not on PATH. Building real Kubernetes needs Go 1.24 or newer; ' +
          'or set FLOTILLA_REAL_ASSETS to a folder that has the binaries',
        { cause: error },
      );
    }
    throw error;
  }
}

/** The folder of a module's sources in the module cache, downloading them where they are missing. */
export function moduleFolder(module: string, pinnedIn = wrapperModule): string {
  const within = { folder: pinnedIn };
  const folder = runGo(['list', '-m', '-f', '{{.Dir}}', module], within).trim();
  if (folder !== '') return folder;
  const download: { Dir: string } = JSON.parse(runGo(['mod', 'download', '-json', module], within));
  return download.Dir;
}
