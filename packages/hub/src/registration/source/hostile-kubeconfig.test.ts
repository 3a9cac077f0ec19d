import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readKubeconfig } from './read-kubeconfig.ts';
import { SourceProblem } from './source-problem.ts';
import { kubeconfig } from './testing/source-hub.ts';

const READING = { context: undefined, allowInsecureTls: false, allowsExec: false };
const SIZE = 1024 * 1024 - 1000;
const fill = (piece: string, size = SIZE) => piece.repeat(Math.floor(size / piece.length));
const base64 = (text: string) => Buffer.from(text).toString('base64');

const bombs: readonly (readonly [title: string, text: string])[] = [
  ['more than 1 MiB', `# ${'x'.repeat(1024 * 1024)}`],
  ['a key twice', `${kubeconfig()}current-context: s3cret\n`],
  ['a key twice, often', `${kubeconfig()}${fill('kind: Config\n')}`],
  [
    'aliases of aliases',
    Array.from(
      { length: 30 },
      (_, level) =>
        `a${level}: &a${level} [${level === 0 ? 's3cret' : fill(`*a${level - 1}, `, 60)}]`,
    ).join('\n'),
  ],
  ['a MiB of aliases', `a: &a s3cret\nb: [${fill('*a, ')}]`],
  ['a MiB of anchors', fill('- &a x\n')],
  ['merge keys', `a: &a {x: 1}\n${fill('b: {<<: *a}\n')}`],
  ['brackets', fill('[')],
  ['braces', fill('{a: ')],
  ['dashes', fill('- ')],
  [
    'deep indentation',
    Array.from({ length: 1400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
  ],
  ['quotes', `a: "${fill('\\"')}`],
  ['a long folded text', `a: >\n${fill(' x\n')}`],
  ['documents', fill('---\n')],
  ['tags', fill('- !!python/object:s3cret x\n')],
  [
    'many fields',
    `${kubeconfig()}${Array.from({ length: 60_000 }, (_, i) => `f${i}: s3cret`).join('\n')}`,
  ],
  [
    'many contexts',
    kubeconfig({ context: 'none' }).replace(
      '- {name: ctx',
      `${fill('- {name: a, context: {}}\n', 900_000)}- {name: ctx`,
    ),
  ],
  [
    'an authority of beginnings',
    kubeconfig({
      cluster: `server: "https://api", certificate-authority-data: ${base64(fill('-----BEGIN CERTIFICATE-----\n', 700_000))}`,
    }),
  ],
  [
    'an authority of different beginnings',
    kubeconfig({
      cluster: `server: "https://api", certificate-authority-data: ${base64(Array.from({ length: 999 }, (_, i) => `-----BEGIN A${i}-----\n${'A'.repeat(600)}\n`).join(''))}`,
    }),
  ],
  [
    'an authority of nonsense',
    kubeconfig({
      cluster: `server: "https://api", certificate-authority-data: ${base64(fill('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 700_000))}`,
    }),
  ],
  [
    'a pair of beginnings',
    kubeconfig({
      user: `client-certificate-data: ${base64(fill('-----BEGIN A-----\n', 380_000))}, client-key-data: ${base64(fill('-----BEGIN B-----\n', 380_000))}`,
    }),
  ],
  ['a token of spaces', kubeconfig({ user: `token: "${fill('s3cret ', 900_000)}"` })],
  ['base64 that is none', kubeconfig({ user: `client-key-data: "${fill('s3cret', 900_000)}%"` })],
];

describe('a hostile kubeconfig', () => {
  for (const [title, text] of bombs) {
    test(`REG-38 with ${title} is refused soon, and nothing of it is told`, async () => {
      const before = process.cpuUsage();
      const problem = await readKubeconfig(text, READING).then(
        () => assert.fail('it was accepted'),
        (error: unknown) => error,
      );
      const { user, system } = process.cpuUsage(before);

      assert.ok(problem instanceof SourceProblem, String(problem));
      assert.ok(['KubeconfigInvalid', 'ContextNotFound'].includes(problem.reason), problem.reason);
      assert.doesNotMatch(problem.message, /s3cret/);
      assert.ok(problem.message.length <= 1001);
      // Half a second where this was written; what grows with the square of the text takes minutes.
      assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s`);
    });
  }
});
