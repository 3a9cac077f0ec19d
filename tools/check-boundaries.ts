// Fails when a package imports what the table does not allow, reaches into another package's files, or uses
// time, randomness or the process where they should have been handed in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryProblems, type Manifest, type Manifests, manifestProblems } from './boundaries.ts';
import { listFiles } from './list-files.ts';

const packages = readdirSync(join(FLOTILLA_ROOT, 'packages')).map((name) => `packages/${name}`);
const others = ['conformance', 'e2e', 'bench'];
const manifests: Manifests = new Map(
  ['', ...packages, ...others].map((folder) => [folder, readManifest(folder)]),
);

const problems = [
  ...packages.flatMap((folder) => manifestProblems(folder, readManifest(folder))),
  ...[...packages.map((folder) => `${folder}/src`), ...others, 'tools']
    .flatMap(listFiles)
    .filter((path) => /\.m?[jt]s$/.test(path))
    .flatMap((path) => boundaryProblems({ path, text: readText(path) }, manifests)),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) {
  console.error(`${problems.length} boundary problems`);
  process.exitCode = 1;
}

function readText(path: string): string {
  return readFileSync(join(FLOTILLA_ROOT, path), 'utf8');
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readText(join(folder, 'package.json'))) as Manifest;
}
