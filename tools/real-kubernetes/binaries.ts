import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { kubernetesVersion, pinnedVersion, runGo, wrapperModule } from './go.ts';

const KWOK = 'sigs.k8s.io/kwok';

/** A real program that can be built, in the order of a full build. */
export type Program =
  | 'kube-apiserver'
  | 'etcd'
  | 'kubectl'
  | 'kube-controller-manager'
  | 'kube-scheduler'
  | 'helm'
  | 'kwok';

interface Source {
  /** The module, a folder below the wrapper module, that pins the program. */
  readonly module: string;
  readonly package: string;
  /** The variables that tell the program its version, set at link time. */
  readonly facts: () => Readonly<Record<string, string>>;
}

const SOURCES: Readonly<Record<Program, Source>> = {
  'kube-apiserver': kubernetes('kube-apiserver'),
  etcd: { module: 'etcd', package: 'go.etcd.io/etcd/server/v3', facts: () => ({}) },
  kubectl: kubernetes('kubectl'),
  'kube-controller-manager': kubernetes('kube-controller-manager'),
  'kube-scheduler': kubernetes('kube-scheduler'),
  helm: {
    module: 'helm',
    package: 'helm.sh/helm/v3/cmd/helm',
    facts: () => ({
      'helm.sh/helm/v3/internal/version.version': pinnedVersion('helm', 'helm.sh/helm/v3'),
    }),
  },
  kwok: {
    module: 'kwok',
    package: `${KWOK}/cmd/kwok`,
    facts: () => ({ [`${KWOK}/pkg/consts.Version`]: pinnedVersion('kwok', KWOK) }),
  },
};

function kubernetes(name: string): Source {
  return { module: '.', package: `k8s.io/kubernetes/cmd/${name}`, facts: kubernetesFacts };
}

function kubernetesFacts(): Record<string, string> {
  const version = kubernetesVersion();
  const [major = '', minor = ''] = version.slice(1).split('.');
  const facts = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [`k8s.io/component-base/version.${name}`, value]),
  );
}

/** Where a program is, built or not: FLOTILLA_REAL_ASSETS, else the cache of this release. */
export function binaryPath(program: Program): string {
  return join(assetsFolder(), program);
}

/** Builds the programs that are missing, and refuses a kube-apiserver that is not the real one. */
export function ensureBinaries(programs: readonly Program[]): void {
  const missing = programs.filter((program) => !existsSync(binaryPath(program)));
  if (missing.length > 0 && givenFolder() !== undefined) {
    throw new Error(
      `Cannot use FLOTILLA_REAL_ASSETS "${assetsFolder()}": it has no ${missing.join(', ')}`,
    );
  }
  for (const program of missing) buildProgram(program);
  if (programs.includes('kube-apiserver')) refuseOtherServer(binaryPath('kube-apiserver'));
}

/** An empty variable counts as none, as with XDG_CACHE_HOME. */
function givenFolder(): string | undefined {
  return process.env['FLOTILLA_REAL_ASSETS'] || undefined;
}

function assetsFolder(): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return givenFolder() ?? join(cache, 'flotilla', 'real-kubernetes', kubernetesVersion());
}

function buildProgram(program: Program): void {
  const source = SOURCES[program];
  const target = binaryPath(program);
  // Renamed into place, so that a killed build leaves nothing that looks finished.
  const unfinished = `${target}.${process.pid}`;
  mkdirSync(assetsFolder(), { recursive: true });
  console.error(`Building ${program} (minutes the first time)`);
  try {
    const flags = ['build', '-trimpath', '-ldflags', linkFlags(source), '-o', unfinished];
    runGo([...flags, source.package], { folder: join(wrapperModule, source.module) });
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function linkFlags(source: Source): string {
  const settings = Object.entries(source.facts()).map(([name, value]) => `-X ${name}=${value}`);
  return [...settings, '-s -w'].join(' ');
}

/** Comparing our server with itself would prove nothing, and another release proves the wrong thing. */
function refuseOtherServer(path: string): void {
  const said = execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 }).trim();
  const wanted = `Kubernetes ${kubernetesVersion()}`;
  if (said !== wanted) {
    throw new Error(`Cannot compare with "${path}": it says "${said}", wanted "${wanted}"`);
  }
}
