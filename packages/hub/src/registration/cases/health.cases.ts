import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually } from '@flotilla/testkit';
import { conditionOf, kubeconfigFor, registration, says } from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';

const MINUTE = 60_000;

/** How a hub keeps an eye on its members, on any hub. */
export function healthCases(start: StartServer): void {
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
      const before = await beats(hub, 'one', () => hub.clock.leap(6 * MINUTE));
      assert.equal(says(before, 'CredentialValid'), 'True TokenVerified');
      assert.equal(before.status?.phase, 'Ready');

      const no = refusal(401, 'Unauthorized');
      const review = 'POST /apis/authentication.k8s.io/v1/selfsubjectreviews';
      member.answers = { ...well, 'GET /version': no, [review]: no };
      hub.clock.leap(6 * MINUTE);
      const degraded = await hub.until('one', 'Degraded');
      assert.equal(says(degraded, 'CredentialValid'), 'False Unauthorized');
      assert.equal(says(degraded, 'APIServerReachable'), 'True ConnectionSuccessful');
      assert.ok(await hub.hasSecret('one'));

      member.answers = well;
      hub.clock.leap(6 * MINUTE);
      const again = await hub.until('one', 'Ready');
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
      hub.clock.leap(MINUTE);
      const degraded = await hub.until('one', 'Degraded');
      assert.equal(says(degraded, 'APIServerReachable'), 'False DialFailed');
      const { message } = conditionOf(degraded, 'APIServerReachable') ?? { message: '' };
      assert.ok(message.includes(member.access.server) && message.includes('3s'), message);
      assert.equal(degraded.status?.message, message);
      assert.equal(await shownHealth(hub), 'false Unknown:DialFailed');

      await member.server.start();
      hub.clock.leap(MINUTE);
      await hub.until('one', 'Ready');
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
        last = await beats(hub, 'one', () => hub.clock.leap(6 * MINUTE));
        versions.add(last.metadata.resourceVersion);
      }
      const now = await hub.get('one');
      assert.equal(now.metadata.resourceVersion, last.metadata.resourceVersion);
      assert.equal(versions.size, 6);
      assert.equal((await hub.secret('one')).metadata.resourceVersion, resourceVersion);
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
      hub.clock.leap(MINUTE);
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'CredentialValid'), 'Unknown ValidationSkipped');
      assert.equal(says(ready, 'Ready'), 'True Registered');
    });
  });
}

/** Waits for the next heartbeat that a leap brings about. */
async function beats(hub: TestHub, name: string, leap: () => void) {
  const last = (await hub.get(name)).status?.lastHeartbeatTime;
  leap();
  return hub.until(name, ({ status }) => status?.lastHeartbeatTime !== last);
}

/** What `kubectl get clustergateways` says of the member. */
async function shownHealth(hub: TestHub): Promise<string> {
  const { annotations = {} } = (await hub.secret('one')).metadata;
  const prefix = 'status.cluster.core.oam.dev/healthy';
  return `${annotations[prefix]} ${annotations[`${prefix}-reason`]}`;
}
