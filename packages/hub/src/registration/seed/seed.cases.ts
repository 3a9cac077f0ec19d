import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration } from '@flotilla/api';
import { Namespaces, type Secret, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { installKind } from '../applications/testing/vela-hub.ts';
import {
  base64,
  conditionOf,
  GATEWAY_NAMESPACE,
  joinedSecret,
  kubeconfigFor,
  says,
  textsOf,
} from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import type { StartServer, TestHub } from '../testing/world.ts';
import { sampleText, withOption } from './testing/samples.ts';
import {
  applyText,
  askThrough,
  bytesOf,
  ExternalSecrets,
  GATEWAYS,
  startSeedHub,
} from './testing/seed-hub.ts';

const EXAMPLE = 'https://api.prod-west.example.com:6443';

/**
 * The manifests of the first document at work, on any hub; where it has a gateway of ours (`hasGateway`), members are
 * reached through it, too.
 */
export function seedCases(
  start: StartServer,
  { hasGateway }: { readonly hasGateway: boolean },
): void {
  describe('the manifests of the first document', () => {
    test('REG-46 the whole example registers the kubeconfig of another namespace and shows the status it promises', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      await member.client.create(Namespaces, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'vela-system' },
      });
      await hub.putSource('prod-west-kubeconfig', kubeconfigFor(member.access), 'default');
      const [made] = await applyText(hub, sampleText('registration'));
      assert.equal((made as ClusterRegistration).status, undefined, 'a status is not a wish');

      const ready = await hub.until('vela-system/production-west-cluster', 'Ready');
      assert.equal(says(ready, 'CredentialValid'), 'True TokenVerified');
      assert.equal(says(ready, 'APIServerReachable'), 'True ConnectionSuccessful');
      assert.equal(says(ready, 'NamespaceCreated'), 'True NamespaceExists');
      assert.equal(says(ready, 'ClusterRegistered'), 'True SecretCreated');
      const { status } = ready;
      assert.equal(status?.clusterInfo?.endpoint, member.access.server);
      assert.equal(status?.clusterInfo?.credentialType, 'ServiceAccountToken');
      assert.match(status?.clusterInfo?.version?.gitVersion ?? '', /^v1\./);
      assert.equal(status?.observedGeneration, 1);
      for (const time of [status?.lastReconcileTime, status?.lastHeartbeatTime]) {
        assert.match(time ?? '', /^\d{4}-\d\d-\d\dT/);
      }
      const { metadata } = await hub.secret('prod-west');
      assert.equal(
        metadata.annotations?.['cluster.core.oam.dev/cluster-alias'],
        'Production West Coast',
      );
      assert.deepEqual(
        ['env', 'region', 'tier'].map((key) => metadata.labels?.[key]),
        ['production', 'us-west', 'gold'],
      );
      if (hasGateway) await askThrough(hub, 'prod-west');
    });

    test('REG-6 its second option, inline, registers those bytes', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      const { endpoint, ca, token } = bytesOf(member);
      const text = withOption(2, {
        [`#   endpoint: ${EXAMPLE}`]: `#   endpoint: ${endpoint}`,
        'LS0tLS1CRUdJTi...': ca,
        'ZXlKaGJHY2lP...': token,
      });
      await applyText(hub, text);
      const ready = await hub.until('vela-system/production-west-cluster', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True InlineResolved');
      assert.deepEqual(textsOf(await hub.secret('prod-west')), {
        endpoint,
        'ca.crt': member.access.tls.ca,
        token: 'admin',
      });
    });

    test('the second option as it stands is accepted, and its condition says what is cut short', async () => {
      await using hub = await startSeedHub(start);
      await applyText(hub, withOption(2));
      const failed = await hub.until('vela-system/production-west-cluster', 'Failed');
      assert.equal(conditionOf(failed, 'SourceResolved')?.status, 'False');
      assert.match(
        conditionOf(failed, 'SourceResolved')?.message ?? '',
        /inline\.caData.*cut short/,
      );
      assert.equal(await hub.hasSecret('prod-west'), false);
    });

    test('REG-7 REG-8 its third option, an ExternalSecret, is waited for and then read', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      await applyText(hub, withOption(3));
      const key = 'vela-system/production-west-cluster';
      const pending = await hub.until(key, 'Pending');
      assert.equal(says(pending, 'SourceResolved'), 'False ExternalSecretsNotInstalled');
      await syncExternalSecret(hub, 'cluster-credentials', kubeconfigFor(member.access));
      const ready = await hub.until(key, 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True ExternalSecretResolved');
    });

    test('REG-41 REG-64 the migration sample adopts the joined cluster: no byte changes and nobody is interrupted', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      const { endpoint, ca, token } = bytesOf(member);
      const data = { endpoint, 'ca.crt': member.access.tls.ca ?? '', token: 'admin' };
      const before = await hub.client.create(Secrets, joinedSecret('prod-west', data));
      const asking = hasGateway ? askAllTheTime(hub, 'prod-west') : undefined;
      const replaced = { [EXAMPLE]: endpoint, 'LS0tLS...': ca, 'ZXlKaG...': token };
      await applyText(hub, sampleText('migration', replaced));

      const ready = await hub.until('vela-system/prod-west-cluster', 'Ready');
      if (asking !== undefined) assert.ok((await asking.stop()) > 0);
      assert.equal(says(ready, 'ClusterRegistered'), 'True SecretAdopted');
      assert.equal(says(ready, 'CredentialValid'), 'Unknown ValidationSkipped');
      assert.equal(ready.status?.registeredName, 'prod-west');
      const after = await hub.secret('prod-west');
      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.deepEqual(after.data, before.data);
      assert.equal(after.type, before.type);
      assert.equal(after.metadata.labels?.['migrated-from'], 'secret');
      const [owner] = after.metadata.ownerReferences ?? [];
      assert.deepEqual([owner?.kind, owner?.name], ['ClusterRegistration', 'prod-west-cluster']);
      assert.equal(await hub.hasSecret('prod-west-cluster'), false);
    });

    test('the migration sample as it stands is accepted, says what is cut short, and leaves the joined cluster alone', async () => {
      await using hub = await startSeedHub(start);
      const data = { endpoint: EXAMPLE, 'ca.crt': '', token: 'theirs' };
      const before = await hub.client.create(Secrets, joinedSecret('prod-west', data));
      await applyText(hub, sampleText('migration'));
      const failed = await hub.until('vela-system/prod-west-cluster', 'Failed');
      assert.match(conditionOf(failed, 'SourceResolved')?.message ?? '', /caData.*cut short/);
      assert.match(failed.status?.message ?? '', /caData/);
      assert.deepEqual(await hub.secret('prod-west'), before);
      await hub.remove('vela-system/prod-west-cluster');
      await eventually(() => hub.isGone('vela-system/prod-west-cluster'));
      assert.deepEqual(await hub.secret('prod-west'), before);
    });

    test('the sample for new clusters is Ready once its kubeconfig is there', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      await applyText(hub, sampleText('staging'));
      const key = 'vela-system/staging-cluster';
      const pending = await hub.until(key, 'Pending');
      assert.equal(says(pending, 'SourceResolved'), 'False SecretNotFound');
      await hub.putSource('staging-kubeconfig', kubeconfigFor(member.access), 'default');
      const ready = await hub.until(key, 'Ready');
      assert.equal(says(ready, 'NamespaceCreated'), 'True NamespaceCreated');
      await member.client.get(Namespaces, { name: 'vela-system' });
      assert.equal((await hub.secret('staging')).metadata.labels?.['env'], 'staging');
    });

    test('the GitOps sample registers what the ExternalSecret holds, and a provider only informs', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      await syncExternalSecret(hub, 'prod-cluster-credentials', kubeconfigFor(member.access));
      await applyText(hub, sampleText('flux'));
      const ready = await hub.until('vela-system/prod-cluster', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True ExternalSecretResolved');
      const { metadata } = await hub.secret('production');
      assert.deepEqual(
        [metadata.labels?.['managed-by'], metadata.labels?.['env']],
        ['flux', 'production'],
      );
      assert.ok(!(await hub.events('prod-cluster')).includes('ProviderMismatch'));
    });

    test('Secrets made by hand are clusters at once, and can be registered later', async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      const { endpoint, ca, token } = bytesOf(member);
      const where = 'aHR0cHM6Ly9hcGkucmVtb3RlLmNsdXN0ZXI6NjQ0Mw==';
      const texts = [
        sampleText('secret-token', {
          [where]: base64(endpoint),
          'LS0tLS1CRUdJTi...': ca,
          'ZXlKaGJHY2lPaUpT...': token,
        }),
        sampleText('secret-certificate', {
          'my-remote-cluster': 'my-other-cluster',
          [where]: base64(endpoint),
          'ca.crt: LS0tLS1CRUdJTi...': `ca.crt: ${ca}`,
          'tls.crt: LS0tLS1CRUdJTi...': `tls.crt: ${base64(member.pair.certificate)}`,
          'tls.key: LS0tLS1CRUdJTi...': `tls.key: ${base64(member.pair.key)}`,
        }),
      ];
      for (const text of texts) await applyText(hub, text);

      if (hasGateway) {
        const { items } = (await hub.client.raw({ path: GATEWAYS })) as {
          items: {
            metadata: { name: string };
            spec: { access: { credential: { type: string } } };
          }[];
        };
        assert.deepEqual(
          items.map((each) => `${each.metadata.name} ${each.spec.access.credential.type}`),
          ['my-other-cluster X509Certificate', 'my-remote-cluster ServiceAccountToken'],
        );
      }
      for (const [name, user] of [
        ['my-remote-cluster', 'admin'],
        ['my-other-cluster', 'admin-by-certificate'],
      ] as const) {
        if (hasGateway) assert.equal(await whoIs(hub, name), user);
        const before = await hub.secret(name);
        await hub.register({
          apiVersion: 'multicluster.oam.dev/v1alpha1',
          kind: 'ClusterRegistration',
          metadata: { namespace: GATEWAY_NAMESPACE, name },
          spec: { credentialSource: { existingSecret: {} } },
        } as unknown as ClusterRegistration);
        const ready = await hub.until(`${GATEWAY_NAMESPACE}/${name}`, 'Ready');
        const after = await hub.secret(name);
        assert.deepEqual(after.data, before.data);
        const alias = 'cluster.core.oam.dev/cluster-alias';
        assert.equal(after.metadata.annotations?.[alias], before.metadata.annotations?.[alias]);
        // The version in the first sample was another cluster's.
        const version = JSON.parse(
          after.metadata.annotations?.['cluster.core.oam.dev/cluster-version'] ?? '{}',
        ) as { gitVersion?: string };
        assert.equal(version.gitVersion, ready.status?.clusterInfo?.version?.gitVersion);
        if (hasGateway) assert.equal(await whoIs(hub, name), user);
      }
    });

    test('Secrets made by hand as they stand are refused: their placeholders are not base64', async () => {
      await using hub = await startSeedHub(start);
      for (const name of ['secret-token', 'secret-certificate'] as const) {
        await assert.rejects(applyText(hub, sampleText(name)), /illegal base64 data/);
      }
      assert.equal(await hub.hasSecret('my-remote-cluster'), false);
    });

    test("the Secret that the document's script makes is a cluster, though its version has lines", async () => {
      await using hub = await startSeedHub(start);
      await using member = await startMember();
      const { endpoint, ca, token } = bytesOf(member);
      const version = '{\n  "major": "1",\n  "minor": "28",\n  "gitVersion": "v1.28.3"\n}';
      const [made] = await applyText(
        hub,
        `apiVersion: v1
kind: Secret
metadata:
  name: my-cluster
  namespace: vela-system
  labels:
    cluster.core.oam.dev/cluster-credential-type: ServiceAccountToken
  annotations:
    cluster.core.oam.dev/cluster-version: '${version.replaceAll('\n', '\n      ')}'
type: Opaque
data:
  endpoint: ${base64(endpoint)}
  ca.crt: ${ca}
  token: ${token}
`,
      );
      assert.equal((made as Secret).type, 'Opaque');
      if (hasGateway) assert.equal(await whoIs(hub, 'my-cluster'), 'admin');
    });
  });
}

/** Gives the hub an ExternalSecret that its operator has read, and the Secret that it made. */
async function syncExternalSecret(hub: TestHub, name: string, text: string): Promise<void> {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await installKind(hub.client, ExternalSecrets, { spec: anything, status: anything });
  const namespace = GATEWAY_NAMESPACE;
  await hub.putSource(name, text, namespace);
  await hub.client.create(ExternalSecrets, {
    apiVersion: 'external-secrets.io/v1',
    kind: 'ExternalSecret',
    metadata: { namespace, name },
    spec: {
      secretStoreRef: { name: 'aws', kind: 'ClusterSecretStore' },
      refreshInterval: '1h',
      data: [{ secretKey: 'kubeconfig', remoteRef: { key: 'clusters/prod' } }],
    },
  } as never);
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const ready = { type: 'Ready', status: 'True', reason: 'SecretSynced', message: 'secret synced' };
  await hub.client.patch(
    ExternalSecrets,
    { namespace, name },
    {
      type: 'merge',
      subresource: 'status',
      body: {
        status: {
          binding: { name },
          refreshTime: lastTransitionTime,
          conditions: [{ ...ready, lastTransitionTime }],
        },
      },
    },
  );
}

/** Asks through the gateway, one request after the other, until it is stopped; says how many were answered. */
function askAllTheTime(hub: TestHub, cluster: string): { readonly stop: () => Promise<number> } {
  let isOver = false;
  const asking = (async () => {
    let answers = 0;
    while (!isOver) {
      await askThrough(hub, cluster);
      answers++;
    }
    return answers;
  })();
  asking.catch(() => {});
  return {
    stop: () => {
      isOver = true;
      return asking;
    },
  };
}

/** As whom a cluster's own credential is known there. */
async function whoIs(hub: TestHub, cluster: string): Promise<string> {
  const answer = (await hub.client.raw({
    method: 'POST',
    path: `${GATEWAYS}/${cluster}/proxy/apis/authentication.k8s.io/v1/selfsubjectreviews`,
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  })) as { status: { userInfo: { username: string } } };
  return answer.status.userInfo.username;
}
