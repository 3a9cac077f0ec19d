import { isDNS1035Label, isDNS1123Label, isDNS1123Subdomain } from './dns-names.ts';
import { isPathSegmentName, isPathSegmentPrefix } from './names.ts';

/** How names of a kind are checked; `prefix` is true for a generateName. */
export type NameRule =
  | 'subdomain'
  | 'label'
  | 'label-1035'
  | 'path-segment'
  | ((name: string, prefix: boolean) => string[]);

/** Upstream's messages about a name (or, with `prefix`, the start of one). */
export function checkName(name: string, rule: NameRule, prefix: boolean): string[] {
  if (typeof rule === 'function') return rule(name, prefix);
  if (rule === 'path-segment') return prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);
  const masked = prefix ? maskTrailingDash(name) : name;
  if (rule === 'label') return isDNS1123Label(masked);
  return rule === 'label-1035' ? isDNS1035Label(masked) : isDNS1123Subdomain(masked);
}

/** A generated name goes on after the dash, so a dash at the end is fine. Upstream also drops the character before it. */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
