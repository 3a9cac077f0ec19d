import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { yamlDocuments } from '../../conformance/index.ts';
import type { Json } from '../api.ts';
import { type CrdModule, folderOf } from './modules.ts';

/** A version of a kind that a CRD serves. */
export interface ServedKind {
  readonly project: string;
  readonly crd: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** The collection, in the namespace of the judge where the kind has one. */
  readonly path: string;
  readonly schema: Json;
}

/** The namespace that objects are put into. */
export const NAMESPACE = 'crd-sets';

const LARGEST_FILE = 200_000;

/** The CRDs of a project, by name. */
export function readCrds(source: CrdModule): Json[] {
  const found = new Map<string, Json>();
  for (const folder of source.folders) {
    const from = join(folderOf(source), folder);
    for (const file of readdirSync(from).sort()) {
      if (!file.endsWith('.yaml')) continue;
      for (const document of documentsIn(join(from, file))) {
        const isCrd = document?.kind === 'CustomResourceDefinition';
        const name = document?.metadata?.name;
        if (isCrd && !found.has(name)) found.set(name, document);
      }
    }
  }
  return [...found.values()];
}

/** Every version that a CRD serves. */
export function servedKinds(project: string, crd: Json): ServedKind[] {
  const { group, names, scope, versions } = crd.spec;
  const space = scope === 'Namespaced' ? `/namespaces/${NAMESPACE}` : '';
  return versions
    .filter(({ served }: Json) => served)
    .map(({ name, schema }: Json) => ({
      project,
      crd: crd.metadata.name,
      apiVersion: `${group}/${name}`,
      kind: names.kind,
      path: `/apis/${group}/${name}${space}/${names.plural}`,
      schema: schema.openAPIV3Schema,
    }));
}

/** Objects of the kinds that a module has lying about: examples, samples, test data. */
export function samplesIn(source: CrdModule, kinds: readonly ServedKind[]): Map<string, Json[]> {
  const wanted = new Map(kinds.map((each) => [keyOf(each), [] as Json[]]));
  const seen = new Set<string>();
  for (const file of yamlFiles(folderOf(source))) {
    for (const document of documentsIn(file)) {
      if (typeof document?.kind !== 'string') continue;
      const text = JSON.stringify(document);
      const list = wanted.get(keyOf(document));
      // A template or a variable of a script is no object.
      if (list === undefined || seen.has(text) || /\$\{|\{\{/.test(text)) continue;
      seen.add(text);
      list.push(document);
    }
  }
  return wanted;
}

/** What tells a kind of a version from others. */
export function keyOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${apiVersion} ${kind}`;
}

/** What is in a file; modules hold files that are YAML in name only, with nothing in them. */
function documentsIn(file: string): Json[] {
  return yamlDocuments(readFileSync(file, 'utf8'));
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return ['vendor', 'node_modules'].includes(entry.name) ? [] : yamlFiles(path);
      return /\.ya?ml$/.test(entry.name) && statSync(path).size < LARGEST_FILE ? [path] : [];
    });
}
