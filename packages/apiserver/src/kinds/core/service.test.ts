import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';
import { allocate } from './service-pools.cases.ts';

const services = kindTester('/v1/Service', allocate);
const ports = [{ port: 80 }];

test('a Service gets the defaults of its type', () => {
  services.stores([
    [
      {
        spec: {
          ports: [{ port: 80 }, { port: 81, targetPort: 'web', protocol: 'UDP', name: 'a' }],
        },
      },
      {
        spec: {
          ports: [
            { protocol: 'TCP', port: 80, targetPort: 80 },
            { name: 'a', protocol: 'UDP', port: 81, targetPort: 'web' },
          ],
          clusterIP: '10.0.0.17',
          clusterIPs: ['10.0.0.17'],
          type: 'ClusterIP',
          sessionAffinity: 'None',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          internalTrafficPolicy: 'Cluster',
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      { spec: { type: 'LoadBalancer', ports, sessionAffinity: 'ClientIP' } },
      {
        spec: {
          ports: [{ protocol: 'TCP', port: 80, targetPort: 80, nodePort: 30086 }],
          clusterIP: '10.0.0.17',
          clusterIPs: ['10.0.0.17'],
          type: 'LoadBalancer',
          sessionAffinity: 'ClientIP',
          externalTrafficPolicy: 'Cluster',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } },
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          allocateLoadBalancerNodePorts: true,
          internalTrafficPolicy: 'Cluster',
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      { spec: { type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Local' } },
      {
        spec: { type: 'ExternalName', sessionAffinity: 'None', externalName: 'a.b' },
        status: { loadBalancer: {} },
      },
    ],
  ]);
});

test('the cluster IP is for good, except that None and ExternalName come and go', () => {
  const fixed = (shown: string) =>
    `spec.clusterIPs[0]: Invalid value: ${shown}: may not change once set`;
  services.plays([
    {
      object: { spec: { ports, selector: { a: 'b' } } },
      steps: [
        { set: 'spec/clusterIP', to: '10.0.0.77', errors: [fixed('["10.0.0.77"]')] },
        { set: 'spec/clusterIP', to: 'None', errors: [fixed('["None"]')] },
        { set: 'spec/clusterIP', to: '' },
        { set: 'spec/type', to: 'NodePort' },
        { set: 'spec/type', to: 'ClusterIP' },
        {
          set: 'spec/type',
          to: 'ExternalName',
          errors: ['spec.externalName: Required value'],
        },
      ],
    },
  ]);
});

test('a Service that changes its type loses what belonged to the old one', () => {
  const old = services.create({
    spec: { type: 'LoadBalancer', ports, externalTrafficPolicy: 'Local', loadBalancerClass: 'a/b' },
  });
  old['status'] = { loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] } };
  const next = structuredClone(old) as typeof old & { spec: Record<string, unknown> };
  next.spec['type'] = 'ClusterIP';
  services.behaviour.prepareForUpdate?.(next, old, {
    now: () => new Date(0),
    user: 'admin',
    namespace: 'default',
    subresource: '',
  });
  assert.deepEqual(next.spec, {
    ports: [{ protocol: 'TCP', port: 80, targetPort: 80 }],
    clusterIP: '10.0.0.17',
    clusterIPs: ['10.0.0.17'],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  });
  assert.deepEqual(next['status'], { loadBalancer: {} });
  assert.deepEqual(old['status'], {
    loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }] },
  });
});

test('the address and the ports of a Service depend on its type', () => {
  services.shows([
    [{ spec: { ports } }, ['x', 'ClusterIP', '10.0.0.17', '<none>', '80/TCP', '0s', '<none>']],
    [
      { spec: { type: 'NodePort', ports, externalIPs: ['1.2.3.4'], selector: { b: '2', a: '1' } } },
      ['x', 'NodePort', '10.0.0.17', '1.2.3.4', '80:30086/TCP', '0s', 'a=1,b=2'],
    ],
    [
      { spec: { type: 'LoadBalancer', ports } },
      ['x', 'LoadBalancer', '10.0.0.17', '<pending>', '80:30086/TCP', '0s', '<none>'],
    ],
  ]);
  const object = services.create({ spec: { type: 'LoadBalancer', ports } });
  object['status'] = { loadBalancer: { ingress: [{ hostname: 'b.c' }, { ip: '1.2.3.4' }] } };
  assert.equal(services.behaviour.cells?.(object, { now: new Date(0) })[3], '1.2.3.4,b.c');
});

test('Services are found by cluster IP and type', () => {
  const object = services.create({ spec: { ports } });
  const fields = services.behaviour.selectableFields ?? {};
  assert.equal(fields['spec.clusterIP']?.(object), '10.0.0.17');
  assert.equal(fields['spec.type']?.(object), 'ClusterIP');
});
