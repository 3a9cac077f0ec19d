// Compares with real Kubernetes: `npm run real` checks the generated tables and runs every
// *.rtest.ts; `npm run real -- PATH-PART…` runs only the test files whose path contains a part.
import { insideNetworkNamespace } from './real-kubernetes/network-namespace.ts';
import { prepareReal } from './real-kubernetes/prepare.ts';
import { runTool } from './run.ts';

// In this order: inside the namespace no registry can be reached.
prepareReal();
await insideNetworkNamespace();

const parts = process.argv.slice(2);
if (parts.length === 0) {
  console.log('Comparing packages/apiserver/data with real Kubernetes');
  runTool('generate', ['--check']);
}
runTool('test', ['--real', ...parts]);
