// Compares with real Kubernetes: `npm run real` checks the generated tables and runs every
// *.rtest.ts; `npm run real -- PATH-PART…` runs only the test files whose path contains a part.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { insideNetworkNamespace } from './real-kubernetes/network-namespace.ts';
import { prepareReal } from './real-kubernetes/prepare.ts';

function runTool(name: string, args: readonly string[]): void {
  const launcher = join(FLOTILLA_ROOT, 'tools', 'with-install.mjs');
  const tool = join('tools', name);
  const { status } = spawnSync(process.execPath, [launcher, tool, ...args], {
    cwd: FLOTILLA_ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// In this order: inside the namespace no registry can be reached.
prepareReal();
await insideNetworkNamespace();

const parts = process.argv.slice(2);
if (parts.length === 0) {
  console.log('Comparing packages/apiserver/data with real Kubernetes');
  runTool('generate.ts', ['--check']);
}
runTool('test.ts', ['--real', ...parts]);
