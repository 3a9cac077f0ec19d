import type { ExecCluster } from '@flotilla/client';
import type { AccessOffer } from '../fleet/cluster.ts';

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/** What a credential command is told of a profile's server when it asks for that, as kubectl would tell it. */
export function clusterInfo(offer: AccessOffer): ExecCluster {
  const { server, serverName, ca, proxyUrl, disableCompression, extensions } = offer;
  return {
    server,
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
    ...(ca === undefined
      ? {}
      : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxyUrl === undefined ? {} : { 'proxy-url': proxyUrl }),
    ...(disableCompression === true ? { 'disable-compression': true as const } : {}),
    config: Object.hasOwn(extensions, EXEC_EXTENSION) ? extensions[EXEC_EXTENSION] : null,
  };
}
