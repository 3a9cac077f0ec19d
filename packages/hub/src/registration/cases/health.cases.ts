import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { eventually } from '@flotilla/testkit';
import { conditionOf, kubeconfigFor, registration, says } from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { leapUntil, nextBeat } from '../testing/next-beat.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';

const MINUTE = 60_000;

/** How a hub keeps an eye on its members, on any hub. */
export function healthCases(start: StartServer, { fleet }: { fleet: number }): void {
  describe('heartbeats', () => {
    test('REG-9 a new version of the member is noticed', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(ready.status?.clusterInfo?.version?.gitVersion, 'v1.30.1');
      assert.equal(
        (await hub.secret('one')).metadata.annotations?.['cluster.core.oam.dev/cluster-version'],
        '{"major":"1","minor":"30","gitVersion":"v1.30.1","platform":"linux/amd64"}',
      );

      const version = { major: '1', minor: '31', gitVersion: 'v1.31.0', platform: 'linux/amd64' };
      member.answers = { ...member.answers, 'GET /version': [200, version] };
      hub.clock.leap(6 * MINUTE);
      await hub.until(
        'one',
        ({ status }) => status?.clusterInfo?.version?.gitVersion === 'v1.31.0',
      );
      await eventually(
        () => hub.secret('one'),
        ({ metadata }) =>
          metadata.annotations?.['cluster.core.oam.dev/cluster-version'] ===
          JSON.stringify(version),
      );
      assert.ok(!(await hub.events('one')).includes('DriftCorrected'));
    });

    test('REG-52 a 401 has the source read once more, then is told; a 403 changes nothing', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');

      const well = member.answers;
      member.answers = { ...well, 'GET /version': refusal(403, 'Forbidden') };
      const before = await nextBeat(hub, 'one');
      assert.equal(says(before, 'CredentialValid'), 'True TokenVerified');
      assert.equal(before.status?.phase, 'Ready');

      const no = refusal(401, 'Unauthorized');
      const review = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';
      member.answers = { ...well, 'GET /version': no, [review]: no };
      const degraded = await leapUntil(hub, 'one', { byMs: 6 * MINUTE, holds: 'Degraded' });
      assert.equal(says(degraded, 'CredentialValid'), 'False Unauthorized');
      assert.equal(says(degraded, 'APIServerReachable'), 'True ConnectionSuccessful');
      assert.ok(await hub.hasSecret('one'));

      member.answers = well;
      const again = await leapUntil(hub, 'one', { byMs: 6 * MINUTE, holds: 'Ready' });
      assert.equal(says(again, 'CredentialValid'), 'True TokenVerified');
    });

    test('REG-53 a member that is down is Degraded at the threshold and back when it answers', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      const config = { failureThreshold: 3, connectionTimeout: '3s' };
      await hub.register(registration('one', { config }));
      await hub.until('one', 'Ready');
      assert.equal(await shownHealth(hub), 'true ');
      await member.server.stop();

      for (const failures of [1, 2]) {
        hub.clock.leap(6 * MINUTE);
        const shaky = await hub.until(
          'one',
          ({ status }) => status?.consecutiveFailures === failures,
        );
        assert.equal(shaky.status?.phase, 'Ready');
        assert.equal(says(shaky, 'CredentialValid'), 'True TokenVerified');
      }
      const degraded = await leapUntil(hub, 'one', { byMs: MINUTE, holds: 'Degraded' });
      assert.equal(says(degraded, 'APIServerReachable'), 'False DialFailed');
      const { message } = conditionOf(degraded, 'APIServerReachable') ?? { message: '' };
      assert.ok(message.includes(member.access.server) && message.includes('3s'), message);
      assert.equal(degraded.status?.message, message);
      assert.equal(await shownHealth(hub), 'false Unknown:DialFailed');

      await member.server.start();
      await leapUntil(hub, 'one', { byMs: MINUTE, holds: 'Ready' });
      assert.equal(await shownHealth(hub), 'true ');
      const events = await eventually(
        () => hub.events('one'),
        (all) => all.length >= 3,
      );
      assert.deepEqual(events.slice(0, 2), ['Registered', 'DialFailed']);
      assert.equal(events.length, 3);
    });

    test('REG-66 a heartbeat is one write, and nothing is written in between', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      const { resourceVersion } = (await hub.secret('one')).metadata;
      const versions = new Set([ready.metadata.resourceVersion]);
      let last = ready;
      for (let beat = 0; beat < 5; beat++) {
        last = await nextBeat(hub, 'one');
        versions.add(last.metadata.resourceVersion);
      }
      const now = await hub.get('one');
      assert.equal(now.metadata.resourceVersion, last.metadata.resourceVersion);
      assert.equal(versions.size, 6);
      assert.equal((await hub.secret('one')).metadata.resourceVersion, resourceVersion);
    });

    test(`REG-66 ${fleet} heartbeats are spread, and each is one write`, async () => {
      await using hub = await startHub(start, { concurrency: 16 });
      // Without an identity: many names of one cluster would have more to say than heartbeats.
      const { 'GET /api/v1/namespaces/kube-system': _, ...answers } = welcoming('admin');
      await using member = await startOddMember(answers);
      await hub.putSource('shared', kubeconfigFor(member.access));
      const credentialSource = { secretRef: { name: 'shared' } };
      const config = { createNamespace: '' };
      hub.start();
      const names = Array.from({ length: fleet }, (_name, at) => `c-${at}`);
      for (const name of names)
        await hub.register(registration(name, { credentialSource, config }));
      const all = async () => (await hub.client.list(ClusterRegistrations)).items;
      const patience = { withinMs: 180_000, everyMs: 500 };
      const joined = await eventually(
        all,
        (items) => items.every(({ status }) => status?.phase === 'Ready'),
        patience,
      );
      const before = new Map(joined.map((each) => [each.metadata.name, beatOf(each)]));
      const writes = await countWrites(hub);

      // Nobody is due before nine tenths of the interval, and nobody a second time in this one.
      hub.clock.leap(4 * MINUTE);
      const hasBeaten = (each: ClusterRegistration) =>
        beatOf(each) !== before.get(each.metadata.name);
      for (let step = 0; step < 18 && !(await all()).every(hasBeaten); step++) {
        hub.clock.leap(10_000);
      }
      const beaten = await eventually(all, (items) => items.every(hasBeaten), patience);
      await eventually(() => names.every((name) => (writes.counts.get(name) ?? 0) > 0));
      await writes.stop();
      assert.deepEqual(
        names.filter((name) => writes.counts.get(name) !== 1),
        [],
        'written more than once',
      );
      const moments = new Set(beaten.map(beatOf));
      assert.ok(moments.size > 5, `all heartbeats in ${moments.size} moments`);
    });

    test('without heartbeats nobody looks, and Ready does not wait for it', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { config: { heartbeatInterval: '0s' } }));
      await hub.until('one', 'Ready');
      const asked = member.asked.length;
      hub.clock.leap(60 * MINUTE);
      await hub.annotate('one', { look: 'again' });
      const idle = await hub.until(
        'one',
        (each) => says(each, 'APIServerReachable') === 'Unknown HeartbeatDisabled',
      );
      assert.equal(says(idle, 'Ready'), 'True Registered');
      assert.equal(member.asked.length, asked);
    });

    test('an unvalidated credential is registered without a look, and the heartbeat tells', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, 'wrong-token'));
      await hub.register(registration('one', { config: { validateCredentials: false } }));
      const degraded = await hub.until('one', 'Degraded');
      assert.equal(says(degraded, 'CredentialValid'), 'False Unauthorized');
      assert.ok(await hub.hasSecret('one'));

      await hub.putMember('one', member);
      const ready = await leapUntil(hub, 'one', { byMs: MINUTE, holds: 'Ready' });
      assert.equal(says(ready, 'CredentialValid'), 'Unknown ValidationSkipped');
      assert.equal(says(ready, 'Ready'), 'True Registered');
    });
  });
}

const beatOf = ({ status }: ClusterRegistration): string | undefined => status?.lastHeartbeatTime;

/** Counts what is written to registrations from now on, by name. */
async function countWrites(
  hub: TestHub,
): Promise<{ counts: Map<string | undefined, number>; stop: () => Promise<void> }> {
  const ending = new AbortController();
  const counts = new Map<string | undefined, number>();
  const { metadata } = await hub.client.list(ClusterRegistrations);
  const { resourceVersion = '' } = metadata;
  const watching = (async () => {
    const options = { resourceVersion, signal: ending.signal };
    for await (const { type, object } of hub.client.watch(ClusterRegistrations, options)) {
      const { name } = object.metadata;
      if (type !== 'BOOKMARK') counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  })().catch(() => {});
  return {
    counts,
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}

/** What `kubectl get clustergateways` says of the member. */
async function shownHealth(hub: TestHub): Promise<string> {
  const { annotations = {} } = (await hub.secret('one')).metadata;
  const prefix = 'status.cluster.core.oam.dev/healthy';
  return `${annotations[prefix]} ${annotations[`${prefix}-reason`]}`;
}
