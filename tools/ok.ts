// The gate, `npm run ok`: format, lint, types, package boundaries, documents, and that what is generated
// from our own kinds is clean. Each check runs, so that one run shows all there is to repair. That the tables of real
// Kubernetes are clean needs Go: `npm run real` checks it.
import { succeeds } from './run.ts';

const bin = (name: string): string => `node_modules/.bin/${name}`;
const tool = (name: string): string[] => ['tools/with-install.mjs', `tools/${name}.ts`];
const folders = ['packages', 'tools', 'conformance', 'e2e', 'bench'];

const checks: readonly { name: string; command: string; args: readonly string[] }[] = [
  { name: 'format', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  {
    name: 'lint',
    command: bin('oxlint'),
    args: ['--type-aware', '--deny-warnings', '-c', '.oxlintrc.json', ...folders],
  },
  { name: 'types', command: bin('tsc'), args: ['-p', 'tsconfig.json'] },
  { name: 'boundaries', command: process.execPath, args: tool('check-boundaries') },
  { name: 'documents', command: process.execPath, args: tool('check-docs') },
  {
    name: 'generated',
    command: process.execPath,
    args: [...tool('generate'), 'kinds', '--check'],
  },
];

const failed = checks.filter(({ command, args }) => !succeeds(command, args));
if (failed.length > 0) {
  console.error(`not ok: ${failed.map(({ name }) => name).join(', ')}`);
  process.exitCode = 1;
} else {
  console.log('ok');
}
