// Compares with real Kubernetes: `npm run real` checks the generated tables and runs every
// *.rtest.ts; `npm run real -- PATH-PART…` runs only the test files whose path contains a part.
import { NEEDS } from '../e2e/needs.ts';
import { insideNetworkNamespace } from './real-kubernetes/network-namespace.ts';
import { prepareReal } from './real-kubernetes/prepare.ts';
import { runTool } from './run.ts';

const parts = process.argv.slice(2);
// In this order: inside the namespace no registry can be reached.
prepareReal(parts, NEEDS);
await insideNetworkNamespace();

if (parts.length === 0) {
  console.log('Comparing packages/apiserver/data with real Kubernetes');
  runTool('generate', ['--check']);
}
runTool('test', ['--real', ...parts]);
