// The gate: format, lint, types, package boundaries, generated files. `npm run ok`.
import { run, runTool } from './run.ts';

const bin = (name: string): string => `node_modules/.bin/${name}`;

run(bin('biome'), ['check', '--error-on-warnings', '.']);
run(bin('oxlint'), ['--type-aware', '--deny-warnings', '-c', '.oxlintrc.json', 'packages', 'tools', 'conformance', 'e2e', 'bench']);
run(bin('tsc'), ['-p', 'tsconfig.json']);
runTool('check-boundaries');
runTool('check-docs');
console.log('ok');
