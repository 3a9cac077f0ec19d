// The manifests of the document that asked for ClusterRegistrations, in `seed/samples/`, to the byte as they stand there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubeObject, parseYamlDocuments } from '@flotilla/machinery';

/** Which manifest. */
export type SampleName =
  | 'secret-token'
  | 'secret-certificate'
  | 'registration'
  | 'migration'
  | 'staging'
  | 'flux';

/** The text of a manifest; each pair of `replaced` must stand there, and gives way to its second. */
export function sampleText(
  name: SampleName,
  replaced: Readonly<Record<string, string>> = {},
): string {
  const folder = join(FLOTILLA_ROOT, 'packages', 'hub', 'src', 'registration', 'seed', 'samples');
  let text = readFileSync(join(folder, `${name}.yaml`), 'utf8');
  for (const [from, to] of Object.entries(replaced)) {
    if (!text.includes(from))
      throw new Error(`Cannot replace "${from}": it is not in ${name}.yaml`);
    text = text.replace(from, to);
  }
  return text;
}

/** The objects of a manifest that a cluster stores; a kustomization.yaml is a file of kustomize and none of those. */
export function objectsOf(text: string): KubeObject[] {
  return parseYamlDocuments(text)
    .map(({ value }) => value as KubeObject)
    .filter(({ apiVersion }) => !apiVersion.startsWith('kustomize.config.k8s.io/'));
}

/** The first sample with another of the three sources it describes, uncommented. */
export function withOption(option: 1 | 2 | 3, replaced: Readonly<Record<string, string>> = {}) {
  const text = sampleText('registration', replaced);
  if (option === 1) return text;
  const chosen = { 2: 'inline', 3: 'externalSecretRef' }[option];
  let isInside = false;
  return text
    .split('\n')
    .filter((line) => !/^ {4}secretRef:|^ {6}(name|namespace|key):/.test(line))
    .map((line) => {
      const commented = /^ {4}# ( *\S.*)$/.exec(line)?.[1];
      if (commented === undefined) isInside = false;
      else if (!commented.startsWith(' ')) isInside = commented.startsWith(`${chosen}:`);
      return isInside && commented !== undefined ? `    ${commented}` : line;
    })
    .join('\n');
}
