import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import { defineKind, isNotFound, type KubeObject } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import { CREDENTIAL_TYPE_LABEL, ENDPOINT_TYPE_LABEL } from '../cluster-secret/names.ts';
import {
  accessTo,
  GATEWAYS,
  type GatewayHub,
  NAMESPACE,
  startHub,
  tokenAccess,
  VIRTUAL,
} from './testing/gateway-hub.ts';

const GROUP = 'cluster.core.oam.dev';
const ClusterGateways = kind('ClusterGateway', 'clustergateways');
const VirtualClusters = kind('VirtualCluster', 'virtualclusters');
const CREATED = /"creationTimestamp":"[^"]+"/g;

describe('the gateway of an embedded hub', () => {
  test('REG-74 lists its members with the columns of the real one, and answers with what they say', async () => {
    await using hub = await startHub();
    await using west = await startServer();
    await using east = await startServer();
    await hub.join('west', await accessTo(west));
    await hub.join('east', await accessTo(east));

    const table = await hub.client.table(ClusterGateways);
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ['Name', 'Provider', 'Credential-Type', 'Endpoint-Type', 'Healthy'],
    );
    assert.deepEqual(
      table.rows.map(({ cells }) => cells),
      [
        ['east', '', 'ServiceAccountToken', 'Const', 'false'],
        ['west', '', 'ServiceAccountToken', 'Const', 'false'],
      ],
    );
    const answer = await hub.client.raw({ path: `${GATEWAYS}/west/proxy/api/v1/namespaces` });
    const { kind: list, items } = answer as { kind: string; items: KubeObject[] };
    assert.equal(list, 'NamespaceList');
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['default', 'kube-node-lease', 'kube-public', 'kube-system'],
    );
  });

  test('is in discovery as the real one is', async () => {
    await using hub = await startHub();

    const list = (await hub.client.raw({ path: `/apis/${GROUP}/v1alpha1` })) as {
      resources: object[];
    };
    assert.deepEqual(list.resources, [
      {
        name: 'clustergateways',
        singularName: 'clustergateway',
        namespaced: false,
        kind: 'ClusterGateway',
        verbs: ['get', 'list'],
      },
      {
        name: 'clustergateways/health',
        singularName: '',
        namespaced: false,
        kind: 'ClusterGateway',
        verbs: ['get', 'patch', 'update'],
      },
      {
        name: 'clustergateways/proxy',
        singularName: '',
        namespaced: false,
        kind: 'ClusterGatewayProxyOptions',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      },
      {
        name: 'virtualclusters',
        singularName: 'virtualcluster',
        namespaced: false,
        kind: 'VirtualCluster',
        verbs: ['get', 'list'],
        shortNames: ['vc', 'vcluster', 'vclusters', 'virtual-cluster', 'virtual-clusters'],
      },
    ]);
  });

  test('has an APIService that leads KubeVela to the namespace of cluster Secrets', async () => {
    await using hub = await startHub();

    const path = `/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.${GROUP}`;
    const { spec, status } = (await hub.client.raw({ path })) as {
      spec: { service: { namespace: string } };
      status: { conditions: { type: string; status: string }[] };
    };
    assert.equal(spec.service.namespace, NAMESPACE);
    assert.deepEqual(
      status.conditions.map((each) => [each.type, each.status]),
      [['Available', 'True']],
    );
  });

  test('shows a cluster to the byte as the real one does', async () => {
    await using hub = await startHub();
    await hub.join('west', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'));
    await hub.join('open', tokenAccess('https://10.0.0.2:6443', undefined, 'tok'));
    await hub.join('public', {
      ...tokenAccess('https://api.example.com:443', '', 'tok'),
      proxyUrl: 'http://proxy:3128',
    });

    const bytes = await rawText(hub, GATEWAYS);
    assert.equal(
      bytes.replaceAll(CREATED, '"creationTimestamp":"T"'),
      `{"kind":"ClusterGatewayList","apiVersion":"${GROUP}/v1alpha1","metadata":{},"items":[${[
        gatewayText('open', '{"address":"https://10.0.0.2:6443","insecure":true}'),
        gatewayText(
          'public',
          '{"address":"https://api.example.com:443","proxy-url":"http://proxy:3128"}',
        ),
        gatewayText('west', '{"address":"https://10.0.0.1:6443","caBundle":"Q0E="}'),
      ].join()}]}\n`,
    );
    const one = await rawText(hub, `${GATEWAYS}/west`);
    assert.equal(
      one.replaceAll(CREATED, '"creationTimestamp":"T"'),
      `{"kind":"ClusterGateway","apiVersion":"${GROUP}/v1alpha1",${gatewayText('west', '{"address":"https://10.0.0.1:6443","caBundle":"Q0E="}').slice(1)}\n`,
    );
  });

  test('shows only Secrets that make a cluster, and those at once', async () => {
    await using hub = await startHub();
    const names = async () =>
      (await hub.client.list(ClusterGateways)).items.map(({ metadata }) => metadata.name);
    const secret = (name: string, labels: Record<string, string>, data: Record<string, string>) =>
      hub.client.create(Secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: NAMESPACE, labels },
        stringData: data,
      });
    const endpoint = 'https://10.0.0.1:6443';
    await secret('unlabelled', {}, { endpoint, token: 'tok' });
    await secret('nowhere', { [CREDENTIAL_TYPE_LABEL]: 'ServiceAccountToken' }, { token: 'tok' });
    await secret('dynamic', { [CREDENTIAL_TYPE_LABEL]: 'Dynamic' }, { endpoint, exec: '{}' });
    await secret('odd', { [CREDENTIAL_TYPE_LABEL]: 'Password' }, { endpoint });
    assert.deepEqual(await names(), []);
    const x509 = { [CREDENTIAL_TYPE_LABEL]: 'X509Certificate' };
    await secret('x509', x509, { endpoint: `${endpoint}\n`, 'tls.crt': 'C', 'tls.key': 'K' });
    const labels = { ...x509, [ENDPOINT_TYPE_LABEL]: 'ClusterProxy' };
    await secret('tunnelled', labels, { 'tls.crt': 'C', 'tls.key': 'K' });

    assert.deepEqual(await names(), ['tunnelled', 'x509']);
    const { spec } = await hub.client.get(ClusterGateways, { name: 'x509' });
    assert.deepEqual(spec, {
      provider: '',
      access: {
        endpoint: { type: 'Const', const: { address: endpoint, insecure: true } },
        credential: { type: 'X509Certificate', x509: { certificate: 'Qw==', privateKey: 'Sw==' } },
      },
    });
    for (const name of ['unlabelled', 'nowhere', 'none']) {
      await assert.rejects(hub.client.get(ClusterGateways, { name }), {
        code: 404,
        message: `clustergateways.${GROUP} "${name}" not found`,
      });
    }
    await hub.client.delete(Secrets, { namespace: NAMESPACE, name: 'x509' });
    assert.deepEqual(await names(), ['tunnelled']);
    await assert.rejects(hub.client.create(ClusterGateways, gateway('x')), { code: 405 });
  });

  test('knows virtual clusters: the hub first, then the youngest, without credentials', async () => {
    await using hub = await startHub();
    await hub.join('west', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'), {
      labels: { region: 'west', 'multicluster.oam.dev/managed': 'true' },
      annotations: { [`${GROUP}/cluster-alias`]: 'The West' },
    });
    await hub.join('east', tokenAccess('https://10.0.0.2:6443', 'CA', 'tok'));

    const bytes = (await rawText(hub, VIRTUAL)).replaceAll(CREATED, '"creationTimestamp":"T"');
    assert.equal(bytes.includes('tok'), false);
    const local = `{"kind":"VirtualCluster","apiVersion":"${GROUP}/v1alpha1","metadata":{"name":"local","creationTimestamp":null,"labels":{"${GROUP}/control-plane":"true"}},"spec":{"accepted":true,"endpoint":"-","credential-type":"Internal"}}`;
    const west = `{"kind":"VirtualCluster","apiVersion":"${GROUP}/v1alpha1","metadata":{"name":"west","creationTimestamp":"T","labels":{"${GROUP}/control-plane":"false","multicluster.oam.dev/managed":"true","region":"west"}},"spec":{"alias":"The West","accepted":true,"endpoint":"https://10.0.0.1:6443","credential-type":"ServiceAccountToken"}}`;
    assert.ok(
      bytes.startsWith(
        `{"kind":"VirtualClusterList","apiVersion":"${GROUP}/v1alpha1","metadata":{},"items":[${local},`,
      ),
      bytes,
    );
    assert.ok(bytes.includes(west), bytes);
    assert.equal(
      (await rawText(hub, `${VIRTUAL}/west`)).replace(CREATED, '"creationTimestamp":"T"'),
      `${west}\n`,
    );
    assert.equal(await rawText(hub, `${VIRTUAL}/local`), `${local}\n`);
    const table = await hub.client.table(VirtualClusters, { name: 'west' });
    assert.deepEqual(
      table.columnDefinitions.map(({ name }) => name),
      ['Name', 'Alias', 'Credential_Type', 'Endpoint', 'Accepted', 'Labels', 'Creation_Timestamp'],
    );
    assert.deepEqual(table.rows[0]?.cells.slice(0, 6), [
      'west',
      'The West',
      'ServiceAccountToken',
      'https://10.0.0.1:6443',
      true,
      `${GROUP}/control-plane=false,multicluster.oam.dev/managed=true,region=west`,
    ]);
  });

  test('selects virtual clusters by the labels they show', async () => {
    await using hub = await startHub();
    await hub.join('west', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'), {
      labels: { region: 'west' },
    });
    const names = async (labelSelector: string) =>
      (await hub.client.list(VirtualClusters, { labelSelector })).items.map(
        ({ metadata }) => metadata.name,
      );

    assert.deepEqual(await names('region=west'), ['west']);
    assert.deepEqual(await names('region!=west'), ['local']);
    assert.deepEqual(await names(`${GROUP}/control-plane=true`), ['local']);
    assert.deepEqual(await names(`${GROUP}/control-plane=false`), ['west']);
    assert.deepEqual(await names(`${CREDENTIAL_TYPE_LABEL}=ServiceAccountToken`), []);
    await assert.rejects(names('a b'), { code: 400 });
    await assert.rejects(hub.client.get(VirtualClusters, { name: 'none' }), {
      code: 404,
      message: `virtualclusters.${GROUP} "none" not found`,
    });
  });

  test('shows the clusters of OCM once it is there, below Secrets of the same name', async () => {
    await using hub = await startHub();
    await hub.join('both', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'));
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await hub.client.raw({ method: 'POST', path, body: managedClusterCrd });
    const managed = (name: string, spec: object) => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name },
      spec,
    });
    const configs = [{ url: 'https://10.0.0.9:6443' }];
    for (const each of [
      managed('both', { managedClusterClientConfigs: configs }),
      managed('ocm', { managedClusterClientConfigs: configs, hubAcceptsClient: true }),
      managed('unaccepted', { managedClusterClientConfigs: configs }),
      managed('unknown', {}),
    ]) {
      await created(hub, each);
    }

    const { items } = await hub.client.list(VirtualClusters);
    assert.deepEqual(
      items
        .map(({ metadata, spec }) => [metadata.name, (spec as Json)['credential-type']].join())
        .sort(),
      [
        'both,ServiceAccountToken',
        'local,Internal',
        'ocm,ManagedCluster',
        'unaccepted,ManagedCluster',
      ],
    );
    const { spec } = await hub.client.get(VirtualClusters, { name: 'unaccepted' });
    assert.deepEqual(spec, { endpoint: '-', 'credential-type': 'ManagedCluster' });
    await assert.rejects(hub.client.get(VirtualClusters, { name: 'unknown' }), {
      code: 500,
      message: 'managed cluster has no client config',
    });
  });

  test('keeps the health that a prober writes, and nothing else of what it sends', async () => {
    await using hub = await startHub();
    await hub.join('west', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'));
    const path = `${GATEWAYS}/west/health`;
    const secret = () => hub.client.get(Secrets, { namespace: NAMESPACE, name: 'west' });
    const healthy = { ...gateway('west'), status: { healthy: true } };

    const answer = (await hub.client.raw({ method: 'PUT', path, body: healthy })) as KubeObject;
    assert.deepEqual(answer['status'], { healthy: true });
    const first = await secret();
    assert.equal(first.metadata.annotations?.[`status.${GROUP}/healthy`], 'true');
    assert.equal(first.metadata.annotations?.[`status.${GROUP}/healthy-reason`], '');
    assert.equal(first.data?.['token'], 'dG9r');
    await hub.client.raw({ method: 'PUT', path, body: healthy });
    assert.equal((await secret()).metadata.resourceVersion, first.metadata.resourceVersion);
    const table = await hub.client.table(ClusterGateways, { name: 'west' });
    assert.equal(table.rows[0]?.cells[4], 'true');

    await hub.client.raw({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { status: { healthy: false, healthyReason: 'ConnectionTimeout' } },
    });
    const { status } = (await hub.client.raw({ path })) as KubeObject;
    assert.deepEqual(status, { healthy: false, healthyReason: 'ConnectionTimeout' });
    const tried = await hub.client.raw({
      method: 'PUT',
      path: `${path}?dryRun=All`,
      body: healthy,
    });
    assert.deepEqual((tried as KubeObject)['status'], { healthy: true });
    assert.deepEqual(((await hub.client.raw({ path })) as KubeObject)['status'], status);
  });

  test('refuses health that cannot be meant', async () => {
    await using hub = await startHub();
    await hub.join('west', tokenAccess('https://10.0.0.1:6443', 'CA', 'tok'));
    const put = (name: string, body: unknown) =>
      hub.client.raw({ method: 'PUT', path: `${GATEWAYS}/${name}/health`, body });

    await assert.rejects(put('west', { ...gateway('east') }), { code: 400 });
    await assert.rejects(put('west', { ...gateway('west'), status: { healthy: 'yes' } }), {
      code: 400,
    });
    await assert.rejects(put('west', []), { code: 400 });
    await assert.rejects(put('none', gateway('none')), { code: 404 });
    await assert.rejects(hub.client.raw({ path: `${GATEWAYS}/none/health` }), {
      code: 500,
      message: 'no such cluster none',
    });
  });
});

type Json = Record<string, unknown>;

function kind(name: string, plural: string) {
  return defineKind({ group: GROUP, version: 'v1alpha1', kind: name, plural, namespaced: false });
}

function gateway(name: string): KubeObject {
  return { kind: 'ClusterGateway', apiVersion: `${GROUP}/v1alpha1`, metadata: { name } };
}

function gatewayText(name: string, endpoint: string): string {
  return `{"metadata":{"name":"${name}","creationTimestamp":"T"},"spec":{"provider":"","access":{"endpoint":{"type":"Const","const":${endpoint}},"credential":{"type":"ServiceAccountToken","serviceAccountToken":"tok"}}},"status":{"healthy":false}}`;
}

async function rawText(hub: GatewayHub, path: string): Promise<string> {
  const { body } = await hub.client.transport.send({ method: 'GET', path });
  return body.toString();
}

/** A CRD is served a moment after it was created. */
async function created(hub: GatewayHub, object: KubeObject): Promise<void> {
  const path = '/apis/cluster.open-cluster-management.io/v1/managedclusters';
  await eventually(() => hub.client.raw({ method: 'POST', path, body: object }), undefined, {
    tolerates: (error) => isNotFound(error),
  });
}

const managedClusterCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'managedclusters.cluster.open-cluster-management.io' },
  spec: {
    group: 'cluster.open-cluster-management.io',
    scope: 'Cluster',
    names: { plural: 'managedclusters', singular: 'managedcluster', kind: 'ManagedCluster' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
};
