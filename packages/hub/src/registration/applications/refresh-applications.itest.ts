import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { Applications } from './kinds.ts';
import { type RefreshWanted, refreshApplications } from './refresh-applications.ts';
import {
  annotationsOf,
  application,
  calm,
  createApplications,
  startHub,
  startVelaHub,
} from './testing/vela-hub.ts';

const RESTART = 'app.oam.dev/restart-workflow';
const PUBLISH = 'app.oam.dev/publishVersion';
const prod = { clusterLabelSelector: { env: 'prod' } };
const dev = { clusterLabelSelector: { env: 'dev' } };
const joined = (wanted: Partial<RefreshWanted> = {}): RefreshWanted => ({
  mode: 'Matching',
  cluster: 'west',
  labels: { env: 'prod', region: 'us-west' },
  token: 'uid-1/registered/1',
  now: () => new Date('2025-03-04T05:06:07Z'),
  ...wanted,
});
/** As KubeVela does once it has seen the annotation. */
async function consume(client: Client, name: string): Promise<void> {
  const body = { metadata: { annotations: { [RESTART]: null } } };
  await client.patch(Applications, { namespace: 'default', name }, { type: 'merge', body });
}

describe('refreshApplications', () => {
  test('REG-17 refreshes an Application whose selector matches once per event, and no other', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('matching', prod),
      application('other', dev),
      application('named', { clusters: ['west'] }),
      application('named-and-selecting', { clusters: ['east'], ...prod }),
      application('everywhere', { clusterLabelSelector: {} }),
    );
    const before = await annotationsOf(client, 'other');

    const result = await refreshApplications(client, joined(), calm);

    assert.deepEqual(
      [result.state, result.matched, result.updated, result.failed, result.isFinal],
      ['Refreshed', 2, 2, 0, true],
    );
    assert.equal((await annotationsOf(client, 'matching'))[RESTART], 'true');
    assert.equal((await annotationsOf(client, 'everywhere'))[RESTART], 'true');
    assert.deepEqual(await annotationsOf(client, 'other'), before);
    for (const name of ['named', 'named-and-selecting']) {
      assert.equal((await annotationsOf(client, name))[RESTART], undefined);
    }

    await consume(client, 'matching');
    const consumed = await annotationsOf(client, 'matching');
    const again = await refreshApplications(client, joined(), calm);

    assert.deepEqual([again.state, again.updated], ['Refreshed', 2]);
    assert.deepEqual(await annotationsOf(client, 'matching'), consumed);
  });

  test('REG-18 writes nothing for an event that is over, however often it is asked', async () => {
    await using hub = await startVelaHub('1.10');
    const { client } = hub;
    await createApplications(client, application('matching', prod));
    await refreshApplications(client, joined(), calm);
    const refreshed = await annotationsOf(client, 'matching');

    for (let heartbeat = 0; heartbeat < 20; heartbeat++) {
      const { warnings } = await refreshApplications(client, joined(), calm);
      assert.deepEqual(warnings, []);
    }

    assert.deepEqual(await annotationsOf(client, 'matching'), refreshed);
  });

  test('REG-19 in mode All refreshes whatever has a selector, whatever it selects', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('other', dev),
      application('everywhere', { clusterLabelSelector: {} }),
      application('both', { clusters: ['east'], ...prod }),
      application('named', { clusters: ['west'] }),
      application('old', { clusterSelector: { env: 'prod' } }),
    );

    const result = await refreshApplications(client, joined({ mode: 'All' }), calm);

    assert.deepEqual([result.state, result.matched, result.updated], ['Refreshed', 3, 3]);
    for (const name of ['other', 'everywhere', 'both']) {
      assert.equal((await annotationsOf(client, name))[RESTART], 'true', name);
    }
    for (const name of ['named', 'old']) {
      assert.equal((await annotationsOf(client, name))[RESTART], undefined, name);
    }
  });

  test('REG-20 restarts the workflow where KubeVela can, and leaves publishVersion alone', async () => {
    await using hub = await startVelaHub('1.11');
    await createApplications(hub.client, application('matching', prod, { [PUBLISH]: 'v1' }));

    const { warnings } = await refreshApplications(hub.client, joined(), calm);

    const after = await annotationsOf(hub.client, 'matching');
    assert.deepEqual([after[RESTART], after[PUBLISH]], ['true', 'v1']);
    assert.deepEqual(warnings, []);
  });

  test('REG-20 bumps publishVersion of an older KubeVela, and warns of Applications that had none', async () => {
    await using hub = await startVelaHub('1.10');
    const { client } = hub;
    await createApplications(
      client,
      application('had', prod, { [PUBLISH]: 'v1' }),
      application('had-none', prod),
    );

    const { state, warnings } = await refreshApplications(client, joined(), calm);

    assert.equal(state, 'Refreshed');
    for (const name of ['had', 'had-none']) {
      const after = await annotationsOf(client, name);
      assert.match(after[PUBLISH] ?? '', /^clusterjoin-20250304050607-[0-9a-f]{12}$/);
      assert.equal(after[RESTART], undefined);
    }
    assert.deepEqual(
      warnings.map(({ reason }) => reason),
      ['ApplicationsPinned'],
    );
    assert.match(warnings[0]?.message ?? '', /default\/had-none did not have/);
  });

  test('REG-21 refreshes the others where one policy cannot be read, and names it', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('a-broken', { clusterLabelSelector: 'env=prod' }),
      application('b-matching', prod),
      application('c-matching', prod),
    );

    const result = await refreshApplications(client, joined(), calm);

    assert.deepEqual(
      [result.state, result.matched, result.updated, result.failed],
      ['PartiallyRefreshed', 2, 2, 1],
    );
    assert.ok(result.isFinal, 'trying again would not help');
    assert.match(result.message, /not default\/a-broken \(policy "where": clusterLabelSelector is/);
    assert.equal((await annotationsOf(client, 'c-matching'))[RESTART], 'true');
  });

  test('REG-22 after a change of labels refreshes only what did not match before', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('before-and-after', { clusterLabelSelector: { region: 'us-west' } }),
      application('newly', prod),
      application('no-longer', dev),
    );
    const previousLabels = { env: 'dev', region: 'us-west' };

    const result = await refreshApplications(client, joined({ previousLabels }), calm);

    assert.deepEqual([result.state, result.updated], ['Refreshed', 1]);
    assert.equal((await annotationsOf(client, 'newly'))[RESTART], 'true');
    for (const name of ['before-and-after', 'no-longer']) {
      assert.equal((await annotationsOf(client, name))[RESTART], undefined, name);
    }
  });

  test('REG-23 says that KubeVela is not there, and fails nothing', async () => {
    await using hub = await startHub();

    const result = await refreshApplications(hub.client, joined(), calm);

    assert.equal(result.state, 'KubeVelaNotInstalled');
    assert.equal(result.failed, 0);
  });

  test('finds nothing to do where nothing selects the cluster', async () => {
    await using hub = await startVelaHub();
    await createApplications(hub.client, application('other', dev));

    const { state, matched } = await refreshApplications(hub.client, joined(), calm);

    assert.deepEqual([state, matched], ['UpToDate', 0]);
  });

  test('reads more Applications than a page holds, and keeps its message short', async () => {
    await using hub = await startVelaHub('1.10');
    const { client } = hub;
    const names = Array.from({ length: 230 }, (_, index) => `web-${index}`);
    await Promise.all(names.map((name) => createApplications(client, application(name, prod))));

    const result = await refreshApplications(client, joined(), calm);

    assert.deepEqual([result.state, result.updated], ['Refreshed', 230]);
    assert.match(result.warnings[0]?.message ?? '', /and 220 more/);
    assert.ok(result.warnings.every(({ message }) => message.length <= 1024));
  });

  test('says why Applications cannot be read, and ends at once when it is told to', async () => {
    await using hub = await startVelaHub();
    const nobody = hub.connect(hub.server.accessAs('nobody', ['system:authenticated']));

    const result = await refreshApplications(nobody, joined(), calm);
    assert.equal(result.state, 'ListFailed');
    assert.equal(result.isFinal, false);
    assert.match(result.message, /^Cannot read Applications: .*forbidden/);

    const ended = AbortSignal.abort(new Error('told to'));
    await assert.rejects(refreshApplications(hub.client, joined(), ended), /told to/);
  });
});
