import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const ingresses = kindTester('networking.k8s.io/v1/Ingress');

test('ingresses that break a rule are refused in the words of a real server', () => {
  ingresses.refuses([
    [
      { spec: {} },
      ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    ],
    [
      { spec: { defaultBackend: {} } },
      ['spec.defaultBackend: Invalid value: "": resource or service backend is required'],
    ],
    [
      { spec: { defaultBackend: { service: { name: '' } } } },
      [
        'spec.defaultBackend.service.name: Required value',
        'spec.defaultBackend: Required value: port name or number is required',
      ],
    ],
    [
      { spec: { defaultBackend: { service: { name: '1a', port: { name: 'A', number: 1 } } } } },
      [
        "spec.defaultBackend.service.name: Invalid value: \"1a\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'spec.defaultBackend: Invalid value: "": cannot set both port name & port number',
      ],
    ],
    [
      { spec: { defaultBackend: { service: { name: 'a', port: { name: 'A_' } } } } },
      [
        'spec.defaultBackend.service.port.name: Invalid value: "A_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.defaultBackend.service.port.name: Invalid value: "A_": must contain at least one letter (a-z)',
      ],
    ],
    [
      { spec: { defaultBackend: { service: { name: 'a', port: { number: 70000 } } } } },
      [
        'spec.defaultBackend.service.port.number: Invalid value: 70000: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      {
        spec: {
          defaultBackend: {
            service: { name: 'a', port: { number: 80 } },
            resource: { kind: 'x', name: 'y' },
          },
        },
      },
      ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
    ],
    [
      { spec: { defaultBackend: { resource: { kind: '', name: '' } } } },
      [
        'spec.defaultBackend.resource.kind: Required value',
        'spec.defaultBackend.resource.name: Required value',
      ],
    ],
    [
      { spec: { defaultBackend: { resource: { apiGroup: 'A', kind: 'x/y', name: '..' } } } },
      [
        "spec.defaultBackend.resource.apiGroup: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.defaultBackend.resource.kind: Invalid value: "x/y": may not contain \'/\'',
        'spec.defaultBackend.resource.name: Invalid value: "..": may not be \'..\'',
      ],
    ],
    [
      {
        spec: {
          rules: [
            { host: '1.2.3.4' },
            { host: 'A' },
            { host: '*.foo' },
            { host: '*' },
            { host: 'a.*' },
          ],
        },
      },
      [
        'spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
        "spec.rules[1].host: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.rules[3].host: Invalid value: \"*\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.rules[4].host: Invalid value: \"a.*\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          rules: [
            { http: { paths: [] } },
            {
              http: {
                paths: [
                  { backend: { service: { name: 'a', port: { number: 80 } } } },
                  { pathType: 'x', backend: { service: { name: 'a', port: { number: 80 } } } },
                  {
                    pathType: 'Exact',
                    path: 'x',
                    backend: { service: { name: 'a', port: { number: 80 } } },
                  },
                  { pathType: 'Prefix', path: '/a//b/./c/../d%2f%2F/..', backend: {} },
                  {
                    pathType: 'ImplementationSpecific',
                    path: 'x',
                    backend: { service: { name: 'a', port: { number: 80 } } },
                  },
                  {
                    pathType: 'Prefix',
                    path: '/a/.',
                    backend: { service: { name: 'a', port: { number: 80 } } },
                  },
                ],
              },
            },
          ],
        },
      },
      [
        'spec.rules[0].http.paths: Required value',
        'spec.rules[1].http.paths[0].pathType: Required value: pathType must be specified',
        'spec.rules[1].http.paths[1].pathType: Unsupported value: "x": supported values: "Exact", "ImplementationSpecific", "Prefix"',
        'spec.rules[1].http.paths[2].path: Invalid value: "x": must be an absolute path',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": must not contain \'//\'',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": must not contain \'/./\'',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": must not contain \'/../\'',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": must not contain \'%2f\'',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": must not contain \'%2F\'',
        'spec.rules[1].http.paths[3].path: Invalid value: "/a//b/./c/../d%2f%2F/..": cannot end with \'/..\'',
        'spec.rules[1].http.paths[3].backend: Invalid value: "": resource or service backend is required',
        'spec.rules[1].http.paths[4].path: Invalid value: "x": must be an absolute path',
        'spec.rules[1].http.paths[5].path: Invalid value: "/a/.": cannot end with \'/.\'',
      ],
    ],
    [
      {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          tls: [{ hosts: ['A', '*.x', 'a.*'], secretName: 'B' }],
        },
      },
      [
        "spec.tls[0].hosts[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.tls[0].hosts[2]: Invalid value: \"a.*\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.tls[0].secretName: Invalid value: \"B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [
      {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          ingressClassName: 'y',
        },
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      },
      [
        'annotations.kubernetes.io/ingress.class: Invalid value: "x": must match `ingressClassName` when both are specified',
      ],
    ],
  ]);
});

test('ingresses change only as far as a real server lets them', () => {
  ingresses.plays([
    {
      object: {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          ingressClassName: 'a',
        },
      },
      steps: [
        { set: 'spec/rules', to: [{ host: 'a.b' }] },
        {
          set: 'spec/ingressClassName',
          to: 'A',
          errors: [
            "spec.ingressClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
          ],
        },
        { set: 'metadata/annotations', to: { 'kubernetes.io/ingress.class': 'zzz' } },
      ],
    },
    {
      object: { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: {
            loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }, { hostname: 'A' }] },
          },
          errors: [
            'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
            'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
            "status.loadBalancer.ingress[2].hostname: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
          ],
        },
        {
          set: 'status',
          to: {
            loadBalancer: {
              ingress: [{ ip: '1.2.3.4' }, { hostname: 'foo.example.com' }, { ip: '01.1.1.1' }],
            },
          },
        },
      ],
    },
  ]);
});

test('ingresses are stored with the defaults of a real server', () => {
  ingresses.stores([
    [
      {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          ingressClassName: 'a',
        },
      },
      {
        spec: {
          ingressClassName: 'a',
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      { spec: { defaultBackend: { resource: { apiGroup: 'a.b', kind: 'x', name: 'y' } } } },
      {
        spec: { defaultBackend: { resource: { apiGroup: 'a.b', kind: 'x', name: 'y' } } },
        status: { loadBalancer: {} },
      },
    ],
    [
      {
        spec: {
          rules: [{ host: 'a' }, { host: 'b' }, {}, { host: 'c' }, { host: 'd' }],
          tls: [{ hosts: ['a'] }],
        },
      },
      {
        spec: {
          tls: [{ hosts: ['a'] }],
          rules: [{ host: 'a' }, { host: 'b' }, {}, { host: 'c' }, { host: 'd' }],
        },
        status: { loadBalancer: {} },
      },
    ],
    [
      {
        spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      },
      {
        spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
        status: { loadBalancer: {} },
      },
    ],
    [
      { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
      {
        spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
        status: { loadBalancer: {} },
      },
    ],
  ]);
});

test('ingresses are warned about as a real server does', () => {
  ingresses.warns([
    [
      {
        spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      },
      [
        'annotation "kubernetes.io/ingress.class" is deprecated, please use \'spec.ingressClassName\' instead',
      ],
    ],
  ]);
});

test('ingresses have the cells of a real server', () => {
  ingresses.shows([
    [
      {
        spec: {
          defaultBackend: { service: { name: 'a', port: { number: 80 } } },
          ingressClassName: 'a',
        },
      },
      ['x', 'a', '*', '', '80', '0s'],
    ],
    [
      { spec: { defaultBackend: { resource: { apiGroup: 'a.b', kind: 'x', name: 'y' } } } },
      ['x', '<none>', '*', '', '80', '0s'],
    ],
    [
      {
        spec: {
          rules: [{ host: 'a' }, { host: 'b' }, {}, { host: 'c' }, { host: 'd' }],
          tls: [{ hosts: ['a'] }],
        },
      },
      ['x', '<none>', 'a,b,c + 2 more...', '', '80, 443', '0s'],
    ],
    [
      {
        spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } },
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'x' } },
      },
      ['x', '<none>', '*', '', '80', '0s'],
    ],
    [
      { spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
      ['x', '<none>', '*', '', '80', '0s'],
    ],
  ]);
});
