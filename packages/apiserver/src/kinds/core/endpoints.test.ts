import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const endpoints = kindTester('/v1/Endpoints');

test('endpoints that break a rule are refused in the words of a real server', () => {
  endpoints.refuses([
    [
      {
        subsets: [
          {},
          {
            addresses: [
              { ip: 'x', hostname: 'A', nodeName: 'B_' },
              { ip: '127.0.0.1' },
              { ip: '::1' },
              { ip: 'fe80::1' },
              { ip: 'ff02::1' },
              { ip: 'ff12::1' },
              { ip: '::' },
            ],
            notReadyAddresses: [{ ip: '' }],
            ports: [
              { port: 0, protocol: 'x' },
              { name: 'A', port: 1, appProtocol: '' },
            ],
          },
        ],
      },
      [
        'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
        'subsets[1].addresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "subsets[1].addresses[0].hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "subsets[1].addresses[0].nodeName: Invalid value: \"B_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'subsets[1].addresses[0].ip: Invalid value: "x": must be a valid IP address',
        'subsets[1].addresses[1].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[1].addresses[2].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[1].addresses[3].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[1].addresses[4].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        'subsets[1].addresses[5].ip: Invalid value: "ff12::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        'subsets[1].addresses[6].ip: Invalid value: "::": may not be unspecified (::)',
        'subsets[1].notReadyAddresses[0].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[1].notReadyAddresses[0].ip: Invalid value: "": must be a valid IP address',
        'subsets[1].ports[0].name: Required value',
        'subsets[1].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'subsets[1].ports[0].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
        "subsets[1].ports[1].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'subsets[1].ports[1].appProtocol: Invalid value: "": name part must be non-empty',
        "subsets[1].ports[1].appProtocol: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
  ]);
});
