import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import { kubeconfig, type SourceHub, startSourceHub } from './testing/source-hub.ts';

let hub: SourceHub;
before(async () => {
  hub = await startSourceHub();
});
after(() => hub[Symbol.asyncDispose]());

describe('a Secret of another namespace', () => {
  test('REG-46 is read from the gateway namespace where that is granted, and elsewhere where it opts in', async () => {
    await hub.createSecret('default/shared', { kubeconfig: kubeconfig() });
    await hub.createSecret('team/own', { kubeconfig: kubeconfig() });
    const shared = { secretRef: { namespace: 'default', name: 'shared' } };
    const own = { secretRef: { namespace: 'team', name: 'own' } };

    // The document's own sample: from vela-system into default.
    assert.equal((await hub.resolve(shared)).reason, 'SecretResolved');
    assert.ok(await hub.resolve(own, { sourceNamespaces: 'all' }));
    assert.ok(await hub.resolve(own, { namespace: 'team' }));
    assert.equal((await hub.refuse(own)).reason, 'CrossNamespaceDenied');
    assert.equal((await hub.refuse(shared, { namespace: 'team' })).reason, 'CrossNamespaceDenied');
    assert.equal(
      (await hub.refuse(shared, { namespace: 'team', sourceNamespaces: 'all' })).reason,
      'CrossNamespaceDenied',
    );

    const optIn = (value: string | null) =>
      hub.client.patch(
        Secrets,
        { namespace: 'default', name: 'shared' },
        {
          type: 'merge',
          body: {
            metadata: { annotations: { 'multicluster.oam.dev/allow-registrations-from': value } },
          },
        },
      );
    await optIn('other, team');
    assert.ok(await hub.resolve(shared, { namespace: 'team' }));
    for (const value of ['other', 'team2', 'te', '*', '', null]) {
      await optIn(value);
      assert.equal(
        (await hub.refuse(shared, { namespace: 'team' })).reason,
        'CrossNamespaceDenied',
      );
    }
  });

  test('that is missing looks like one that does not opt in', async () => {
    const told = async (name: string) =>
      (
        await hub.refuse({ secretRef: { namespace: 'other', name } }, { namespace: 'team' })
      ).message.replaceAll(name, 'X');
    await hub.createSecret('other/present', { kubeconfig: 's3cret' });

    assert.equal(await told('present'), await told('missing'));
  });
});
