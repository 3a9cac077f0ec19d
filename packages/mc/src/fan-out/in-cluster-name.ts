/**
 * Whether a server's name looks like that of a Service: `name.namespace.svc` in its forms, or `name.namespace`, which
 * ends in nothing that is a domain of the world. Only asked once the name could not be looked up.
 */
export function isInClusterName(server: string): boolean {
  if (!URL.canParse(server)) return false;
  const labels = new URL(server).hostname.split('.');
  const [last = ''] = labels.slice(-1);
  if (labels.includes('svc') || server.includes('.cluster.local')) return true;
  return labels.length <= 2 && !/^(?:[a-z]{2,4}|cloud|local|internal|test|invalid)$/.test(last);
}
