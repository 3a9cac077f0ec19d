import type { CrdVersion, CustomResourceDefinition } from './crd.ts';
import { compareVersions } from './version-priority.ts';

/** The warning that goes with every answer about a deprecated version. */
export function deprecationOf(
  { spec }: CustomResourceDefinition,
  version: CrdVersion,
): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names } = spec;
  const [better] = spec.versions
    .filter((other) => other.served && other.deprecated !== true)
    .map(({ name }) => name)
    .filter((name) => compareVersions(name, version.name) < 0)
    .sort(compareVersions);
  const message = `${group}/${version.name} ${names.kind} is deprecated`;
  return better === undefined ? message : `${message}; use ${group}/${better} ${names.kind}`;
}
