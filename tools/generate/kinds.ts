import { allKinds, crdOf } from '../../packages/api/src/index.ts';
import { toYaml } from '../../packages/machinery/src/index.ts';
import type { GeneratedFiles } from './generated-files.ts';
import { crdFile, kindPage } from './kind-page.ts';

const NOTE = '# Generated from packages/api by "npm run generate -- kinds"; do not edit.\n';

/** The CRD of each of our kinds. */
export function generateCrds(): GeneratedFiles {
  return new Map(allKinds.map((kind) => [crdFile(kind), `${NOTE}${toYaml(crdOf(kind))}`]));
}

/** The reference page of each of our kinds, and the list of them. */
export function generatePages(): GeneratedFiles {
  const pages = allKinds.map((kind) => ({
    file: `${kind.kind.toLowerCase()}.md`,
    kind,
    text: kindPage(kind),
  }));
  const index = [
    '# Reference',
    '<!-- Generated from packages/api by "npm run generate -- kinds"; do not edit. -->',
    pages
      .map(
        ({ file, kind }) =>
          `- [${kind.kind}](${file}) \`${kind.group}/${kind.version}\`: ${kind.description}`,
      )
      .join('\n'),
    '',
  ].join('\n\n');
  return new Map([['README.md', index], ...pages.map(({ file, text }) => [file, text] as const)]);
}
