import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { baseObjects, type Site } from './bootstrap.ts';
import { builtinRegistry } from './resources/builtin-registry.ts';

const registry = builtinRegistry();
const site: Site = { serviceCidr: '10.9.0.0/16', advertised: undefined };
const tenant = {
  tenant: 'root',
  uid: '00000000-0000-4000-8000-000000000001',
  createdAt: 0,
  revision: 1,
};

describe('the objects every tenant begins with', () => {
  test('include the system namespaces and the default policy, each under its own key', () => {
    const keys = baseObjects(registry, site).map(({ key }) => key);

    for (const key of [
      'core/namespaces/default',
      'core/namespaces/kube-system',
      'rbac.authorization.k8s.io/clusterroles/cluster-admin',
      'rbac.authorization.k8s.io/clusterrolebindings/cluster-admin',
      'core/services/default/kubernetes',
    ]) {
      assert.ok(keys.includes(key), key);
    }
    assert.equal(new Set(keys).size, keys.length);
  });

  test('have uids of their tenant, the same whenever they are made', () => {
    const uidOf = (uid: string): string => object('core/namespaces/default', { uid }).metadata.uid;

    assert.match(
      uidOf(tenant.uid),
      /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
    );
    assert.equal(uidOf(tenant.uid), uidOf(tenant.uid));
    assert.notEqual(uidOf(tenant.uid), uidOf('00000000-0000-4000-8000-000000000002'));
    assert.notEqual(uidOf(tenant.uid), object('core/namespaces/kube-system', {}).metadata.uid);
  });

  test('carry the time and revision of the tenant’s creation', () => {
    const { metadata } = object('core/namespaces/default', {
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
      revision: 7,
    });

    assert.equal(metadata.creationTimestamp, '2026-01-02T03:04:05Z');
    assert.equal(metadata.resourceVersion, '7');
  });

  test('name the service network of this server', () => {
    assert.deepEqual(object('networking.k8s.io/servicecidrs/kubernetes', {}).spec.cidrs, [
      '10.9.0.0/16',
    ]);
  });

  test('show where the server is, and nothing when only its own machine can reach it', () => {
    const key = 'discovery.k8s.io/endpointslices/default/kubernetes';
    const advertised = { address: '192.0.2.7', port: 7443 };

    const slice = object(key, {}, { ...site, advertised });
    assert.deepEqual(slice.endpoints[0].addresses, ['192.0.2.7']);
    assert.equal(slice.ports[0].port, 7443);
    assert.deepEqual(object(key, {}).endpoints, []);
    assert.equal(object('core/endpoints/default/kubernetes', {}).subsets, undefined);
  });
});

function object(
  wanted: string,
  of: Partial<typeof tenant>,
  at: Site = site,
  // biome-ignore lint/suspicious/noExplicitAny: an object of any kind
): any {
  const entry = baseObjects(registry, at).find(({ key }) => key === wanted);
  assert.ok(entry, wanted);
  return JSON.parse(entry.value({ ...tenant, ...of }).toString());
}
