// Kubeconfigs and members of all sorts, and the manifests of the first document, on a real kube-apiserver.
import { after, before } from 'node:test';
import { hostileKubeconfigCases } from '../../packages/hub/src/registration/hostile/hostile-kubeconfigs.cases.ts';
import { hostileMemberCases } from '../../packages/hub/src/registration/hostile/hostile-members.cases.ts';
import { kubeconfigCases } from '../../packages/hub/src/registration/hostile/kubeconfigs.cases.ts';
import { seedCases } from '../../packages/hub/src/registration/seed/seed.cases.ts';
import { type RealHub, startRealHub } from './real-hub.ts';

let real: RealHub;
before(async () => {
  real = await startRealHub();
});
after(() => real[Symbol.asyncDispose]());

const start = () => real.start();

kubeconfigCases(start);
hostileKubeconfigCases(start);
hostileMemberCases(start);
seedCases(start, { hasGateway: false });
