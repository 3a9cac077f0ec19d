import type { ServerTls } from '../access.ts';
import { authoritiesOf } from '../credentials/pem.ts';
import type { KubeconfigCluster } from './kubeconfig.ts';
import { KubeconfigError } from './kubeconfig-error.ts';

/** What a cluster entry expects of its server's certificate; `bundle` is its authority, from the entry or its file. */
export function serverTls(cluster: KubeconfigCluster, bundle: Buffer | undefined): ServerTls {
  const serverName = cluster['tls-server-name'];
  const insecure = cluster['insecure-skip-tls-verify'] === true;
  if (bundle !== undefined && insecure) {
    throw new KubeconfigError(
      'specifying a root certificates file with the insecure flag is not allowed',
    );
  }
  return {
    ...(bundle === undefined ? {} : { ca: authoritiesOf(bundle.toString()) }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(insecure ? { insecure } : {}),
  };
}
