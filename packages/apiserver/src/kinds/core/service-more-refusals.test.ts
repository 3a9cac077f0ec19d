import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';
import { allocate } from './service-pools.cases.ts';

const services = kindTester('/v1/Service', allocate);

test('Services that break a rule are refused in the words of a real server', () => {
  services.refuses([
    [
      {
        spec: {
          ports: [{ port: 80 }],
          clusterIP: '10.0.0.9',
          clusterIPs: ['10.0.0.9', '10.0.0.8'],
        },
      },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.9","10.0.0.8"]: may specify no more than one IP for each IP family',
      ],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          clusterIP: '10.0.0.9',
          clusterIPs: ['10.0.0.9', '::1'],
          ipFamilyPolicy: 'PreferDualStack',
        },
      },
      [
        'spec.clusterIPs[1]: Invalid value: ["10.0.0.9","::1"]: IPv6 is not configured on this cluster',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: 'None', clusterIPs: ['None', 'None'] } },
      [
        'spec.clusterIPs: Invalid value: ["None","None"]: \'None\' must be the first and only value',
        'spec.clusterIPs[1]: Invalid value: "None": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          clusterIP: '10.0.0.9',
          clusterIPs: ['10.0.0.9', '10.0.0.8', '10.0.0.7'],
        },
      },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.9","10.0.0.8","10.0.0.7"]: may only hold up to 2 values',
        'spec.clusterIPs: Invalid value: ["10.0.0.9","10.0.0.8","10.0.0.7"]: may specify no more than one IP for each IP family',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilies: ['IPv6'] } },
      ['spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster'],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilies: ['IPv4', 'IPv4'] } },
      ['spec.ipFamilies[1]: Duplicate value: "IPv4"'],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilies: ['x'] } },
      ['spec.ipFamilies[0]: Unsupported value: "x": supported values: "IPv4", "IPv6"'],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilies: ['IPv4', 'IPv6'] } },
      [
        "spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.7', ipFamilies: ['IPv6'] } },
      [
        'spec.clusterIPs[0]: Invalid value: "10.0.0.7": expected an IPv6 value as indicated by `ipFamilies[0]`',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'RequireDualStack' } },
      [
        'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], ipFamilyPolicy: 'x' } },
      [
        'spec.ipFamilyPolicy: Unsupported value: "x": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
      ],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          externalIPs: ['127.0.0.1', 'x', '0.0.0.0', '169.254.1.1', '224.0.0.1', '1.2.3.4'],
        },
      },
      [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[3]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[4]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], healthCheckNodePort: 30000 } },
      [
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], internalTrafficPolicy: 'x' } },
      ['spec.internalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local"'],
    ],
    [
      { spec: { ports: [{ port: 80 }], trafficDistribution: 'x' } },
      [
        'spec.trafficDistribution: Unsupported value: "x": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], externalTrafficPolicy: 'Local' } },
      [
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], allocateLoadBalancerNodePorts: true } },
      [
        "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], loadBalancerClass: 'a/b' } },
      ["spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
    [
      { spec: { ports: [{ port: 80 }], selector: { 'a b': 'c d' } } },
      [
        "spec.selector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "spec.selector: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      ],
    ],
    [
      {
        metadata: {
          annotations: {
            'service.kubernetes.io/topology-aware-hints': 'a',
            'service.kubernetes.io/topology-mode': 'b',
          },
        },
        spec: { ports: [{ port: 80 }] },
      },
      [
        'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "b": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
      ],
    ],
    [
      {
        metadata: {
          annotations: {
            'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, x',
          },
        },
        spec: { ports: [{ port: 80 }] },
      },
      [
        "metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          loadBalancerSourceRanges: ['10.0.0.1/8', '2001:DB8::/32'],
          loadBalancerIP: '01.2.3.4',
          externalName: 'x',
        },
      },
      ["spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'"],
    ],
  ]);
});
