// The cases of packages/testkit/src/runtime/passes.cases.ts, on a real kube-apiserver.
import { after, before } from 'node:test';
import { type Client, ConfigMaps, createClient, createTransport, Events } from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import { Gadgets } from '../../packages/testkit/src/runtime/gadgets.ts';
import { passesCases } from '../../packages/testkit/src/runtime/passes.cases.ts';
import { accessOf } from '../client/access.ts';
import { type Side, startSide } from '../sides.ts';

let side: Side;
let client: Client;

before(async () => {
  side = await startSide('real');
  client = createClient(
    createTransport({ access: accessOf(side), clock: systemClock, random: Math.random }),
  );
});
after(async () => {
  await client[Symbol.asyncDispose]();
  await side.stop();
});

// One server for all of them: what a case leaves behind is taken away.
passesCases(async () => ({ access: accessOf(side), [Symbol.asyncDispose]: cleanUp }));

// The definition stays: a real server takes two seconds to forget one and to learn it again.
async function cleanUp(): Promise<void> {
  for (const { metadata } of (await client.list(Gadgets)).items) {
    const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
    const body = { metadata: { finalizers: null } };
    await client.patch(Gadgets, key, { type: 'merge', body }).catch(unlessGone);
    await client.delete(Gadgets, key).catch(unlessGone);
  }
  await client.deleteCollection(ConfigMaps, { namespace: 'default' });
  await client.deleteCollection(Events, { namespace: 'default' });
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
