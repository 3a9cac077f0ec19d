import { posix } from 'node:path';

/** How the README's map differs from the tree; lines of the map look like `packages/cli/   what it holds`. */
export function mapProblems(readme: string, files: readonly string[]): string[] {
  const map = /```tree\n([\s\S]*?)```/.exec(readme)?.[1];
  if (map === undefined) return ['README.md: has no map of the tree (```tree)'];
  const named = new Set(map.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []));
  const folders = new Set(files.flatMap((file) => mappedFolder(file) ?? []));
  const exists = (path: string) => files.some((file) => file === path || isBelow(file, path));
  return [
    ...[...named].filter((path) => !exists(path)).map((path) => `"${path}" does not exist`),
    ...[...folders]
      .filter((folder) => !named.has(folder))
      .map((folder) => `the map leaves out "${folder}"`),
  ].map((problem) => `README.md: ${problem}`);
}

/** Links of a document that lead to no file; links to other places are not followed. */
export function linkProblems(
  document: { path: string; text: string },
  files: readonly string[],
): string[] {
  const prose = document.text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:|^#/.test(link)) return [];
    const target = link.split('#')[0] ?? '';
    const path = posix.join(posix.dirname(document.path), target);
    const exists = files.some((file) => file === path || isBelow(file, path));
    return exists ? [] : [`${document.path}: links to "${target}", which does not exist`];
  });
}

/** Each package has its line in the map, every other folder at the root one; hidden ones have none. */
function mappedFolder(file: string): string | undefined {
  if (file.startsWith('.')) return undefined;
  return /^(packages\/[^/]+\/|[^/]+\/)/.exec(file)?.[1];
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
