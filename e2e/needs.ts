import type { Need } from '../tools/real-kubernetes/prepare.ts';
import { prepareJudge } from './cel/judge.ts';
import { buildKubelet } from './client/kubelet-program.ts';
import { installClient } from './client-node/install.ts';
import { buildProgram } from './controller-runtime/program.ts';
import { downloadModules } from './crd-sets/modules.ts';
import { buildTest } from './envtest/program.ts';

/** What the judges of this folder need, so that a run of one builds nothing for the others. */
export const NEEDS: readonly Need[] = [
  { folder: 'e2e/cel', prepare: prepareJudge },
  { folder: 'e2e/client', programs: ['kwok'], prepare: buildKubelet },
  { folder: 'e2e/controller-manager', programs: ['kube-scheduler', 'kwok'] },
  { folder: 'e2e/gateway', programs: ['kwok'], prepare: buildKubelet },
  { folder: 'e2e/helm', programs: ['kube-scheduler', 'kwok', 'helm'] },
  { folder: 'e2e/controller-runtime', prepare: buildProgram },
  { folder: 'e2e/crd-sets', prepare: downloadModules },
  { folder: 'e2e/gitops', programs: ['helm'], prepare: downloadModules },
  { folder: 'e2e/envtest', prepare: buildTest },
  { folder: 'e2e/logs', programs: ['kwok', 'helm'] },
  { folder: 'e2e/simulator', programs: ['kube-scheduler', 'kwok'] },
  { folder: 'e2e/client-node', prepare: installClient },
];
