import type { Flags } from '../flags/flag.ts';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import type { Manifest } from './manifest.ts';
import { manifestFiles } from './manifest-files.ts';
import { parseManifests } from './parse-manifests.ts';
import { textReader } from './read-text.ts';

/** As many objects are sent to no fleet at once. */
const MAX_OBJECTS = 10_000;

/** What is done with manifests. */
export interface ManifestUse {
  /** True where only names are read of them, so that nothing a stranger wrote reaches a cluster. @default false */
  readonly fetchesUrls?: boolean;
}

/** Reads what `-f`, `-R` and `-k` name, in the order they name it. Throws UsageError in kubectl's words where it has some. */
export async function readManifests(
  flags: Flags,
  io: Io,
  { fetchesUrls = false }: ManifestUse = {},
): Promise<Manifest[]> {
  const paths = flags.texts('filename');
  const kustomization = flags.text('kustomize') ?? '';
  if (paths.length === 0 && kustomization === '') {
    throw new UsageError('must specify one of -f and -k');
  }
  if (kustomization !== '') {
    if (paths.length > 0) throw new UsageError('only one of -f or -k can be specified');
    if (flags.bool('recursive')) throw new UsageError("the -k flag can't be used with -f or -R");
    const { buildKustomization } = await import('./build-kustomization.ts');
    return limited(parseManifests(await buildKustomization(kustomization, io), kustomization));
  }
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('standard input cannot be used for multiple arguments');
  }
  const url = paths.find(isUrl);
  if (url !== undefined && !fetchesUrls) {
    throw new UsageError(
      `Cannot read "${url}": URLs are not fetched. Look at it first, then: curl -fsSL ${url} | kubectl mc ... -f -`,
    );
  }
  const options = { isRecursive: flags.bool('recursive'), cwd: io.cwd };
  const read = textReader(io);
  const manifests: Manifest[] = [];
  for (const path of paths) {
    if (path === '-') {
      manifests.push(...parseManifests(await read.stdin(), 'STDIN'));
      continue;
    }
    if (isUrl(path)) {
      manifests.push(...parseManifests(await read.url(path), path));
      continue;
    }
    for (const file of await manifestFiles(path, options)) {
      manifests.push(...parseManifests(await read.file(file), file));
    }
  }
  return limited(manifests);
}

function isUrl(path: string): boolean {
  return /^https?:\/\//i.test(path);
}

function limited(manifests: Manifest[]): Manifest[] {
  if (manifests.length <= MAX_OBJECTS) return manifests;
  throw new UsageError(
    `Cannot take ${manifests.length} objects at once: more than ${MAX_OBJECTS} are too many`,
  );
}
