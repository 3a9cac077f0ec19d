import type { Kind } from '@flotilla/machinery';
import { printableLine } from '../../text/printable.ts';

/** `pod/`, `deployment.apps/`: what stands before names that say their kind. */
export function kindPrefix({ kind, group }: Pick<Kind, 'kind' | 'group'>): string {
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/`;
}

/** `c1:pod/x`, which every verb takes as an argument; `pod/x` where clusters are not shown. */
export function nameLine(name: string, cluster: string | undefined): string {
  const place = cluster === undefined ? '' : `${printableLine(cluster)}:`;
  return `${place}${printableLine(name)}\n`;
}
