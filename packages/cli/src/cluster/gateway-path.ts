/** Where the hub passes requests on to a cluster. */
export function gatewayPath(cluster: string): string {
  return `/apis/cluster.core.oam.dev/v1alpha1/clustergateways/${encodeURIComponent(cluster)}/proxy`;
}
