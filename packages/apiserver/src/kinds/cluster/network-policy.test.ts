import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const networkPolicies = kindTester('networking.k8s.io/v1/NetworkPolicy');

test('network policies that break a rule are refused in the words of a real server', () => {
  networkPolicies.refuses([
    [
      {
        spec: {
          podSelector: {},
          ingress: [
            {
              ports: [
                { protocol: 'x', port: 0 },
                { port: 'A_' },
                { endPort: 1 },
                { port: 80, endPort: 70 },
                { port: 'a', endPort: 3 },
                { port: 1, endPort: 70000 },
              ],
              from: [
                {},
                { podSelector: {}, ipBlock: { cidr: '' } },
                { ipBlock: { cidr: 'x' } },
                { ipBlock: { cidr: '10.0.0.0/8', except: ['x', '11.0.0.0/16', '10.0.0.0/8'] } },
                { namespaceSelector: { matchLabels: { 'a b': 'c' } } },
              ],
            },
          ],
          policyTypes: ['x'],
        },
      },
      [
        'spec.ingress[0].ports[0].protocol: Unsupported value: "x": supported values: "TCP", "UDP", "SCTP"',
        'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ingress[0].ports[1].port: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.ingress[0].ports[1].port: Invalid value: "A_": must contain at least one letter (a-z)',
        'spec.ingress[0].ports[2].endPort: Invalid value: 1: may not be specified when `port` is not specified',
        'spec.ingress[0].ports[3].endPort: Invalid value: 80: must be greater than or equal to `port`',
        'spec.ingress[0].ports[4].endPort: Invalid value: 3: may not be specified when `port` is non-numeric',
        'spec.ingress[0].ports[5].endPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.ingress[0].from[0]: Required value: must specify a peer',
        'spec.ingress[0].from[1].ipBlock.cidr: Required value',
        'spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer',
        'spec.ingress[0].from[2].ipBlock.cidr: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        'spec.ingress[0].from[3].ipBlock.except[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        'spec.ingress[0].from[3].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
        'spec.ingress[0].from[3].ipBlock.except[2]: Invalid value: "10.0.0.0/8": must be a strict subset of `cidr`',
        "spec.ingress[0].from[4].namespaceSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.policyTypes[0]: Unsupported value: "x": supported values: "Ingress", "Egress"',
      ],
    ],
  ]);
});

test('network policies change only as far as a real server lets them', () => {
  networkPolicies.plays([
    {
      object: {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'x', operator: 'In', values: ['1', '2'] }],
          },
          egress: [
            {
              ports: [{ port: 80, endPort: 90 }],
              to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }],
            },
          ],
        },
      },
      steps: [
        {
          set: 'spec/policyTypes',
          to: ['a', 'b', 'c'],
          errors: [
            'spec.policyTypes: Invalid value: ["a","b","c"]: may not specify more than two policyTypes',
            'spec.policyTypes: Invalid value: ["a","b","c"]: may not specify more than two policyTypes',
          ],
        },
        {
          set: 'spec/podSelector',
          to: { matchLabels: { 'a b': 'c' } },
          errors: [
            "spec.podSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
            "spec.podSelector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
          ],
        },
      ],
    },
  ]);
});

test('network policies are stored with the defaults of a real server', () => {
  networkPolicies.stores([
    [{ spec: { podSelector: {} } }, { spec: { podSelector: {}, policyTypes: ['Ingress'] } }],
    [
      {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'x', operator: 'In', values: ['1', '2'] }],
          },
          egress: [
            {
              ports: [{ port: 80, endPort: 90 }],
              to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }],
            },
          ],
        },
      },
      {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'x', operator: 'In', values: ['1', '2'] }],
          },
          egress: [
            {
              ports: [{ protocol: 'TCP', port: 80, endPort: 90 }],
              to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }],
            },
          ],
          policyTypes: ['Ingress', 'Egress'],
        },
      },
    ],
  ]);
});

test('network policies are warned about as a real server does', () => {
  networkPolicies.warns([
    [
      {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'x', operator: 'In', values: ['1', '2'] }],
          },
          egress: [
            {
              ports: [{ port: 80, endPort: 90 }],
              to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }],
            },
          ],
        },
      },
      [
        'spec.egress[0].to[0].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
      ],
    ],
  ]);
});

test('network policies have the cells of a real server', () => {
  networkPolicies.shows([
    [{ spec: { podSelector: {} } }, ['x', '<none>', '0s']],
    [
      {
        spec: {
          podSelector: {
            matchLabels: { a: 'b' },
            matchExpressions: [{ key: 'x', operator: 'In', values: ['1', '2'] }],
          },
          egress: [
            {
              ports: [{ port: 80, endPort: 90 }],
              to: [{ ipBlock: { cidr: '10.0.0.1/8', except: ['10.1.0.0/16'] } }],
            },
          ],
        },
      },
      ['x', 'a=b,x in (1,2)', '0s'],
    ],
  ]);
});
