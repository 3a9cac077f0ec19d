import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const csiNodes = kindTester('storage.k8s.io/v1/CSINode');

test('drivers of a node that break a rule are refused in the words of a real server', () => {
  csiNodes.refuses([
    [
      {
        spec: {
          drivers: [
            {
              name: '',
              nodeID:
                'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
              topologyKeys: [],
            },
            { name: '', nodeID: 'a', topologyKeys: [] },
          ],
        },
      },
      [
        'spec.drivers[0].name: Required value',
        "spec.drivers[0].name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.drivers[0].nodeID: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be 256 characters or less',
        'spec.drivers[1].name: Required value',
        "spec.drivers[1].name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.drivers[1].name: Duplicate value: ""',
      ],
    ],
  ]);
});

test('drivers of a node change only as far as a real server lets them', () => {
  csiNodes.plays([
    {
      object: {
        spec: {
          drivers: [{ name: 'a', nodeID: 'n', topologyKeys: ['x'], allocatable: { count: 3 } }],
        },
      },
      steps: [
        {
          set: 'spec/drivers',
          to: [{ name: 'a', nodeID: 'm', topologyKeys: null }],
          errors: [
            'spec.drivers: Invalid value: {"Name":"a","NodeID":"m","TopologyKeys":null,"Allocatable":null}: field is immutable',
          ],
        },
        {
          set: 'spec/drivers',
          to: [
            { name: 'B_', nodeID: '', topologyKeys: ['', 'a', 'a'], allocatable: { count: -1 } },
          ],
          errors: [
            "spec.drivers[0].name: Invalid value: \"B_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            'spec.drivers[0].nodeID: Required value',
            'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
            'spec.drivers[0]: Required value',
            'spec.drivers[0]: Invalid value: "": name part must be non-empty',
            "spec.drivers[0]: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            'spec.drivers[0]: Duplicate value: "a"',
            "spec.drivers[0].name: Invalid value: \"B_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
            'spec.drivers[0].nodeID: Required value',
            'spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0',
            'spec.drivers[0]: Required value',
            'spec.drivers[0]: Invalid value: "": name part must be non-empty',
            "spec.drivers[0]: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            'spec.drivers[0]: Duplicate value: "a"',
          ],
        },
      ],
    },
  ]);
});

test('drivers of a node have the cells of a real server', () => {
  csiNodes.shows([
    [
      {
        spec: {
          drivers: [{ name: 'a', nodeID: 'n', topologyKeys: ['x'], allocatable: { count: 3 } }],
        },
      },
      ['x', 1, '0s'],
    ],
  ]);
});
