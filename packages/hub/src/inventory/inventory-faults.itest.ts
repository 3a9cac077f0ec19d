import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ClusterProfile,
  ClusterProfiles,
  ClusterRegistrations,
  clusterProfile,
  clusterRegistrationConditions,
  conditionSetOf,
  crdOf,
} from '@flotilla/api';
import { type Client, CustomResourceDefinitions, Namespaces } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { defineController, untilChanged } from '@flotilla/runtime';
import { eventually, startServer } from '@flotilla/testkit';
import { installKinds } from '../install/install-kinds.ts';
import { overflowNamespace } from './names.ts';
import {
  condition,
  foreignProfile,
  GATEWAY,
  profileOf,
  published,
  putSecret,
  readyStatus,
  register,
  SPACE,
  setStatus,
  stateOf,
  untilGone,
} from './testing/objects.ts';
import { ensureNamespace, openInventory } from './testing/open-inventory.ts';

describe('the inventory in trouble', () => {
  test('finishes a profile whose status could not be written', async () => {
    let failures = 2;
    const through = (client: Client): Client => ({
      ...client,
      apply: (kind, object, options) => {
        const isStatus = kind.plural === 'clusterprofiles' && options.subresource === 'status';
        if (isStatus && failures-- > 0) throw new Error('The network is down');
        return client.apply(kind, object, options);
      },
    });
    await using hub = await openInventory(startServer, { through });

    await register(hub.client, 'west', { status: readyStatus('west') });

    await profileOf(hub.client, 'west', (profile) => stateOf(profile) === 'True/Registered');
    assert.ok(hub.complaints.some((line) => line.includes('The network is down')));
    assert.ok(failures < 0);
  });

  test('says on the registration when a profile cannot be written for long, and takes it back', async () => {
    let isDown = true;
    const through = (client: Client): Client => ({
      ...client,
      apply: (kind, object, options) => {
        if (kind.plural === 'clusterprofiles' && isDown) throw new Error('The disk is full');
        return client.apply(kind, object, options);
      },
    });
    await using hub = await openInventory(startServer, { through });
    await register(hub.client, 'west', { status: readyStatus('west') });

    await eventually(async () => (await published(hub.client, 'west')) === 'False/WriteFailed');
    isDown = false;

    await profileOf(hub.client, 'west', (profile) => stateOf(profile) === 'True/Registered');
    await eventually(async () => (await published(hub.client, 'west')) === 'True/Published');
  });

  test('a rename that stopped half way is finished, and never without a profile', async () => {
    await using hub = await openInventory(startServer);
    const { client } = hub;
    await register(client, 'cluster', { spec: { clusterName: 'old' }, status: readyStatus('old') });
    await profileOf(client, 'old');
    await hub.stop();
    await client.patch(
      ClusterRegistrations,
      { namespace: GATEWAY, name: 'cluster' },
      { type: 'merge', body: { spec: { clusterName: 'new' } } },
    );
    await setStatus(client, 'cluster', readyStatus('new'));
    let isDown = true;
    await using other = await openInventory(async () => ({ access: hub.access, ...nothing }), {
      through: (worker) => ({
        ...worker,
        apply: (kind, object, options) => {
          const isNew = object.metadata.name === 'new' && options.subresource === 'status';
          if (isDown && isNew) throw new Error('The network is down');
          return worker.apply(kind, object, options);
        },
      }),
    });
    await eventually(() => other.complaints.length > 2 && other.passes.includes('old'));
    await client.get(ClusterProfiles, { namespace: SPACE, name: 'old' });
    isDown = false;

    await profileOf(client, 'new', (profile) => stateOf(profile) === 'True/Registered');
    await untilGone(client, 'old');
  });

  test('profiles come back when their CRD was deleted and installed again', async () => {
    await using hub = await openInventory(startServer);
    const { client } = hub;
    await register(client, 'west', { status: readyStatus('west') });
    await profileOf(client, 'west');
    await eventually(async () => (await published(client, 'west')) === 'True/Published');

    const name = crdOf(clusterProfile).metadata.name ?? '';
    await client.delete(CustomResourceDefinitions, { name });
    await eventually(async () => (await published(client, 'west')) === 'False/NotInstalled');

    await installKinds(client, { clusterProfiles: true }, new AbortController().signal);
    await profileOf(client, 'west', (profile) => stateOf(profile) === 'True/Registered');
    await eventually(async () => (await published(client, 'west')) === 'True/Published');
  });

  test('profiles come back when their namespace was deleted', async () => {
    await using hub = await openInventory(startServer);
    const { client } = hub;
    await register(client, 'west', { status: readyStatus('west') });
    const before = await profileOf(client, 'west');

    await client.delete(Namespaces, { name: SPACE });

    const after = await profileOf(
      client,
      'west',
      ({ metadata, status }) =>
        metadata.uid !== before.metadata.uid && status?.conditions !== undefined,
    );
    assert.equal(stateOf(after), 'True/Registered');
  });

  test('the registration controller keeps what the inventory says on a registration', async () => {
    const registration = defineController({
      name: 'registration',
      for: ClusterRegistrations,
      conditions: conditionSetOf(clusterRegistrationConditions),
      reconcile: (pass) => {
        pass.mark('SourceResolved', 'SecretResolved', 'Resolved');
        pass.mark('CredentialValid', 'TokenVerified', `Verified ${pass.observed.spec.alias ?? ''}`);
        pass.mark('APIServerReachable', 'ConnectionSuccessful', 'Answers');
        pass.mark('ClusterRegistered', 'SecretCreated', 'Created');
        Object.assign(pass.object.status ?? {}, { phase: 'Ready', registeredName: 'west' });
        return untilChanged;
      },
    });
    await using hub = await openInventory(startServer, { controllers: [registration] });
    const { client } = hub;
    await register(client, 'west');
    await eventually(async () => (await published(client, 'west')) === 'True/Published');

    await client.patch(
      ClusterRegistrations,
      { namespace: GATEWAY, name: 'west' },
      { type: 'merge', body: { spec: { alias: 'West' } } },
    );

    await profileOf(client, 'west', ({ spec }) => spec.displayName === 'West');
    const { status } = await eventually(
      () => client.get(ClusterRegistrations, { namespace: GATEWAY, name: 'west' }),
      ({ status: now }) =>
        now?.conditions?.some(({ message }) => message === 'Verified West') === true,
    );
    assert.ok(status?.conditions?.some(({ type }) => type === 'InventoryPublished'));
    assert.equal(hub.writes.filter((each) => each.includes('clusterregistrations')).length, 1);
  });

  test('REG-71 a foreign profile that appears a moment before we write is not overwritten either', async () => {
    const theirs = foreignProfile('west', SPACE, 'them');
    const place = { namespace: SPACE, name: 'west' };
    let meanwhile: ((client: Client) => Promise<unknown>) | undefined = async (client) => {
      await ensureNamespace(client, SPACE);
      await client.create(ClusterProfiles, theirs);
    };
    const through = (client: Client): Client => ({
      ...client,
      apply: async (kind, object, options) => {
        const isProfile = kind.plural === 'clusterprofiles' && object.metadata.namespace === SPACE;
        const happens = isProfile && options.subresource === undefined ? meanwhile : undefined;
        if (happens !== undefined) meanwhile = undefined;
        await happens?.(client);
        return client.apply(kind, object, options);
      },
    });
    await using hub = await openInventory(startServer, { through });
    const { client } = hub;
    const own = { namespace: overflowNamespace(SPACE), name: 'west' };
    const isReady = (profile: ClusterProfile) => stateOf(profile) === 'True/Registered';
    const specOf = async () => (await client.get(ClusterProfiles, place)).spec;
    await register(client, 'west', { status: readyStatus('west') });
    await profileOf(client, own, isReady);
    assert.deepEqual(await specOf(), theirs.spec);

    // Theirs goes and ours takes its place; then theirs is there again, in place of one of which we know.
    await client.delete(ClusterProfiles, place);
    await profileOf(client, place, isReady);
    await untilGone(client, 'west', own.namespace);
    meanwhile = async (worker) => {
      await worker.delete(ClusterProfiles, place);
      await worker.create(ClusterProfiles, theirs);
    };
    await client.patch(
      ClusterRegistrations,
      { namespace: GATEWAY, name: 'west' },
      { type: 'merge', body: { spec: { alias: 'West' } } },
    );

    await profileOf(client, own, isReady);
    assert.deepEqual(await specOf(), theirs.spec);
  });

  test('of two registrations of one name the one that has the cluster Secret speaks, and then the other', async () => {
    await using hub = await openInventory(startServer);
    const { client } = hub;
    const failed = {
      phase: 'Failed' as const,
      conditions: [condition('Ready', 'False/NameConflict', 'Taken')],
    };
    await register(client, 'a', { spec: { clusterName: 'west' }, status: failed });
    const winner = await register(client, 'b', { spec: { clusterName: 'west' } });
    await putSecret(client, 'west', {
      annotations: {
        'multicluster.oam.dev/owner': `${GATEWAY}/b`,
        'multicluster.oam.dev/owner-uid': winner.metadata.uid ?? '',
      },
    });
    await setStatus(client, 'b', readyStatus('west'));

    await profileOf(client, 'west', (profile) => stateOf(profile) === 'True/Registered');
    await eventually(async () => (await published(client, 'a')) === 'False/NameTaken');
    await eventually(async () => (await published(client, 'b')) === 'True/Published');

    await client.delete(ClusterRegistrations, { namespace: GATEWAY, name: 'b' });
    await setStatus(client, 'a', readyStatus('west'));
    await eventually(async () => (await published(client, 'a')) === 'True/Published');
    await profileOf(client, 'west', ({ metadata }) =>
      (metadata.annotations?.['inventory.flotilla.dev/source'] ?? '').endsWith('/a'),
    );
  });

  test('a hub that forbids profiles stops nobody, and the registration says so', async () => {
    const as = 'inventory';
    await using hub = await openInventory(startServer, {
      as: (access) => ({ ...access, impersonate: { user: as, groups: [] } }),
    });
    const { client } = hub;
    const write = (path: string, body: object) => client.raw({ method: 'POST', path, body });
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    await write(`${rbac}/clusterroles`, {
      metadata: { name: as },
      rules: [
        {
          apiGroups: ['multicluster.oam.dev'],
          resources: ['clusterregistrations', 'clusterregistrations/status'],
          verbs: ['get', 'list', 'watch', 'patch'],
        },
        { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] },
      ],
    });
    await write(`${rbac}/clusterrolebindings`, {
      metadata: { name: as },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: as },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: as }],
    });
    // Until it was given its rights it could not even begin.
    await register(client, 'west', { status: readyStatus('west') });

    await eventually(
      async () => (await published(client, 'west')) === 'False/WriteFailed',
      Boolean,
      { withinMs: 30_000 },
    );
    await assert.rejects(
      client.get(ClusterProfiles, { namespace: SPACE, name: 'west' }),
      isNotFound,
    );
  });
});

const nothing = { [Symbol.asyncDispose]: async () => {} };
