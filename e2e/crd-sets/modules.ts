// Where real CRDs come from: Go modules, pinned with their checksums.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGo } from '../../tools/real-kubernetes/go.ts';

/** A module with CRDs in it. */
export interface CrdModule {
  /** The project's name, as people know it. */
  readonly project: string;
  /** Path and version, as Go writes them. */
  readonly module: string;
  readonly sum: string;
  /** Folders with the CRDs; of two with the same name the first counts. */
  readonly folders: readonly string[];
}

/** The projects whose CRDs are installed. */
export const MODULES: readonly CrdModule[] = [
  {
    project: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager@v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
    folders: ['deploy/crds'],
  },
  {
    project: 'Cluster API',
    module: 'sigs.k8s.io/cluster-api@v1.13.6',
    sum: 'h1:imZVIstbRIq2DoKftQv0wPm+vyhWXrE3Zft8E43maqo=',
    folders: [
      'config/crd/bases',
      'bootstrap/kubeadm/config/crd/bases',
      'controlplane/kubeadm/config/crd/bases',
    ],
  },
  {
    project: 'Gateway API',
    module: 'sigs.k8s.io/gateway-api@v1.4.1',
    sum: 'h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=',
    folders: ['config/crd/standard', 'config/crd/experimental'],
  },
  {
    project: 'Argo CD',
    module: 'github.com/argoproj/argo-cd/v2@v2.14.21',
    sum: 'h1:Ux50vfMUITW+Y+6GAYgQlZbr6WHE5ogiLg9OxxvP9EA=',
    folders: ['manifests/crds'],
  },
  {
    project: 'Flux source',
    module: 'github.com/fluxcd/source-controller@v1.9.6',
    sum: 'h1:nG534/bI6nVpyHra7ONAk6xDB3xPsVT+EOLHZHXPrrc=',
    folders: ['config/crd/bases'],
  },
  {
    project: 'Flux kustomize',
    module: 'github.com/fluxcd/kustomize-controller@v1.9.6',
    sum: 'h1:XB+G3A0mky0j5uVHZWv4oSlS2RvZBoNIUhstIvY0JKE=',
    folders: ['config/crd/bases'],
  },
  {
    project: 'External Secrets',
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    sum: 'h1:u2J8RjlHIeF0oZCqtl92adI/uZWUwOesJIDkfql6LqQ=',
    folders: ['config/crds/bases'],
  },
];

const FOUND = join(FLOTILLA_ROOT, '.cache', 'crd-sets', 'modules.json');

/** Downloads the modules, and writes down where they are for a run without a network. */
export function downloadModules(): void {
  const folders = MODULES.map(({ module, sum }) => {
    // Outside of any module, so that no go.mod has a say in it.
    const printed = runGo(['mod', 'download', '-json', module], { folder: tmpdir() });
    const download = JSON.parse(printed) as { Dir: string; Sum: string };
    if (download.Sum !== sum) {
      throw new Error(`Cannot use module "${module}": its checksum is ${download.Sum}`);
    }
    return [module, download.Dir];
  });
  mkdirSync(join(FOUND, '..'), { recursive: true });
  writeFileSync(FOUND, JSON.stringify(Object.fromEntries(folders)));
}

/** Where a downloaded module is. */
export function folderOf({ module }: CrdModule): string {
  const folders = JSON.parse(readFileSync(FOUND, 'utf8')) as Record<string, string>;
  const folder = folders[module];
  if (folder === undefined) throw new Error(`Cannot find module "${module}": download it first`);
  return folder;
}
