import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const nodes = kindTester('/v1/Node');

test('nodes that break a rule are refused in the words of a real server', () => {
  nodes.refuses([
    [
      { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'], podCIDR: '10.0.0.0/24' } },
      [
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    ],
  ]);
});

test('nodes change only as far as a real server lets them', () => {
  nodes.plays([
    {
      object: {
        metadata: {
          labels: {
            'node-role.kubernetes.io/b': '',
            'node-role.kubernetes.io/a': '',
            'kubernetes.io/role': 'z',
          },
        },
        spec: {
          podCIDR: '10.1.0.0/24',
          unschedulable: true,
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        },
        status: {
          capacity: { cpu: '1', 'example.com/foo': '2', memory: '1.5' },
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
          nodeInfo: { kubeletVersion: 'v1' },
        },
      },
      steps: [
        { set: 'spec/podCIDRs', to: ['10.2.0.0/24'] },
        { set: 'spec/providerID', to: 'x' },
        {
          set: 'spec/providerID',
          to: 'y',
          errors: [
            'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
          ],
        },
        {
          set: 'spec/externalID',
          to: 'y',
          errors: ['spec.externalID: Forbidden: may not be updated'],
        },
        {
          set: 'spec/taints',
          to: [
            { key: 'a', effect: 'x' },
            { key: '', effect: '' },
            { key: 'b', value: 'a b', effect: 'NoExecute' },
            { key: 'b', effect: 'NoExecute' },
          ],
          errors: [
            'metadata.taints[0].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
            'metadata.taints[1].key: Invalid value: "": name part must be non-empty',
            "metadata.taints[1].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            'metadata.taints[1].effect: Required value',
            "metadata.taints[2].value: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            'metadata.taints[3]: Duplicate value: {"Key":"b","Value":"","Effect":"NoExecute","TimeAdded":null}: taints must be unique by key and effect pair',
            'metadata.taints[0].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
            'metadata.taints[1].key: Invalid value: "": name part must be non-empty',
            "metadata.taints[1].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            'metadata.taints[1].effect: Required value',
            "metadata.taints[2].value: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
            'metadata.taints[3]: Duplicate value: {"Key":"b","Value":"","Effect":"NoExecute","TimeAdded":null}: taints must be unique by key and effect pair',
          ],
        },
        { set: 'spec/configSource', to: { configMap: {} } },
      ],
    },
    {
      object: {},
      subresource: 'status',
      steps: [
        {
          set: 'status/addresses',
          to: [
            { type: 'a', address: 'b' },
            { type: 'a', address: 'b' },
          ],
          errors: ['status.addresses[1]: Duplicate value: {"Type":"a","Address":"b"}'],
        },
        {
          set: 'status/capacity',
          to: { cpu: '-1' },
          errors: [
            'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
            'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
          ],
        },
        { set: 'status/capacity', to: { cpu: '1500m', memory: '1Gi' } },
        { set: 'status/config', to: { active: {} } },
      ],
    },
  ]);
});

test('nodes are stored with the defaults of a real server', () => {
  nodes.stores([
    [
      {},
      {
        spec: {},
        status: {
          daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
          nodeInfo: {
            machineID: '',
            systemUUID: '',
            bootID: '',
            kernelVersion: '',
            osImage: '',
            containerRuntimeVersion: '',
            kubeletVersion: '',
            kubeProxyVersion: '',
            operatingSystem: '',
            architecture: '',
          },
        },
      },
    ],
    [
      {
        metadata: {
          labels: {
            'node-role.kubernetes.io/b': '',
            'node-role.kubernetes.io/a': '',
            'kubernetes.io/role': 'z',
          },
        },
        spec: {
          podCIDR: '10.1.0.0/24',
          unschedulable: true,
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        },
        status: {
          capacity: { cpu: '1', 'example.com/foo': '2', memory: '1.5' },
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
          nodeInfo: { kubeletVersion: 'v1' },
        },
      },
      {
        spec: {
          podCIDR: '10.1.0.0/24',
          podCIDRs: ['10.1.0.0/24'],
          unschedulable: true,
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        },
        status: {
          capacity: { cpu: '1', 'example.com/foo': '2', memory: '1500m' },
          allocatable: { cpu: '1', 'example.com/foo': '2', memory: '1500m' },
          conditions: [
            { type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null },
          ],
          addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
          daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
          nodeInfo: {
            machineID: '',
            systemUUID: '',
            bootID: '',
            kernelVersion: '',
            osImage: '',
            containerRuntimeVersion: '',
            kubeletVersion: 'v1',
            kubeProxyVersion: '',
            operatingSystem: '',
            architecture: '',
          },
        },
      },
    ],
    [
      {
        spec: {
          podCIDRs: ['10.0.0.1/24', '2001:db8::/64'],
          externalID: 'foo',
          configSource: { configMap: {} },
        },
      },
      {
        spec: {
          podCIDR: '10.0.0.1/24',
          podCIDRs: ['10.0.0.1/24', '2001:db8::/64'],
          externalID: 'foo',
        },
        status: {
          daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
          nodeInfo: {
            machineID: '',
            systemUUID: '',
            bootID: '',
            kernelVersion: '',
            osImage: '',
            containerRuntimeVersion: '',
            kubeletVersion: '',
            kubeProxyVersion: '',
            operatingSystem: '',
            architecture: '',
          },
        },
      },
    ],
    [
      {},
      {
        spec: {},
        status: {
          daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
          nodeInfo: {
            machineID: '',
            systemUUID: '',
            bootID: '',
            kernelVersion: '',
            osImage: '',
            containerRuntimeVersion: '',
            kubeletVersion: '',
            kubeProxyVersion: '',
            operatingSystem: '',
            architecture: '',
          },
        },
      },
    ],
  ]);
});

test('nodes are warned about as a real server does', () => {
  nodes.warns([
    [
      {
        spec: {
          podCIDRs: ['10.0.0.1/24', '2001:db8::/64'],
          externalID: 'foo',
          configSource: { configMap: {} },
        },
      },
      [
        'spec.externalID: this field is deprecated, and is unused by Kubernetes',
        'spec.podCIDRs[0]: CIDR value "10.0.0.1/24" is ambiguous in this context (should be "10.0.0.0/24" or "10.0.0.1/32"?)',
      ],
    ],
  ]);
});

test('nodes have the cells of a real server', () => {
  nodes.shows([
    [
      {},
      [
        'x',
        'Unknown',
        '<none>',
        '0s',
        '',
        '<none>',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    ],
    [
      {
        metadata: {
          labels: {
            'node-role.kubernetes.io/b': '',
            'node-role.kubernetes.io/a': '',
            'kubernetes.io/role': 'z',
          },
        },
        spec: {
          podCIDR: '10.1.0.0/24',
          unschedulable: true,
          taints: [{ key: 'a', effect: 'NoSchedule' }],
        },
        status: {
          capacity: { cpu: '1', 'example.com/foo': '2', memory: '1.5' },
          conditions: [{ type: 'Ready', status: 'True' }],
          addresses: [{ type: 'InternalIP', address: '1.2.3.4' }],
          nodeInfo: { kubeletVersion: 'v1' },
        },
      },
      [
        'x',
        'Ready,SchedulingDisabled',
        'a,b,z',
        '0s',
        'v1',
        '1.2.3.4',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    ],
    [
      {
        spec: {
          podCIDRs: ['10.0.0.1/24', '2001:db8::/64'],
          externalID: 'foo',
          configSource: { configMap: {} },
        },
      },
      [
        'x',
        'Unknown',
        '<none>',
        '0s',
        '',
        '<none>',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    ],
    [
      {},
      [
        'x',
        'Unknown',
        '<none>',
        '0s',
        '',
        '<none>',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    ],
  ]);
});
