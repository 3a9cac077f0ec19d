import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import {
  base64,
  GATEWAY_NAMESPACE,
  kubeconfig,
  kubeconfigFor,
  registration,
  says,
  textsOf,
} from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { leapUntil } from '../testing/next-beat.ts';
import { startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';
import { record } from './lifecycle.cases.ts';

const MINUTE = 60_000;
const TYPE_LABEL = 'cluster.core.oam.dev/cluster-credential-type';

/** What becomes of a registered cluster when its source or its Secret changes, on any hub. */
export function rotationCases(start: StartServer): void {
  describe('rotation', () => {
    test('REG-48 a new token is taken over in one write, and the phase stays Ready', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const [first, second] = [await member.token('first'), await member.token('second')];
      hub.start();
      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, first));
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      const phases = new Set<string | undefined>();
      const before = await hub.secret('one');
      const writes = await record(hub);

      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, second));
      const after = await eventually(
        async () => {
          phases.add((await hub.get('one')).status?.phase);
          return hub.secret('one');
        },
        (secret) => textsOf(secret)['token'] === second,
      );
      const rotated = await hub.until(
        'one',
        ({ status }) => status?.credential?.revision !== ready.status?.credential?.revision,
      );
      phases.add(rotated.status?.phase);
      assert.deepEqual([...phases], ['Ready']);
      await eventually(() => writes.events.length > 0);
      await writes.stop();
      assert.deepEqual(writes.events, ['MODIFIED one']);
      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.notEqual(
        after.metadata.annotations?.['multicluster.oam.dev/credential-revision'],
        before.metadata.annotations?.['multicluster.oam.dev/credential-revision'],
      );
      assert.ok(!JSON.stringify(rotated).includes(second));
      assert.ok(!(await hub.events('one')).includes('DriftCorrected'));
    });

    test('REG-49 a bad source leaves the last good credential in use', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      const before = await hub.secret('one');

      await hub.putSource('one-kubeconfig', 'this: is: no: kubeconfig');
      const broken = await hub.until('one', 'Degraded');
      assert.equal(says(broken, 'SourceResolved'), 'False KubeconfigInvalid');
      assert.deepEqual((await hub.secret('one')).data, before.data);

      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, 'wrong-token'));
      const refused = await hub.until(
        'one',
        (each) => says(each, 'CredentialValid') === 'False Unauthorized',
      );
      assert.equal(refused.status?.phase, 'Degraded');
      assert.deepEqual((await hub.secret('one')).data, before.data);

      // Others write the status too, and a pass that lost to them is repeated: what it found is said again.
      await forgetStatus(hub, 'one', 'CredentialValid');
      await hub.annotate('one', { 'example.com/look': 'again' });
      const again = await hub.until('one', (each) => says(each, 'CredentialValid') !== 'none');
      assert.equal(says(again, 'CredentialValid'), 'False Unauthorized');

      // No time has to pass: another credential is tried at once.
      await hub.putMember('one', member);
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'CredentialValid'), 'True TokenVerified');
    });

    test('REG-50 a token that becomes a certificate takes the token along', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');

      const { server, tls } = member.access;
      await hub.putSource('one-kubeconfig', kubeconfig({ server, ca: tls.ca, pair: member.pair }));
      const seen: string[] = [];
      const flipped = await eventually(
        async () => {
          const secret = await hub.secret('one');
          seen.push(
            `${secret.metadata.labels?.[TYPE_LABEL]} ${Object.keys(secret.data ?? {}).sort()}`,
          );
          return secret;
        },
        ({ data = {} }) => 'tls.key' in data,
      );
      assert.equal(flipped.data?.['token'], undefined);
      assert.deepEqual(
        [...new Set(seen)],
        [
          'ServiceAccountToken ca.crt,endpoint,token',
          'X509Certificate ca.crt,endpoint,tls.crt,tls.key',
        ].slice(new Set(seen).size === 1 ? 1 : 0),
      );
      await hub.until(
        'one',
        (each) => says(each, 'CredentialValid') === 'True CertificateVerified',
      );
    });

    test('REG-51 a token that ends soon is told of, and its source read again before', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      const end = Math.floor(hub.clock.now() / 1000) + 600;
      const token = jwt({ iat: end - 3600, exp: end });
      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, token));
      await hub.register(registration('one'));

      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'CredentialExpiring'), 'True ExpiresSoon');
      const { expiresAt = '', nextRefresh = '' } = ready.status?.credential ?? {};
      assert.equal(Date.parse(expiresAt), end * 1000);
      assert.ok(Date.parse(nextRefresh) < end * 1000, nextRefresh);
      assert.ok(!JSON.stringify(ready).includes(token));

      const degraded = await leapUntil(hub, 'one', { byMs: 11 * MINUTE, holds: 'Degraded' });
      assert.equal(says(degraded, 'CredentialExpiring'), 'True Expired');
      assert.ok(await hub.hasSecret('one'));
    });

    test('REG-54 what others do to the cluster Secret is undone, but for their own labels', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { alias: 'One', labels: { env: 'prod' } }));
      await hub.until('one', 'Ready');

      await edit(hub, { metadata: { labels: { team: 'blue' } } });
      await edit(hub, { metadata: { labels: { [TYPE_LABEL]: null } } });
      await eventually(
        () => hub.secret('one'),
        ({ metadata }) => metadata.labels?.[TYPE_LABEL] === 'ServiceAccountToken',
      );
      await edit(hub, { data: { token: base64('stolen') } });
      await eventually(
        () => hub.secret('one'),
        (secret) => textsOf(secret)['token'] === 'admin',
      );
      await edit(hub, { metadata: { labels: { env: 'test' }, annotations: null } });
      const mended = await eventually(
        () => hub.secret('one'),
        ({ metadata }) =>
          metadata.labels?.['env'] === 'prod' &&
          metadata.annotations?.['cluster.core.oam.dev/cluster-alias'] === 'One',
      );
      assert.equal(mended.metadata.labels?.['team'], 'blue');

      await hub.client.delete(Secrets, { namespace: GATEWAY_NAMESPACE, name: 'one' });
      const anew = await eventually(() => hub.secret('one'), Boolean, {
        tolerates: (error) => String(error).includes('not found'),
      });
      assert.notEqual(anew.metadata.uid, mended.metadata.uid);
      const events = await eventually(
        () => hub.events('one'),
        (all) => all.includes('DriftCorrected'),
      );
      assert.ok(events.includes('DriftCorrected'));
      const ready = await hub.until('one', 'Ready');
      await hub.until('one', ({ status }) => status?.secretRef?.uid === anew.metadata.uid);
      assert.equal(ready.status?.registeredName, 'one');
    });

    test('who changes a cluster Secret again and again is not fought for ever', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      for (let time = 0; time < 5; time++) {
        await edit(hub, { data: { token: base64(`stolen-${time}`) } });
        await eventually(
          () => hub.secret('one'),
          (secret) => textsOf(secret)['token'] === 'admin',
        );
      }
      await edit(hub, { data: { token: base64('kept') } });
      const looping = await hub.until('one', 'Degraded');
      assert.equal(says(looping, 'ClusterRegistered'), 'False DriftLoop');
      assert.equal(textsOf(await hub.secret('one'))['token'], 'kept');

      hub.clock.leap(11 * MINUTE);
      await hub.annotate('one', { look: 'again' });
      await hub.until('one', 'Ready');
      assert.equal(textsOf(await hub.secret('one'))['token'], 'admin');
    });
  });
}

/** Takes a condition out of a status, as if the write that put it there had lost to another. */
async function forgetStatus(hub: TestHub, name: string, type: string): Promise<void> {
  const { metadata, status } = await hub.get(name);
  const conditions = (status?.conditions ?? []).filter((each) => each.type !== type);
  const key = { namespace: metadata.namespace ?? '', name };
  const body = { metadata: { resourceVersion: metadata.resourceVersion }, status: { conditions } };
  await hub.client.patch(ClusterRegistrations, key, { type: 'merge', subresource: 'status', body });
}

function edit(hub: TestHub, body: object) {
  const key = { namespace: GATEWAY_NAMESPACE, name: 'one' };
  return hub.client.patch(Secrets, key, { type: 'merge', body });
}

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part(claims)}.c2lnbmF0dXJl`;
}
