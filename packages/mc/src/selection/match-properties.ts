import type { FleetCluster } from '../fleet/cluster.ts';
import { UsageError } from '../usage-error.ts';
import { matchesGlob, parseGlob } from './glob.ts';

/**
 * Reads `NAME`, `NAME=VALUE` or `NAME!=VALUE`, where both may be globs. A name without dots also means the first part of
 * a name with a domain: `platform` means `platform.open-cluster-management.io`.
 */
export function propertyMatcher(text: string): (cluster: FleetCluster) => boolean {
  const [, name = '', operator = '', value = ''] = /^([^=!]+)(?:(!?=)=?(.*))?$/s.exec(text) ?? [];
  const names = parseGlob(name.trim());
  const values = parseGlob(operator === '' ? '*' : value.trim());
  if (name.trim() === '' || names === undefined || values === undefined) throw unreadable(text);
  const isShort = !name.includes('.');
  const isMeant = (each: string): boolean =>
    matchesGlob(names, each) || (isShort && matchesGlob(names, each.split('.')[0] ?? ''));
  const isNot = operator === '!=';
  return ({ properties }) => {
    const has = Object.entries(properties).some(
      ([each, said]) => isMeant(each) && matchesGlob(values, said),
    );
    return has !== isNot;
  };
}

function unreadable(text: string): UsageError {
  return new UsageError(`Cannot read --property "${text}": write NAME or NAME=PATTERN`);
}
