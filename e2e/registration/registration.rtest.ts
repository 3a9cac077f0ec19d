// The cases of packages/hub/src/registration on a real kube-apiserver; members are servers of ours.
import { after, before } from 'node:test';
import { applicationCases } from '../../packages/hub/src/registration/cases/applications.cases.ts';
import { healthCases } from '../../packages/hub/src/registration/cases/health.cases.ts';
import { inputCases } from '../../packages/hub/src/registration/cases/input.cases.ts';
import { joiningCases } from '../../packages/hub/src/registration/cases/joining.cases.ts';
import { lifecycleCases } from '../../packages/hub/src/registration/cases/lifecycle.cases.ts';
import { namespaceCases } from '../../packages/hub/src/registration/cases/namespace.cases.ts';
import { ownershipCases } from '../../packages/hub/src/registration/cases/ownership.cases.ts';
import { rotationCases } from '../../packages/hub/src/registration/cases/rotation.cases.ts';
import { sourceCases } from '../../packages/hub/src/registration/cases/sources.cases.ts';
import { type RealHub, startRealHub } from './real-hub.ts';

let real: RealHub;
before(async () => {
  real = await startRealHub();
});
after(() => real[Symbol.asyncDispose]());

const start = () => real.start();

joiningCases(start);
inputCases(start);
sourceCases(start);
namespaceCases(start);
ownershipCases(start);
rotationCases(start);
healthCases(start, { fleet: 500 });
lifecycleCases(start);
applicationCases(start);
