import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const endpointSlices = kindTester('discovery.k8s.io/v1/EndpointSlice');

test('endpoint slices that break a rule are refused in the words of a real server', () => {
  endpointSlices.refuses([
    [
      {
        addressType: 'IPv6',
        endpoints: [
          { addresses: ['1.2.3.4', '2001:DB8::1', 'x', '::1'] },
          {
            addresses: [],
            nodeName: 'A',
            hostname: 'B_',
            hints: {
              forZones: [{ name: 'a' }, { name: 'a' }, { name: 'a b' }],
              forNodes: [{ name: 'A' }],
            },
          },
        ],
        ports: [{ name: 'A' }, { name: 'A', protocol: 'x', appProtocol: '' }, { protocol: '' }],
      },
      [
        "ports[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "ports[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'ports[1].name: Duplicate value: "A"',
        'ports[1].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        'ports[1].appProtocol: Invalid value: "": name part must be non-empty',
        "ports[1].appProtocol: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'ports[2].protocol: Unsupported value: "": supported values: "SCTP", "TCP", "UDP"',
        'endpoints[0].addresses: Invalid value: "1.2.3.4": must be an IPv6 address',
        'endpoints[0].addresses[1]: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")',
        'endpoints[0].addresses[2]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'endpoints[0].addresses[3]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'endpoints[1].addresses: Required value: must contain at least 1 address',
        "endpoints[1].nodeName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "endpoints[1].hostname: Invalid value: \"B_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'endpoints[1].hints.forZones[1].name: Duplicate value: "a"',
        "endpoints[1].hints.forZones[2].name: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        "endpoints[1].hints.forNodes[0].name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      { addressType: 'x', endpoints: [] },
      ['addressType: Unsupported value: "x": supported values: "FQDN", "IPv4", "IPv6"'],
    ],
    [{ endpoints: [] }, ['addressType: Required value']],
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['a', '', 'A.b'] }] },
      [
        'endpoints[0].addresses[0]: Invalid value: "a": should be a domain with at least two segments separated by dots',
        'endpoints[0].addresses[1]: Required value',
        "endpoints[0].addresses[2]: Invalid value: \"A.b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['01.2.3.4'] }, { addresses: ['2001:db8::1'] }],
      },
      ['endpoints[1].addresses: Invalid value: "2001:db8::1": must be an IPv4 address'],
    ],
  ]);
});

test('endpoint slices change only as far as a real server lets them', () => {
  endpointSlices.plays([
    {
      object: {
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['1.2.3.4'], conditions: { ready: true }, deprecatedTopology: { a: 'b' } },
          { addresses: ['1.2.3.5', '1.2.3.6', '1.2.3.7'] },
        ],
        ports: [{ port: 80 }, { name: 'b' }],
      },
      steps: [
        { set: 'metadata/labels', to: { a: 'b' } },
        {
          set: 'addressType',
          to: 'IPv6',
          errors: ['addressType: Invalid value: "IPv6": field is immutable'],
        },
        { set: 'ports', to: [{ name: 'x', port: 81 }] },
      ],
    },
  ]);
});

test('endpoint slices are stored with the defaults of a real server', () => {
  endpointSlices.stores([
    [
      {
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['1.2.3.4'], conditions: { ready: true }, deprecatedTopology: { a: 'b' } },
          { addresses: ['1.2.3.5', '1.2.3.6', '1.2.3.7'] },
        ],
        ports: [{ port: 80 }, { name: 'b' }],
      },
      {
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['1.2.3.4'], conditions: { ready: true } },
          { addresses: ['1.2.3.5', '1.2.3.6', '1.2.3.7'], conditions: {} },
        ],
        ports: [
          { name: '', protocol: 'TCP', port: 80 },
          { name: 'b', protocol: 'TCP' },
        ],
      },
    ],
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }, { addresses: ['a.b.'] }] },
      {
        addressType: 'FQDN',
        endpoints: [
          { addresses: ['a.b'], conditions: {} },
          { addresses: ['a.b.'], conditions: {} },
        ],
        ports: null,
      },
    ],
  ]);
});

test('endpoint slices are warned about as a real server does', () => {
  endpointSlices.warns([
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }, { addresses: ['a.b.'] }] },
      ['spec.addressType: FQDN endpoints are deprecated'],
    ],
  ]);
});

test('endpoint slices have the cells of a real server', () => {
  endpointSlices.shows([
    [
      {
        addressType: 'IPv4',
        endpoints: [
          { addresses: ['1.2.3.4'], conditions: { ready: true }, deprecatedTopology: { a: 'b' } },
          { addresses: ['1.2.3.5', '1.2.3.6', '1.2.3.7'] },
        ],
        ports: [{ port: 80 }, { name: 'b' }],
      },
      ['x', 'IPv4', '80,b', '1.2.3.4,1.2.3.5,1.2.3.6 + 1 more...', '0s'],
    ],
    [
      { addressType: 'FQDN', endpoints: [{ addresses: ['a.b'] }, { addresses: ['a.b.'] }] },
      ['x', 'FQDN', '<unset>', 'a.b,a.b.', '0s'],
    ],
  ]);
});
