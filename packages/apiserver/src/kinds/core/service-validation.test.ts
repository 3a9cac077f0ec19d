import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';
import { allocate } from './service-pools.cases.ts';

const services = kindTester('/v1/Service', allocate);

test('Services change only as far as a real server lets them', () => {
  services.plays([
    {
      object: { spec: { ports: [{ port: 80 }], type: 'LoadBalancer' } },
      subresource: 'status',
      steps: [
        {
          set: 'status/loadBalancer',
          to: {
            ingress: [
              { ip: '1.2.3.4' },
              { ip: 'x' },
              { hostname: '1.2.3.4' },
              { hostname: 'A' },
              { ipMode: 'VIP' },
              { ip: '1.2.3.4', ipMode: 'x' },
            ],
          },
          errors: [
            'status.loadBalancer.ingress[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
            'status.loadBalancer.ingress[2].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
            "status.loadBalancer.ingress[3].hostname: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            'status.loadBalancer.ingress[4].ipMode: Forbidden: may not be specified when `ip` is not set',
            'status.loadBalancer.ingress[5].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"',
          ],
        },
        {
          set: 'status/loadBalancer',
          to: { ingress: [{ ip: '1.2.3.4' }, { hostname: 'a.b' }, { ip: '01.2.3.4' }] },
        },
      ],
    },
    {
      object: { spec: { ports: [{ port: 80 }] } },
      subresource: 'status',
      steps: [
        {
          set: 'status/loadBalancer',
          to: { ingress: [{ ip: '1.2.3.4' }] },
          errors: [
            "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
          ],
        },
      ],
    },
  ]);
});

test('Services are warned about as a real server does', () => {
  services.warns([
    [
      {
        spec: {
          ports: [{ port: 80 }],
          externalIPs: ['1.2.3.4', '010.1.1.1', '::ffff:1.2.3.4', '2001:DB8::1'],
        },
      },
      [
        'spec.externalIPs[1]: non-standard IP address "010.1.1.1" will be considered invalid in a future Kubernetes release: use "10.1.1.1"',
        'spec.externalIPs[2]: non-standard IP address "::ffff:1.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
        'spec.externalIPs[3]: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
      ],
    ],
    [
      {
        metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'a' } },
        spec: { ports: [{ port: 80 }] },
      },
      [
        'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
      ],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          clusterIP: 'None',
          loadBalancerIP: '1.2.3.4',
          externalIPs: ['1.2.3.4'],
          sessionAffinity: 'ClientIP',
        },
      },
      [
        'spec.loadBalancerIP is ignored for headless services',
        'spec.externalIPs is ignored for headless services',
        'spec.SessionAffinity is ignored for headless services',
      ],
    ],
  ]);
});

test('Services have the cells of a real server', () => {
  services.shows([
    [
      { spec: { clusterIP: 'None', ports: [{ port: 80 }], selector: { a: 'b' } } },
      ['x', 'ClusterIP', 'None', '<none>', '80/TCP', '0s', 'a=b'],
    ],
    [
      { spec: { clusterIP: 'None' } },
      ['x', 'ClusterIP', 'None', '<none>', '<none>', '0s', '<none>'],
    ],
    [
      { spec: { type: 'ExternalName', externalName: 'foo.bar.' } },
      ['x', 'ExternalName', '<none>', 'foo.bar.', '<none>', '0s', '<none>'],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          clusterIP: 'None',
          loadBalancerIP: '1.2.3.4',
          externalIPs: ['1.2.3.4'],
          sessionAffinity: 'ClientIP',
        },
      },
      ['x', 'ClusterIP', 'None', '1.2.3.4', '80/TCP', '0s', '<none>'],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: 'None', selector: { a: 'b' } } },
      ['x', 'ClusterIP', 'None', '<none>', '80/TCP', '0s', 'a=b'],
    ],
  ]);
});
