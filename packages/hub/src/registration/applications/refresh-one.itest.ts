import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Client } from '@flotilla/client';
import { conflict, serviceUnavailable } from '@flotilla/machinery';
import { Applications } from './kinds.ts';
import { type RefreshWanted, refreshApplications } from './refresh-applications.ts';
import {
  annotationsOf,
  application,
  calm,
  createApplications,
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

describe('an Application that is refreshed', () => {
  test('goes on where a crash stopped it: what was refreshed is not refreshed again', async () => {
    await using hub = await startVelaHub('1.10');
    const { client } = hub;
    const names = Array.from({ length: 20 }, (_, index) => `web-${index}`);
    await createApplications(client, ...names.map((name) => application(name, prod)));
    let writes = 0;
    const dying: Client = {
      ...client,
      patch: (kind, key, patch) => {
        writes += 1;
        if (writes > 7) throw serviceUnavailable('the controller was killed');
        return client.patch(kind, key, patch);
      },
    };

    const crashed = await refreshApplications(dying, joined(), calm);
    const half = await Promise.all(names.map((name) => annotationsOf(client, name)));
    const resumed = await refreshApplications(
      client,
      joined({ now: () => new Date('2026-01-01T00:00:00Z') }),
      calm,
    );

    assert.deepEqual([crashed.updated, crashed.failed, crashed.isFinal], [7, 13, false]);
    assert.deepEqual([resumed.state, resumed.updated], ['Refreshed', 20]);
    for (const [index, name] of names.entries()) {
      const after = await annotationsOf(client, name);
      if (half[index]?.[PUBLISH] !== undefined) assert.deepEqual(after, half[index]);
      else assert.match(after[PUBLISH] ?? '', /^clusterjoin-2026/);
    }
  });

  test('refreshes once for two writers with the same event', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    const names = Array.from({ length: 30 }, (_, index) => `web-${index}`);
    await createApplications(client, ...names.map((name) => application(name, prod)));
    const generations = new Map<string, number>();
    const counting: Client = {
      ...client,
      patch: async (kind, key, patch) => {
        const written = await client.patch(kind, key, patch);
        generations.set(key.name, (generations.get(key.name) ?? 0) + 1);
        return written;
      },
    };

    const results = await Promise.all([
      refreshApplications(counting, joined(), calm),
      refreshApplications(counting, joined(), calm),
    ]);

    for (const { state, updated } of results) {
      assert.deepEqual([state, updated], ['Refreshed', 30]);
    }
    assert.deepEqual(
      names.map((name) => generations.get(name)),
      names.map(() => 1),
    );
  });

  test('refreshes again for another event, also while the first is not over', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(client, application('matching', prod));
    await refreshApplications(client, joined(), calm);
    await consume(client, 'matching');

    await refreshApplications(client, joined({ cluster: 'east', token: 'uid-2' }), calm);
    assert.equal((await annotationsOf(client, 'matching'))[RESTART], 'true');
    await consume(client, 'matching');
    await refreshApplications(client, joined(), calm);

    assert.equal((await annotationsOf(client, 'matching'))[RESTART], undefined);
  });

  test('reads an Application again when somebody else wrote it, and gives up in the end', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(client, application('busy', prod), application('hopeless', prod));
    let disturbances = 0;
    const disturbed: Client = {
      ...client,
      patch: async (kind, key, patch) => {
        if (key.name === 'hopeless') {
          throw conflict({ group: 'core.oam.dev', resource: 'applications' }, key.name, 'busy');
        }
        if (disturbances < 3) {
          disturbances += 1;
          const body = { metadata: { labels: { disturbed: `${disturbances}` } } };
          await client.patch(kind, key, { type: 'merge', body });
        }
        return client.patch(kind, key, patch);
      },
    };

    const result = await refreshApplications(disturbed, joined(), calm);

    assert.equal(disturbances, 3);
    assert.equal((await annotationsOf(client, 'busy'))[RESTART], 'true');
    assert.deepEqual(
      [result.state, result.updated, result.failed, result.isFinal],
      ['PartiallyRefreshed', 1, 1, false],
    );
    assert.match(result.message, /default\/hopeless/);
  });

  test('minds its own business when an Application is deleted or edited meanwhile', async () => {
    await using hub = await startVelaHub();
    const { client } = hub;
    await createApplications(
      client,
      application('deleted', prod),
      application('edited', prod),
      application('made-anew', prod),
    );
    const racing: Client = {
      ...client,
      patch: async (kind, key, patch) => {
        if (key.name === 'edited') {
          await client.replace(kind, {
            ...(await client.get(kind, key)),
            spec: application('edited', dev).spec,
          });
        } else {
          await client.delete(kind, key);
        }
        if (key.name === 'made-anew') await createApplications(client, application(key.name, prod));
        return client.patch(kind, key, patch);
      },
    };

    const result = await refreshApplications(racing, joined(), calm);

    assert.deepEqual([result.state, result.matched, result.failed], ['UpToDate', 0, 0]);
    for (const name of ['edited', 'made-anew']) {
      assert.equal((await annotationsOf(client, name))[RESTART], undefined, name);
    }
  });

  test('leaves Applications alone that restart by a plan of their own, and says so', async () => {
    await using hub = await startVelaHub();
    await createApplications(hub.client, application('planned', prod, { [RESTART]: '1h' }));
    const before = await annotationsOf(hub.client, 'planned');

    const { state, warnings } = await refreshApplications(hub.client, joined(), calm);

    assert.equal(state, 'Refreshed');
    assert.deepEqual(await annotationsOf(hub.client, 'planned'), before);
    assert.match(
      warnings[0]?.message ?? '',
      /next planned restart of default\/planned \(every 1h\)/,
    );
  });

  test('says what an Application has against it that KubeVela would refuse', async () => {
    await using hub = await startVelaHub('1.10');
    const auto = { 'app.oam.dev/autoUpdate': 'true' };
    await createApplications(hub.client, application('auto', prod, auto));

    const result = await refreshApplications(hub.client, joined(), calm);

    assert.deepEqual(
      [result.state, result.matched, result.updated, result.failed, result.isFinal],
      ['PartiallyRefreshed', 1, 0, 1, true],
    );
  });
});
