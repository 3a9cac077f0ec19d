import { humanDuration, type KubeObject } from '@flotilla/machinery';
import type { Cell } from '../behaviour.ts';

/** How many items of a list one cell shows before it says how many more there are. */
const SHOWN_ITEMS = 3;

/** How long ago a timestamp was, as the AGE column shows it. */
export function since(timestamp: string | null | undefined, now: Date): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  return humanDuration(now.getTime() - Date.parse(timestamp));
}

/** The AGE column. */
export function age(object: KubeObject, now: Date): string {
  return since(object.metadata.creationTimestamp, now);
}

/** The Name column. */
export function nameCell(object: KubeObject): string {
  return object.metadata.name ?? '';
}

/** The two columns of kinds without columns of their own: Name and Created At. */
export function nameAndCreation(object: KubeObject): Cell[] {
  return [nameCell(object), object.metadata.creationTimestamp ?? ''];
}

/** Name and Age, for kinds that show nothing else. */
export function nameAndAge(object: KubeObject, context: { now: Date }): Cell[] {
  return [nameCell(object), age(object, context.now)];
}

/** The first three of a list, and how many more there are; `<unset>` for none. */
export function firstItems(items: readonly string[]): string {
  const shown = items.slice(0, SHOWN_ITEMS).join(',');
  if (items.length > SHOWN_ITEMS) return `${shown} + ${items.length - SHOWN_ITEMS} more...`;
  return shown === '' ? '<unset>' : shown;
}

/** Labels as `a=b,c=d` in order of their keys; `<none>` for none. */
export function labelsCell(labels: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? '<none>' : pairs.sort().join(',');
}

/** Addresses of a load balancer, sorted and without repeats; wide tables show them all. */
export function loadBalancerAddresses(
  ingress: readonly { ip?: string; hostname?: string }[] | undefined,
): string {
  const addresses = new Set<string>();
  for (const { ip, hostname } of ingress ?? []) {
    const address = ip || hostname;
    if (address) addresses.add(address);
  }
  return [...addresses].sort().join(',');
}
