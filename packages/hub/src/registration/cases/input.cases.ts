import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isInvalid } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { conditionOf, kubeconfigFor, registration, says } from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { leapUntil } from '../testing/next-beat.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub } from '../testing/world.ts';

/** What is refused, and when, on any hub. */
export function inputCases(start: StartServer): void {
  describe('bad input', () => {
    test('REG-24 a registration has exactly one source', async () => {
      await using hub = await startHub(start);
      const none = registration('none', { credentialSource: {} as never });
      await assert.rejects(hub.register(none), /exactly one of secretRef, inline/);
      const two = registration('two', {
        credentialSource: { secretRef: { name: 'x' }, existingSecret: {} } as never,
      });
      await assert.rejects(hub.register(two), /exactly one of secretRef, inline/);
    });

    test('REG-25 a name is a DNS label other than "local"', async () => {
      await using hub = await startHub(start);
      for (const clusterName of ['local', 'Prod', 'a.b', 'x'.repeat(64), '']) {
        await assert.rejects(hub.register(registration('one', { clusterName })), isInvalid);
      }
      await assert.rejects(hub.register(registration('local')), /clusterName must be given/);
      await assert.rejects(hub.register(registration('a.b')), /clusterName must be given/);
      await hub.register(registration('a.b', { clusterName: 'a-b' }));
    });

    test('REG-31 a credential that stands for nobody registers nothing', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('system:anonymous'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'CredentialValid'), 'False Anonymous');
      assert.equal(says(failed, 'Ready'), 'False Anonymous');
      assert.equal(await hub.hasSecret('one'), false);
      assert.match(failed.status?.message ?? '', /system:anonymous/);
    });

    test('REG-31 an old server that refuses nobody the review by name is seen through, too', async () => {
      await using hub = await startHub(start);
      const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
      const who = refusal(403, 'Forbidden', 'User "system:anonymous" cannot create resource');
      const { 'GET /version': version } = welcoming('x');
      await using member = await startOddMember({
        [`POST ${path}`]: who,
        'GET /version': version ?? [200],
      });
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'CredentialValid'), 'False Anonymous');
      assert.ok(
        member.asked.includes('POST /apis/authentication.k8s.io/v1beta1/selfsubjectreviews'),
      );
    });

    test('REG-32 a wrong token registers nothing, and a right one later does', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, 'wrong-token'));
      await hub.register(registration('one'));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'CredentialValid'), 'False Unauthorized');
      assert.equal(says(failed, 'APIServerReachable'), 'True ConnectionSuccessful');
      assert.equal(await hub.hasSecret('one'), false);
      assert.ok(!JSON.stringify(failed).includes('wrong-token'));

      await hub.putMember('one', member);
      await hub.until('one', 'Ready');
    });

    test('an unreachable member registers nothing, says why, and is tried again', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await member.server.stop();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { config: { connectionTimeout: '2s' } }));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'APIServerReachable'), 'False DialFailed');
      assert.equal(says(failed, 'CredentialValid'), 'Unknown Unreachable');
      const { message } = conditionOf(failed, 'APIServerReachable') ?? { message: '' };
      assert.ok(message.includes(member.access.server) && message.includes('2s'), message);
      assert.equal(await hub.hasSecret('one'), false);

      await member.server.start();
      await leapUntil(hub, 'one', { byMs: 6_000, holds: 'Ready' });
    });

    test('a missing source is waited for', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.register(registration('one'));
      const pending = await hub.until('one', 'Pending');
      assert.equal(says(pending, 'SourceResolved'), 'False SecretNotFound');

      await hub.putMember('one', member);
      await hub.until('one', 'Ready');
      const events = await eventually(
        () => hub.events('one'),
        (all) => all.includes('Registered'),
      );
      assert.deepEqual(events, ['SecretNotFound', 'Registered']);
    });

    test('REG-37 labels of others and labels that are none are refused', async () => {
      await using hub = await startHub(start);
      for (const labels of [
        { 'cluster.core.oam.dev/cluster-credential-type': 'x' },
        { 'multicluster.oam.dev/owner': 'x' },
        { 'kubernetes.io/x': 'y' },
        { env: 'not a value' },
        { '-bad': 'x' },
      ]) {
        const labelled = registration('one', { labels: labels as Record<string, string> });
        await assert.rejects(hub.register(labelled), isInvalid);
      }
    });
  });
}
