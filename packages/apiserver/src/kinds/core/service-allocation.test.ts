import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@flotilla/machinery';
import { allocateService, serviceHoldings } from './service-allocation.ts';
import { freshPools } from './service-pools.cases.ts';
import type { Service, ServiceSpec } from './service-types.ts';

function service(spec: ServiceSpec): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', namespace: 'default' },
    spec: { type: 'ClusterIP', ...spec },
    status: { loadBalancer: {} },
  };
}

function allocated(spec: ServiceSpec, old?: Service, pools = freshPools()) {
  const object = service(spec);
  const claims = allocateService(object, old, pools);
  return { object, claims, pools };
}

const port = (fields: object = {}) => ({ port: 80, protocol: 'TCP', targetPort: 80, ...fields });

test('a Service gets an address and the families of a cluster with IPv4 only', () => {
  const { object, claims } = allocated({ ports: [port()] });
  assert.equal(object.spec.clusterIP, '10.0.0.17');
  assert.deepEqual(object.spec.clusterIPs, ['10.0.0.17']);
  assert.deepEqual(object.spec.ipFamilies, ['IPv4']);
  assert.equal(object.spec.ipFamilyPolicy, 'SingleStack');
  assert.deepEqual(claims, {
    ips: ['10.0.0.17'],
    ports: [],
    releasedIps: [],
    releasedPorts: [],
  });
});

test('headless Services get no address; without selector they may name both families', () => {
  const selecting = allocated({ clusterIP: 'None', selector: { a: 'b' } }).object.spec;
  assert.deepEqual(selecting.clusterIPs, ['None']);
  assert.deepEqual(selecting.ipFamilies, ['IPv4']);
  const selectorless = allocated({ clusterIP: 'None' }).object.spec;
  assert.deepEqual(selectorless.ipFamilies, ['IPv4', 'IPv6']);
  assert.equal(selectorless.ipFamilyPolicy, 'RequireDualStack');
});

test('ExternalName Services get nothing', () => {
  const { object, claims } = allocated({ type: 'ExternalName', externalName: 'a.b' });
  assert.equal('clusterIP' in object.spec, false);
  assert.equal('ipFamilies' in object.spec, false);
  assert.deepEqual(claims.ips, []);
});

test('ports of one number share a node port, others get their own', () => {
  const { object, claims } = allocated({
    type: 'NodePort',
    ports: [
      port({ name: 'a' }),
      port({ name: 'b', protocol: 'UDP' }),
      port({ name: 'c', port: 81 }),
      port({ name: 'd', port: 82, nodePort: 30001 }),
    ],
  });
  assert.deepEqual(
    object.spec.ports?.map(({ nodePort }) => nodePort),
    [30086, 30086, 30087, 30001],
  );
  assert.deepEqual(claims.ports, [30086, 30087, 30001]);
});

test('a load balancer may do without node ports, but not without a health check port when local', () => {
  const { object } = allocated({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    allocateLoadBalancerNodePorts: false,
    ports: [port()],
  });
  assert.equal(object.spec.ports?.[0]?.nodePort, undefined);
  assert.equal(object.spec.healthCheckNodePort, 30086);
});

test('applying the same manifest again keeps what was given out', () => {
  const { object: old, pools } = allocated({ type: 'NodePort', ports: [port({ name: 'a' })] });
  const again = allocated({ type: 'NodePort', ports: [port({ name: 'a' })] }, old, pools);
  assert.deepEqual(again.object.spec, old.spec);
  assert.deepEqual(again.claims, { ips: [], ports: [], releasedIps: [], releasedPorts: [] });
});

test('what a change of type no longer needs is given back', () => {
  const { object: old, pools } = allocated({ type: 'NodePort', ports: [port({ name: 'a' })] });
  const spec = { type: 'ExternalName', externalName: 'a.b', ports: [port({ name: 'a' })] };
  const { claims } = allocated(spec, old, pools);
  assert.deepEqual(claims.releasedIps, ['10.0.0.17']);
  assert.deepEqual(claims.releasedPorts, [30086]);
});

test('a stored Service holds its addresses, node ports and health check port', () => {
  const { object } = allocated({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    ports: [port()],
  });
  assert.deepEqual(serviceHoldings(object), { ips: ['10.0.0.17'], ports: [30086, 30087] });
  assert.deepEqual(serviceHoldings(service({ clusterIP: 'None', clusterIPs: ['None'] })), {
    ips: [],
    ports: [],
  });
});

test('refusals have the words of a real server', () => {
  const pools = freshPools();
  pools.clusterIp('10.0.0.50');
  pools.nodePort(31000);
  const refusals: readonly (readonly [ServiceSpec, number, string])[] = [
    [
      { clusterIP: '10.0.0.50' },
      422,
      'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.50"]: failed to allocate IP 10.0.0.50: provided IP is already allocated',
    ],
    [
      { clusterIP: '10.1.0.1' },
      422,
      'Service "s" is invalid: spec.clusterIPs: Invalid value: ["10.1.0.1"]: failed to allocate IP 10.1.0.1: the provided network does not match the current range',
    ],
    [
      { type: 'NodePort', ports: [port({ nodePort: 31000 })] },
      422,
      'Service "s" is invalid: spec.ports[0].nodePort: Invalid value: 31000: provided port is already allocated',
    ],
    [
      {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 31000,
        ports: [port()],
      },
      500,
      'Internal error occurred: failed to allocate requested HealthCheck NodePort 31000: provided port is already allocated',
    ],
    [
      { ipFamilyPolicy: 'RequireDualStack' },
      422,
      'Service "s" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ],
    [
      { ipFamilies: ['IPv6'] },
      422,
      'Service "s" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ],
    [
      { clusterIP: '2001:db8::1' },
      422,
      'Service "s" is invalid: spec.clusterIPs[0]: Invalid value: ["2001:db8::1"]: IPv6 is not configured on this cluster',
    ],
  ];
  for (const [spec, code, message] of refusals) {
    assert.throws(
      () => allocated(spec, undefined, pools),
      (error) => error instanceof StatusError && error.code === code && error.message === message,
      message,
    );
  }
});
