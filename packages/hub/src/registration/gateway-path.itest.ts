import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemClock } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import { mountGateway } from '../gateway/mount-gateway.ts';
import { conditionOf, GATEWAY_NAMESPACE, registration, says } from './testing/builders.ts';
import { startMember } from './testing/member.ts';
import { nextBeat } from './testing/next-beat.ts';
import { refusal, startOddMember, welcoming } from './testing/odd-member.ts';
import { startHub } from './testing/world.ts';

const MINUTE = 60_000;
const GROUP = '/apis/cluster.core.oam.dev/v1alpha1';

const withGateway = () =>
  startServer({ mounts: [mountGateway({ namespace: GATEWAY_NAMESPACE, clock: systemClock })] });

describe('a hub with a gateway', () => {
  test('looks at members the way consumers go, and says so', async () => {
    await using hub = await startHub(withGateway);
    await using member = await startMember();
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one'));
    await hub.until('one', 'Ready');
    const looked = await nextBeat(hub, 'one');
    assert.match(conditionOf(looked, 'APIServerReachable')?.message ?? '', /through the gateway/);

    await member.server.stop();
    for (let beat = 0; beat < 3; beat++) await nextBeat(hub, 'one');
    const degraded = await hub.until('one', 'Degraded');
    assert.equal(says(degraded, 'APIServerReachable'), 'False DialFailed');
    assert.match(conditionOf(degraded, 'APIServerReachable')?.message ?? '', /hrough the gateway/);
    assert.equal(says(degraded, 'CredentialValid'), 'True TokenVerified');
  });

  test('REG-52 tells a 401 of the member from one of its own', async () => {
    await using hub = await startHub(withGateway);
    await using member = await startOddMember(welcoming('admin'));
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one'));
    await hub.until('one', 'Ready');
    const no = refusal(401, 'Unauthorized');
    const review = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';
    member.answers = { ...member.answers, 'GET /version': no, [review]: no };
    hub.clock.leap(6 * MINUTE);
    const degraded = await hub.until('one', 'Degraded');
    assert.equal(says(degraded, 'CredentialValid'), 'False Unauthorized');
  });

  test('REG-5 lists alias and labels as KubeVela shows them', async () => {
    await using hub = await startHub(withGateway);
    await using member = await startMember();
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one', { alias: 'Number One', labels: { env: 'prod' } }));
    await hub.until('one', 'Ready');
    const cluster = (await hub.client.raw({ path: `${GROUP}/virtualclusters/one` })) as {
      metadata: { labels: Record<string, string> };
      spec: { alias: string };
    };
    assert.equal(cluster.spec.alias, 'Number One');
    assert.equal(cluster.metadata.labels['env'], 'prod');
  });

  test('REG-58 gives a cluster its new name only when the gateway knows it', async () => {
    await using hub = await startHub(withGateway);
    await using member = await startMember();
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one'));
    await hub.until('one', 'Ready');
    await hub.change('one', { clusterName: 'other' });
    await hub.until('one', ({ status }) => status?.registeredName === 'other');
    const path = `${GROUP}/clustergateways/other/proxy/api/v1/namespaces/kube-system`;
    await hub.client.raw({ path });
    assert.equal(await hub.hasSecret('one'), false);
  });

  test('REG-41 an adopted cluster answers through the gateway all the time', async () => {
    await using hub = await startHub(withGateway);
    await using member = await startMember();
    hub.start();
    await hub.putMember('one', member);
    await hub.register(registration('one', { deletionPolicy: 'Orphan' }));
    await hub.until('one', 'Ready');
    await hub.remove('one');
    await eventually(() => hub.isGone('one'));

    const path = `${GROUP}/clustergateways/one/proxy/version`;
    let isOver = false;
    let answers = 0;
    const asking = (async () => {
      while (!isOver) {
        await hub.client.raw({ path });
        answers++;
      }
    })();
    await hub.register(registration('one', { credentialSource: { existingSecret: {} } }));
    const ready = await hub.until('one', 'Ready');
    assert.equal(says(ready, 'ClusterRegistered'), 'True SecretAdopted');
    isOver = true;
    await asking;
    assert.ok(answers > 0);
  });
});
