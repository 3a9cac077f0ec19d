import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { linkProblems, mapProblems } from './documents.ts';

const files = [
  'README.md',
  '.ci/run',
  'docs/adr/0001-client.md',
  'docs/guide.md',
  'packages/cli/src/main.ts',
  'packages/machinery/src/index.ts',
];

describe('mapProblems', () => {
  test('finds nothing to say about a true map', () => {
    assert.deepEqual(
      mapProblems(readme('packages/cli/', 'packages/machinery/', 'docs/'), files),
      [],
    );
  });

  test('finds what is not there, what is left out, and a map that is missing', () => {
    assert.deepEqual(mapProblems(readme('packages/cli/', 'packages/hub/', 'docs/'), files), [
      'README.md: "packages/hub/" does not exist',
      'README.md: the map leaves out "packages/machinery/"',
    ]);
    assert.deepEqual(mapProblems('# Flotilla', files), [
      'README.md: has no map of the tree (```tree)',
    ]);
  });

  test('does not take a folder for another whose name it begins', () => {
    assert.deepEqual(mapProblems(readme('packages/cli/', 'packages/machinery/', 'doc'), files), [
      'README.md: "doc" does not exist',
      'README.md: the map leaves out "docs/"',
    ]);
  });
});

describe('linkProblems', () => {
  test('follows links to files and folders from where the document is', () => {
    const text = '[a](adr/0001-client.md) [b](../packages/cli/) [c](adr) [d](../README.md#start)';

    assert.deepEqual(linkProblems({ path: 'docs/guide.md', text }, files), []);
  });

  test('finds a link that leads nowhere', () => {
    assert.deepEqual(linkProblems({ path: 'docs/guide.md', text: '[a](README.md#start)' }, files), [
      'docs/guide.md: links to "README.md", which does not exist',
    ]);
  });

  test('leaves other places, sections and code alone', () => {
    const text = '[a](https://example.org) [b](#start) `[c](x.md)`\n```\n[d](y.md)\n```\n';

    assert.deepEqual(linkProblems({ path: 'docs/guide.md', text }, files), []);
  });
});

function readme(...folders: string[]): string {
  return `# Flotilla\n\n\`\`\`tree\n${folders.map((folder) => `${folder}   words\n`).join('')}\`\`\`\n`;
}
