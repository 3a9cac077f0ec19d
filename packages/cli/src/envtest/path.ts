import { UsageError } from '../usage-error.ts';

/** The programs envtest starts. */
const PROGRAMS = ['kube-apiserver', 'etcd'] as const;

/** The folder to set KUBEBUILDER_ASSETS to, once it is sure that envtest can start what is in it. */
export function assetsPath(folder: string, isExecutable: (path: string) => boolean): string {
  const missing = PROGRAMS.filter((name) => !isExecutable(`${folder}/${name}`));
  if (missing.length > 0) {
    throw new UsageError(
      `Cannot use "${folder}" for envtest: ${missing.join(' and ')} cannot be started there`,
    );
  }
  return folder;
}
