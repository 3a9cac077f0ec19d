import type { Flags } from '../../flags/flag.ts';
import type { Io } from '../../io.ts';
import type { Manifest } from '../../manifests/manifest.ts';
import { readManifests } from '../../manifests/read-manifests.ts';
import { UsageError } from '../../usage-error.ts';
import type { Target } from './target.ts';

/** What the objects in files are called; nothing else of them counts. They must be in `namespaces`, or say nothing. */
export async function targetsOfFiles(
  flags: Flags,
  io: Io,
  namespaces: readonly string[],
): Promise<Target[]> {
  const targets: Target[] = [];
  for (const manifest of await readManifests(flags, io, { fetchesUrls: true })) {
    const found = targetOf(manifest, namespaces);
    const last = targets.at(-1);
    const segment = last === undefined ? 0 : last.segment + (last.type === found.type ? 0 : 1);
    targets.push({ ...found, segment });
  }
  if (targets.length === 0) throw new UsageError('no objects passed to get');
  return targets;
}

function targetOf(manifest: Manifest, namespaces: readonly string[]): Omit<Target, 'segment'> {
  const { kind, version, group, name, namespace } = manifest;
  const [only] = namespaces;
  if (namespace !== '' && only !== undefined && !namespaces.includes(namespace)) {
    throw new UsageError(
      `the namespace from the provided object "${namespace}" does not match the namespace "${only}". You must pass '--namespace=${namespace}' to perform this operation.`,
    );
  }
  return {
    type: `${kind}.${version}.${group}`,
    name,
    namespace: namespace === '' ? undefined : namespace,
  };
}
