import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';
import { allocate } from './service-pools.cases.ts';

const services = kindTester('/v1/Service', allocate);

test('Services that break a rule are refused in the words of a real server', () => {
  services.refuses([
    [{ spec: {} }, ['spec.ports: Required value']],
    [
      { spec: { clusterIP: 'None', type: 'NodePort', ports: [{ port: 80 }] } },
      [
        'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
      ],
    ],
    [
      {
        spec: {
          type: 'ExternalName',
          externalName: '',
          clusterIP: '10.0.0.5',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
        },
      },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
        'spec.externalName: Required value',
      ],
    ],
    [
      {
        spec: {
          type: 'ExternalName',
          externalName: 'A_b',
          externalIPs: ['1.2.3.4'],
          ports: [{ port: 80 }],
          internalTrafficPolicy: 'Local',
        },
      },
      [
        "spec.externalName: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          type: 'NodePort',
          ports: [
            { port: 80, nodePort: 30080 },
            { port: 81, name: 'b' },
          ],
        },
      },
      ['spec.ports[0].name: Required value'],
    ],
    [
      { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] } },
      [
        'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
      ],
    ],
    [
      {
        spec: {
          type: 'LoadBalancer',
          ports: [{ port: 80 }],
          allocateLoadBalancerNodePorts: false,
          loadBalancerClass: 'a/b',
          loadBalancerSourceRanges: ['10.0.0.0/8 ', 'x'],
        },
      },
      [
        'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
    [
      {
        spec: {
          type: 'LoadBalancer',
          ports: [{ port: 80 }],
          loadBalancerClass: 'A B',
          externalTrafficPolicy: 'x',
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
        },
      },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 0: must be greater than 0 and less than 86400',
        "spec.loadBalancerClass: Invalid value: \"A B\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.externalTrafficPolicy: Unsupported value: "x": supported values: "Cluster", "Local"',
      ],
    ],
    [
      { spec: { type: 'Foo', ports: [{ port: 80 }] } },
      [
        'spec.type: Unsupported value: "Foo": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    [
      {
        spec: {
          ports: [
            { port: 0 },
            { port: 80, name: 'A', protocol: 'X', targetPort: 'a_b', appProtocol: '/' },
            { port: 80, name: 'A' },
            { port: 70000, targetPort: 0, name: 'toolongtoolongtoolong' },
          ],
        },
      },
      [
        'spec.ports[0].name: Required value',
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
        "spec.ports[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
        'spec.ports[1].targetPort: Invalid value: "a_b": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.ports[1].appProtocol: Invalid value: "/": prefix part must be non-empty',
        'spec.ports[1].appProtocol: Invalid value: "/": name part must be non-empty',
        "spec.ports[1].appProtocol: Invalid value: \"/\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "spec.ports[2].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.ports[2].name: Duplicate value: "A"',
        'spec.ports[3].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.ports[3].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      { spec: { ports: [{ port: 80, nodePort: 30001 }] } },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      {
        spec: {
          type: 'NodePort',
          ports: [
            { port: 80, name: 'a', nodePort: 30111 },
            { port: 80, name: 'b', nodePort: 30111 },
          ],
        },
      },
      [
        'spec.ports[1].nodePort: Duplicate value: 30111',
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], sessionAffinity: 'Foo' } },
      ['spec.sessionAffinity: Unsupported value: "Foo": supported values: "ClientIP", "None"'],
    ],
    [
      {
        spec: {
          ports: [{ port: 80 }],
          sessionAffinity: 'ClientIP',
          sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } },
        },
      },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: 'x' } },
      [
        'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.300' } },
      [
        'spec.clusterIPs[0]: Invalid value: "10.0.0.300": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.1.0.1' } },
      [
        'spec.clusterIPs: Invalid value: ["10.1.0.1"]: failed to allocate IP 10.1.0.1: the provided network does not match the current range',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.0' } },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.0"]: failed to allocate IP 10.0.0.0: the provided network does not match the current range',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.255' } },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.255"]: failed to allocate IP 10.0.0.255: the provided network does not match the current range',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '::1' } },
      ['spec.clusterIPs[0]: Invalid value: ["::1"]: IPv6 is not configured on this cluster'],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIPs: ['10.0.0.9'] } },
      [
        'spec.clusterIPs: Invalid value: ["10.0.0.9"]: must be empty when `clusterIP` is not specified',
      ],
    ],
    [
      { spec: { ports: [{ port: 80 }], clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.8'] } },
      ['spec.clusterIPs: Invalid value: ["10.0.0.8"]: first value must match `clusterIP`'],
    ],
  ]);
});
