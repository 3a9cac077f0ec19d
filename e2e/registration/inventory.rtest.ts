// The cases of packages/hub/src/inventory on a real kube-apiserver.
import { after, before } from 'node:test';
import { inventoryCases } from '../../packages/hub/src/inventory/inventory.cases.ts';
import { type RealHub, startRealHub } from './real-hub.ts';

let real: RealHub;
before(async () => {
  real = await startRealHub();
});
after(() => real[Symbol.asyncDispose]());

inventoryCases(() => real.start());
