// `flotilla cluster convert` on a real kube-apiserver.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import { parseYaml } from '@flotilla/machinery';
import { convert } from '../../packages/cli/src/cluster/convert.ts';
import { openHub } from '../../packages/cli/src/cluster/hub-session.ts';
import { makeGatewayNamespace } from '../../packages/hub/src/registration/cases/ownership.cases.ts';
import { joinedSecret, says } from '../../packages/hub/src/registration/testing/builders.ts';
import { startMember } from '../../packages/hub/src/registration/testing/member.ts';
import { startHub } from '../../packages/hub/src/registration/testing/world.ts';
import { startRealHub } from './real-hub.ts';

test('REG-64 convert prints no credential, and what it prints adopts the cluster', {
  timeout: 120_000,
}, async () => {
  await using real = await startRealHub();
  await using hub = await startHub(real.start);
  await using member = await startMember();
  await makeGatewayNamespace(hub);
  const token = await member.token('joined');
  const data = { endpoint: member.access.server, 'ca.crt': member.access.tls.ca ?? '', token };
  const before = await hub.client.create(Secrets, joinedSecret('west', data));
  let out = '';
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: () => {},
    env: {},
    homeFolder: '/nonexistent',
    signal: AbortSignal.timeout(60_000),
    isTerminal: false,
    ask: async () => undefined,
  };
  {
    await using session = await openHub({ kubeconfig: real.side.kubeconfig }, io);
    assert.equal(await convert(session, { name: 'west', output: 'yaml' }), 0);
  }
  assert.ok(!out.includes(token) && !out.includes(before.data?.['token'] ?? ''));
  const manifest = parseYaml(out).value as ClusterRegistration;
  hub.start();
  await hub.client.create(ClusterRegistrations, manifest);
  const ready = await hub.until(`vela-system/${manifest.metadata.name}`, 'Ready');
  assert.equal(says(ready, 'ClusterRegistered'), 'True SecretAdopted');
  const after = await hub.secret('west');
  assert.deepEqual(after.data, before.data);
  assert.equal(after.metadata.uid, before.metadata.uid);
});
