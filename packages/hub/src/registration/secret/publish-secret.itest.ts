import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, createClient, createTransport, type Secret, Secrets } from '@flotilla/client';
import { systemClock as clock, isNotFound } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import { startServer } from '@flotilla/testkit';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { base64, registration, textsOf } from '../testing/builders.ts';
import { publishSecret, SecretRefusal } from './publish-secret.ts';
import { wantedSecret } from './wanted-secret.ts';

const { signal } = new AbortController();
const namespace = 'default';

const member = (token: string): MemberAccess => ({
  endpoint: 'https://member.example.com:443',
  ca: '',
  credential: { type: 'ServiceAccountToken', token: new SecretValue(token) },
});

function publish(client: Client, uid: string, options: Partial<Publishing> = {}) {
  const { token = 'token', cached } = options;
  const ours = registration(`of-${uid}`, {
    clusterName: 'one',
    adoptionPolicy: 'IfSameEndpoint',
    deletionPolicy: 'Orphan',
  });
  ours.metadata.uid = uid;
  const access = member(token);
  const parts = { namespace: options.namespace ?? namespace, name: 'one', version: undefined };
  return publishSecret(
    wantedSecret(ours, { ...parts, member: access }),
    { registration: ours, endpoint: access.endpoint },
    { deps: { client, cached: () => cached, wrote: () => {} }, signal },
  );
}

interface Publishing {
  readonly token: string;
  readonly cached: Secret;
  readonly namespace: string;
}

describe('publishing a cluster Secret', () => {
  test('lets one of two have a name that both take at the same moment', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const results = await Promise.allSettled(['a', 'b'].map((uid) => publish(client, uid)));
    const lost = results.filter((each) => each.status === 'rejected');
    assert.equal(lost.length, 1);
    const [{ reason } = { reason: undefined }] = lost as { reason: unknown }[];
    assert.ok(reason instanceof SecretRefusal);
    assert.equal(reason.reason, 'NameConflict');
  });

  test('writes nothing the second time, and one patch for a new credential', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const first = await publish(client, 'a');
    const again = await publish(client, 'a', { cached: first.secret });
    assert.deepEqual([first.did, again.did], ['created', 'nothing']);
    const rotated = await publish(client, 'a', { cached: first.secret, token: 'next' });
    assert.equal(rotated.did, 'updated');
    assert.equal(textsOf(rotated.secret)['token'], 'next');
  });

  test('sees what changed behind an old cache, and judges that', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const { secret: old } = await publish(client, 'a');
    const key = { namespace, name: 'one' };
    await client.patch(Secrets, key, {
      type: 'merge',
      body: { data: { token: base64('theirs') } },
    });
    const mended = await publish(client, 'a', { cached: old, token: 'next' });
    assert.equal(textsOf(mended.secret)['token'], 'next');

    const annotations = {
      'multicluster.oam.dev/owner': 'default/another',
      'multicluster.oam.dev/owner-uid': 'another',
    };
    await client.patch(Secrets, key, { type: 'merge', body: { metadata: { annotations } } });
    const late = publish(client, 'a', { cached: mended.secret, token: 'third' });
    await assert.rejects(late, { reason: 'NameConflict' });
    assert.equal(textsOf(await client.get(Secrets, key))['token'], 'next');
  });

  test('makes the Secret anew that a cache still has', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const { secret } = await publish(client, 'a');
    await client.delete(Secrets, { namespace, name: 'one' });
    const anew = await publish(client, 'a', { cached: secret, token: 'next' });
    assert.equal(anew.did, 'created');
    assert.notEqual(anew.secret.metadata.uid, secret.metadata.uid);
  });

  test('says that the hub is not ready where the namespace is missing', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const nowhere = publish(client, 'a', { namespace: 'nowhere' });
    await assert.rejects(nowhere, (error) => {
      assert.ok(error instanceof SecretRefusal);
      assert.ok(isNotFound(error.cause));
      return error.reason === 'HubNotReady' && error.isTransient;
    });
  });

  test('keeps its hands off a Secret that is immutable and different', async () => {
    await using server = await startServer();
    await using client = connect(server);
    const { secret } = await publish(client, 'a');
    const key = { namespace, name: 'one' };
    const fixed = await client.patch(Secrets, key, { type: 'merge', body: { immutable: true } });
    assert.equal((await publish(client, 'a', { cached: fixed })).did, 'nothing');
    const rotation = publish(client, 'a', { cached: secret, token: 'next' });
    await assert.rejects(rotation, { reason: 'SecretImmutable' });
  });
});

function connect({ access }: Awaited<ReturnType<typeof startServer>>): Client {
  return createClient(createTransport({ access, clock, random: () => 0.5 }));
}
