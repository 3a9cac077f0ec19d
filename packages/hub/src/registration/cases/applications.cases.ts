import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { Applications } from '../applications/kinds.ts';
import {
  annotationsOf,
  application,
  createApplications,
} from '../applications/testing/vela-hub.ts';
import { GATEWAY_NAMESPACE, registration, says } from '../testing/builders.ts';
import { nextBeat } from '../testing/next-beat.ts';
import { startOddMember, welcoming } from '../testing/odd-member.ts';
import { installVela } from '../testing/vela.ts';
import { type StartServer, startHub } from '../testing/world.ts';

const RESTART = 'app.oam.dev/restart-workflow';
const PUBLISH = 'app.oam.dev/publishVersion';

/** What Applications notice of clusters, on any hub. */
export function applicationCases(start: StartServer): void {
  describe('Applications', () => {
    test('REG-17 REG-18 REG-20 those that select the cluster are refreshed once, whatever follows', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(
        hub.client,
        application('prod', { clusterLabelSelector: { env: 'prod' } }),
        application('test', { clusterLabelSelector: { env: 'test' } }),
      );
      const untouched = await annotationsOf(hub.client, 'test');
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { labels: { env: 'prod' } }));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'ApplicationsRefreshed'), 'True Refreshed');
      assert.equal(ready.status?.applications?.updated, 1);
      const refreshed = await annotationsOf(hub.client, 'prod');
      assert.equal(refreshed[RESTART], 'true');
      assert.equal(refreshed[PUBLISH], undefined);
      assert.deepEqual(await annotationsOf(hub.client, 'test'), untouched);

      for (let beat = 0; beat < 20; beat++) {
        await nextBeat(hub, 'one');
      }
      assert.deepEqual(await annotationsOf(hub.client, 'prod'), refreshed);
      assert.deepEqual(await annotationsOf(hub.client, 'test'), untouched);
    });

    test('REG-19 All refreshes whatever selects by label, and nothing else', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(
        hub.client,
        application('any', { clusterLabelSelector: {} }),
        application('test', { clusterLabelSelector: { env: 'test' } }),
        application('named', { clusters: ['x'] }),
      );
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { config: { refreshApplications: 'All' } }));
      const ready = await hub.until('one', 'Ready');
      assert.equal(ready.status?.applications?.updated, 2);
      assert.equal((await annotationsOf(hub.client, 'any'))[RESTART], 'true');
      assert.equal((await annotationsOf(hub.client, 'test'))[RESTART], 'true');
      assert.equal((await annotationsOf(hub.client, 'named'))[RESTART], undefined);
    });

    test('REG-20 an older KubeVela gets a publishVersion, and an event where there was none', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client, '1.10');
      await createApplications(hub.client, application('any', { clusterLabelSelector: {} }));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      const annotations = await annotationsOf(hub.client, 'any');
      assert.equal(annotations[RESTART], undefined);
      assert.ok(annotations[PUBLISH] !== undefined);
      const events = await eventually(
        () => hub.events('one'),
        (all) => all.length >= 2,
      );
      assert.ok(events.includes('ApplicationsPinned'), String(events));
    });

    test('REG-21 one that cannot be read costs no other its refresh, nor the cluster its phase', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(
        hub.client,
        application('broken', { clusterLabelSelector: 'not a map' }),
        application('whole', { clusterLabelSelector: {} }),
      );
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'ApplicationsRefreshed'), 'False PartiallyRefreshed');
      const told = ready.status?.conditions?.find(({ type }) => type === 'ApplicationsRefreshed');
      assert.match(told?.message ?? '', /default\/broken/);
      assert.equal((await annotationsOf(hub.client, 'whole'))[RESTART], 'true');
    });

    test('REG-22 a new label refreshes those that select by it, and no others', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(
        hub.client,
        application('prod', { clusterLabelSelector: { env: 'prod' } }),
        application('gold', { clusterLabelSelector: { tier: 'gold' } }),
      );
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { labels: { env: 'prod' } }));
      await hub.until('one', 'Ready');
      await consume(hub.client, 'prod');
      const prod = await annotationsOf(hub.client, 'prod');

      await hub.change('one', { labels: { tier: 'gold' } });
      await eventually(
        () => annotationsOf(hub.client, 'gold'),
        (annotations) => annotations[RESTART] === 'true',
      );
      await hub.until('one', ({ status }) => status?.observedGeneration === 2);
      assert.deepEqual(await annotationsOf(hub.client, 'prod'), prod);
    });

    test('labels that go and come back refresh once more, also over a restart', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(
        hub.client,
        application('prod', { clusterLabelSelector: { env: 'prod' } }),
        application('gold', { clusterLabelSelector: { tier: 'gold' } }),
      );
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { labels: { env: 'prod', tier: 'gold' } }));
      await hub.until('one', 'Ready');
      await consume(hub.client, 'gold');
      await consume(hub.client, 'prod');
      const prod = await annotationsOf(hub.client, 'prod');

      await hub.change('one', { labels: { tier: null } });
      await hub.until('one', ({ status }) => status?.applications?.labels?.['tier'] === undefined);
      await hub.stop();
      hub.start();
      await hub.change('one', { labels: { tier: 'gold' } });
      await eventually(
        () => annotationsOf(hub.client, 'gold'),
        (annotations) => annotations[RESTART] === 'true',
      );
      await hub.until('one', ({ status }) => status?.applications?.labels?.['tier'] === 'gold');
      assert.deepEqual(await annotationsOf(hub.client, 'prod'), prod);
    });

    test('a cluster that comes back after its Secret was deleted is deployed to again', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      await installVela(hub.client);
      await createApplications(hub.client, application('any', { clusterLabelSelector: {} }));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await consume(hub.client, 'any');
      await hub.client.delete(Secrets, { namespace: GATEWAY_NAMESPACE, name: 'one' });
      await eventually(
        () => annotationsOf(hub.client, 'any'),
        (annotations) => annotations[RESTART] === 'true',
      );
    });
  });
}

/** What KubeVela does with the annotation: it takes it off and goes to work. */
async function consume(client: Client, name: string): Promise<void> {
  const body = { metadata: { annotations: { [RESTART]: null } } };
  await client.patch(Applications, { namespace: 'default', name }, { type: 'merge', body });
}
