import { goQuote } from '@flotilla/machinery';
import type { List } from './api-values.ts';
import type { Volume, VolumeProjection } from './volume-types.ts';

interface VirtualPath {
  readonly path: string;
  readonly source: string;
}

/** Files of a volume that would lie on top of each other. */
export function overlappingPathWarnings(volumes: List<Volume>): string[] {
  return (volumes ?? []).flatMap((volume) => {
    const warn = (what: string, paths: readonly VirtualPath[]) =>
      overlaps(paths).map(
        (text) => `volume ${quote(volume.name)} (${what}): overlapping paths: ${text}`,
      );
    const { configMap, secret, downwardAPI, projected } = volume;
    const plain = (items: readonly { path: string }[] | undefined) => pathsOf(items, '');
    return [
      ...(configMap ? warn(`ConfigMap ${quote(configMap.name)}`, plain(configMap.items)) : []),
      ...(secret ? warn(`Secret ${quote(secret.secretName)}`, plain(secret.items)) : []),
      ...(downwardAPI ? warn('DownwardAPI', plain(downwardAPI.items)) : []),
      ...(projected?.sources ?? [])
        .filter((source) => Object.keys(source).length === 0)
        .map(() => `volume ${quote(volume.name)} (Projected) has no sources provided`),
      ...(projected ? warn('Projected', (projected.sources ?? []).flatMap(projectedPaths)) : []),
    ];
  });
}

function projectedPaths(source: VolumeProjection): VirtualPath[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source;
  if (configMap?.items) return pathsOf(configMap.items, `ConfigMap ${quote(configMap.name)}`);
  if (secret?.items) return pathsOf(secret.items, `Secret ${quote(secret.name)}`);
  if (downwardAPI?.items) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return pathsOf([serviceAccountToken], 'ServiceAccountToken');
  return [];
}

function pathsOf(items: readonly { path: string }[] | undefined, source: string): VirtualPath[] {
  return (items ?? []).map(({ path }) => ({ path: path.replace(/\/+$/, ''), source }));
}

function overlaps(paths: readonly VirtualPath[]): string[] {
  return paths.flatMap((needle, index) =>
    paths
      .slice(0, index)
      .filter((other) => needle.path !== '' && other.path !== '' && covers(needle, other))
      .map((other) => `${show(needle)} with ${show(other)}`),
  );
}

function covers(a: VirtualPath, b: VirtualPath): boolean {
  return `${a.path}/`.startsWith(`${b.path}/`) || `${b.path}/`.startsWith(`${a.path}/`);
}

function show({ path, source }: VirtualPath): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}

function quote(text: string | undefined): string {
  return goQuote(text ?? '');
}
