import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { ApiServices, GATEWAY_API_SERVICE } from '../../cluster-secret/gateway-namespace.ts';
import { application, createApplications, tracker } from '../applications/testing/vela-hub.ts';
import { pack, unpack } from '../resource-trackers/compression.ts';
import { ResourceTrackers } from '../resource-trackers/kinds.ts';
import {
  base64,
  conditionOf,
  GATEWAY_NAMESPACE,
  kubeconfigFor,
  registration,
  says,
  textsOf,
} from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { installVela } from '../testing/vela.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';
import { forceDelete, makeGatewayNamespace } from './ownership.cases.ts';

const MINUTE = 60_000;

/** Renaming, suspending, leaving, on any hub. */
export function lifecycleCases(start: StartServer): void {
  describe('the life of a registration', () => {
    test('REG-57 a name that an Application uses is kept', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await installVela(hub.client);
      await createApplications(hub.client, application('web', { clusters: ['one'] }));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      const before = await hub.secret('one');

      await hub.change('one', { clusterName: 'other' });
      const blocked = await hub.until(
        'one',
        (each) => says(each, 'ClusterRegistered') === 'False RenameBlocked',
      );
      assert.match(conditionOf(blocked, 'ClusterRegistered')?.message ?? '', /default\/web/);
      assert.equal(blocked.status?.phase, 'Progressing');
      assert.equal(blocked.status?.registeredName, 'one');
      assert.deepEqual(await hub.secret('one'), before);
      assert.equal(await hub.hasSecret('other'), false);

      await hub.annotate('one', { 'multicluster.oam.dev/force-rename': 'true' });
      const renamed = await hub.until('one', 'Ready');
      assert.equal(renamed.status?.registeredName, 'other');
      assert.equal(await hub.hasSecret('one'), false);
    });

    test('REG-58 the new Secret is there before the old one goes', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { labels: { env: 'prod' } }));
      await hub.until('one', 'Ready');
      const old = await hub.secret('one');
      const seen = await record(hub);
      await hub.change('one', { clusterName: 'other' });
      const renamed = await hub.until('one', (each) => each.status?.registeredName === 'other');
      assert.equal(renamed.status?.phase, 'Ready');
      const events = await eventually(
        () => seen.events,
        (all) => all.length >= 2,
      );
      await seen.stop();
      assert.deepEqual(events, ['ADDED other', 'DELETED one']);
      const secret = await hub.secret('other');
      assert.deepEqual(secret.data, old.data);
      assert.equal(secret.metadata.labels?.['env'], 'prod');
      assert.equal(renamed.status?.secretRef?.uid, secret.metadata.uid);
    });

    test('a rename to a name that is taken leaves the cluster as it is', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await using other = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.putMember('two', other);
      await hub.register(registration('one'));
      await hub.register(registration('two'));
      await hub.until('one', 'Ready');
      await hub.until('two', 'Ready');
      await hub.change('one', { clusterName: 'two' });
      const refused = await hub.until(
        'one',
        (each) => says(each, 'ClusterRegistered') === 'False NameConflict',
      );
      assert.equal(refused.status?.registeredName, 'one');
      assert.ok(await hub.hasSecret('one'));
      await hub.remove('two');
      const renamed = await hub.until('one', 'Ready');
      assert.equal(renamed.status?.registeredName, 'two');
    });

    test('a Secret that somebody renames by hand is told of, restored and never deleted', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      const { metadata, data, type } = await hub.secret('one');
      const { labels = {}, annotations = {} } = metadata;
      const copy: Secret = {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: GATEWAY_NAMESPACE, name: 'copy', labels, annotations },
        ...(type === undefined ? {} : { type }),
        ...(data === undefined ? {} : { data }),
      };
      await hub.client.delete(Secrets, { namespace: GATEWAY_NAMESPACE, name: 'one' });
      await hub.client.create(Secrets, copy);
      await eventually(
        () => hub.events('one'),
        (all) => all.includes('RenamedExternally'),
      );
      await eventually(() => hub.hasSecret('one'));
      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      hub.clock.leap(MINUTE);
      hub.clock.leap(MINUTE);
      assert.equal(await hub.hasSecret('one'), false);
      assert.ok(await hub.hasSecret('copy'));
    });

    test('REG-59 leaving needs neither the member nor the gateway', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await member.server.stop();
      await breakGateway(hub);
      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      assert.equal(await hub.hasSecret('one'), false);
    });

    test('REG-60 ResourceTrackers forget a cluster that leaves', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await installVela(hub.client);
      const entry = (cluster: string) => ({
        kind: 'ConfigMap',
        name: 'x',
        namespace: 'y',
        cluster,
      });
      const managedResources = [entry('one'), entry('two')];
      await hub.client.create(ResourceTrackers, tracker('web-v1', { managedResources }));
      const compression = { type: 'zstd', data: pack('zstd', managedResources) };
      await hub.client.create(ResourceTrackers, tracker('web-v2', { compression }));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      const { spec } = await hub.client.get(ResourceTrackers, { name: 'web-v1' });
      assert.deepEqual(spec?.managedResources, [entry('two')]);
      const packed = (await hub.client.get(ResourceTrackers, { name: 'web-v2' })).spec?.compression;
      assert.equal(packed?.type, 'zstd');
      assert.deepEqual(unpack('zstd', String(packed?.data)), [entry('two')]);
    });

    test("REG-61 an orphan stays usable and is nobody's", async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await makeGatewayNamespace(hub);
      hub.start();
      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access), GATEWAY_NAMESPACE);
      await hub.register(registration('one', { alias: 'One' }, GATEWAY_NAMESPACE));
      const key = `${GATEWAY_NAMESPACE}/one`;
      await hub.until(key, 'Ready');
      assert.equal((await hub.secret('one')).metadata.ownerReferences?.length, 1);

      await hub.change(key, { deletionPolicy: 'Orphan' });
      await eventually(
        () => hub.secret('one'),
        ({ metadata }) => (metadata.ownerReferences ?? []).length === 0,
      );
      await hub.remove(key);
      await eventually(() => hub.isGone(key));
      const { metadata, data } = await hub.secret('one');
      const marks = [
        ...Object.keys(metadata.annotations ?? {}),
        ...Object.keys(metadata.labels ?? {}),
      ].filter((each) => each.startsWith('multicluster.oam.dev/'));
      assert.deepEqual(marks, []);
      assert.equal(metadata.annotations?.['cluster.core.oam.dev/cluster-alias'], 'One');
      assert.equal(textsOf({ data } as Secret)['token'], 'admin');
    });

    test('REG-62 the janitor takes what a forced deletion leaves, and nothing that is owned', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      for (const name of ['one', 'two']) {
        await hub.putMember(name, member);
        await hub.register(registration(name));
        await hub.until(name, 'Ready');
      }
      await hub.stop();
      await forceDelete(hub, 'one');
      await forceDelete(hub, 'two');
      await hub.register(registration('two'));
      hub.start();
      await hub.until('two', 'Ready');
      await eventually(async () => {
        hub.clock.leap(MINUTE);
        return !(await hub.hasSecret('one'));
      });
      assert.ok(await hub.hasSecret('two'));
      assert.equal((await hub.get('two')).status?.phase, 'Ready');
    });

    test('REG-63 a suspended registration writes nothing, and still can leave', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const second = await member.token('second');
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await hub.change('one', { suspend: true });
      const suspended = await hub.until(
        'one',
        (each) => says(each, 'Suspended') === 'True SuspendedBySpec',
      );
      assert.equal(says(suspended, 'Ready'), 'Unknown Suspended');
      assert.equal(suspended.status?.phase, 'Ready');

      await hub.putSource('one-kubeconfig', kubeconfigFor(member.access, second));
      const key = { namespace: GATEWAY_NAMESPACE, name: 'one' };
      const body = { metadata: { labels: { 'multicluster.oam.dev/managed': null } } };
      const edited = await hub.client.patch(Secrets, key, { type: 'merge', body });
      await eventually(
        () => hub.events('one'),
        (all) => all.includes('DriftDetected'),
      );
      hub.clock.leap(10 * MINUTE);
      assert.deepEqual(await hub.secret('one'), edited);
      const still = await hub.get('one');
      assert.equal(still.metadata.resourceVersion, suspended.metadata.resourceVersion);

      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      assert.equal(await hub.hasSecret('one'), false);
    });

    test('REG-63 a suspended registration that is released leaves its Secret in use', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      const before = await hub.secret('one');
      await hub.change('one', { suspend: true, deletionPolicy: 'Orphan' });
      await hub.until('one', (each) => says(each, 'Suspended') === 'True SuspendedBySpec');
      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      const after = await hub.secret('one');
      assert.deepEqual(after.data, before.data);
      assert.equal(after.metadata.annotations?.['multicluster.oam.dev/owner'], undefined);
    });

    test('REG-63 resuming puts right what happened meanwhile', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await hub.change('one', { suspend: true });
      await hub.until('one', (each) => says(each, 'Ready') === 'Unknown Suspended');
      const key = { namespace: GATEWAY_NAMESPACE, name: 'one' };
      const body = { data: { token: base64('stolen') } };
      await hub.client.patch(Secrets, key, { type: 'merge', body });
      await hub.change('one', { suspend: false });
      await hub.until('one', (each) => says(each, 'Ready') === 'True Registered');
      assert.equal(textsOf(await hub.secret('one'))['token'], 'admin');
    });

    test('REG-56 a controller that starts again repeats nothing', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      const secret = await hub.secret('one');
      await hub.stop();

      // As after a crash between the Secret and everything that follows.
      await hub.client.patch(
        ClusterRegistrations,
        { namespace: 'default', name: 'one' },
        { type: 'merge', subresource: 'status', body: { status: null } },
      );
      hub.start();
      const again = await hub.until('one', 'Ready');
      assert.deepEqual(await hub.secret('one'), secret);
      assert.equal(again.status?.credential?.revision, ready.status?.credential?.revision);
    });
  });
}

/** The APIService of a gateway that nobody answers for. */
async function breakGateway(hub: TestHub): Promise<void> {
  await hub.client.apply(
    ApiServices,
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: GATEWAY_API_SERVICE },
      spec: {
        group: 'cluster.core.oam.dev',
        version: 'v1alpha1',
        service: { namespace: GATEWAY_NAMESPACE, name: 'gone', port: 9443 },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
      },
    },
    { fieldManager: 'test', force: true },
  );
}

/** Writes down what happens to cluster Secrets from now on. */
export async function record(
  hub: TestHub,
): Promise<{ events: string[]; stop: () => Promise<void> }> {
  const ending = new AbortController();
  const events: string[] = [];
  // From here on: what happens before the watch begins is seen by it all the same.
  const { metadata } = await hub.client.list(Secrets, { namespace: GATEWAY_NAMESPACE });
  const { resourceVersion } = metadata;
  const watching = (async () => {
    const options = { namespace: GATEWAY_NAMESPACE, signal: ending.signal };
    const from = resourceVersion === undefined ? {} : { resourceVersion };
    for await (const { type, object } of hub.client.watch(Secrets, { ...options, ...from })) {
      if (type !== 'BOOKMARK') events.push(`${type} ${object.metadata.name}`);
    }
  })().catch(() => {});
  return {
    events,
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}
