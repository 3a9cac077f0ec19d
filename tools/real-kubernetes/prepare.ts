import { ensureBinaries } from './binaries.ts';
import { moduleFolder, runGo } from './go.ts';

/** Builds and downloads all that comparing with real Kubernetes needs; afterwards no network is. */
export function prepareReal(): void {
  ensureBinaries(['kube-apiserver', 'etcd', 'kubectl', 'kube-controller-manager']);
  moduleFolder('k8s.io/kubernetes');
  moduleFolder('k8s.io/api');
  runGo(['build', '-o', '/dev/null', './types', './openapi']);
}
