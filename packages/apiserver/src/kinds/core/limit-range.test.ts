import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';

const limitRanges = kindTester('/v1/LimitRange');

test('limit ranges that break a rule are refused in the words of a real server', () => {
  limitRanges.refuses([
    [
      { spec: { limits: [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] } },
      [
        "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
        "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
      ],
    ],
    [
      { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { foo: '1' } }] } },
      [
        'spec.limits[0].max[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      ],
    ],
    [
      { spec: { limits: [{ type: 'x' }] } },
      ['spec.limits[0].type: Invalid value: "x": must be a standard limit type or fully qualified'],
    ],
    [
      { spec: { limits: [{ type: '' }] } },
      [
        'spec.limits[0].type: Invalid value: "": name part must be non-empty',
        "spec.limits[0].type: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      ],
    ],
    [
      { spec: { limits: [{ type: 'a/b', max: { storage: '1' } }, { type: 'a/b' }] } },
      ['spec.limits[1].type: Duplicate value: "a/b"'],
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } }] } },
      [
        'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
        'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
      ],
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }] } },
      [
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
        'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
      ],
    ],
    [
      { spec: { limits: [{ type: 'Container', min: { cpu: '1' }, default: { cpu: '500m' } }] } },
      [
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "500m": min value 1 is greater than default request value 500m',
        'spec.limits[0].default[cpu]: Invalid value: "1": min value 1 is greater than default value 500m',
      ],
    ],
    [
      {
        spec: {
          limits: [{ type: 'Container', defaultRequest: { cpu: '2' }, default: { cpu: '1' } }],
        },
      },
      [
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
      ],
    ],
    [
      {
        spec: {
          limits: [
            {
              type: 'Container',
              min: { cpu: '2' },
              max: { cpu: '4' },
              maxLimitRequestRatio: { cpu: '3' },
            },
          ],
        },
      },
      [
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
      ],
    ],
    [
      { spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }] } },
      [
        'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
      ],
    ],
    [
      {
        spec: {
          limits: [
            { type: 'Container', default: { 'a.b/gpu': '2' }, defaultRequest: { 'a.b/gpu': '1' } },
          ],
        },
      },
      [
        'spec.limits[0].defaultRequest[a.b/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in a.b/gpu',
      ],
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { storage: '1' } }] } },
      [
        'spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers',
        'spec.limits[0].default[storage]: Invalid value: "storage": must be a standard resource for containers',
        'spec.limits[0].defaultRequest[storage]: Invalid value: "storage": must be a standard resource for containers',
      ],
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { 'a.b/c d': '1' } }] } },
      [
        "spec.limits[0].max[a.b/c d]: Invalid value: \"a.b/c d\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.limits[0].max[a.b/c d]: Invalid value: "a.b/c d": doesn\'t follow extended resource name standard',
        "spec.limits[0].default[a.b/c d]: Invalid value: \"a.b/c d\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.limits[0].default[a.b/c d]: Invalid value: "a.b/c d": doesn\'t follow extended resource name standard',
        "spec.limits[0].defaultRequest[a.b/c d]: Invalid value: \"a.b/c d\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.limits[0].defaultRequest[a.b/c d]: Invalid value: "a.b/c d": doesn\'t follow extended resource name standard',
      ],
    ],
  ]);
});

test('limit ranges are stored with the defaults of a real server', () => {
  limitRanges.stores([
    [
      {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '2', memory: '1Gi' },
              min: { cpu: '100m' },
              defaultRequest: { memory: '100Mi' },
            },
          ],
        },
      },
      {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '2', memory: '1Gi' },
              min: { cpu: '100m' },
              default: { cpu: '2', memory: '1Gi' },
              defaultRequest: { cpu: '2', memory: '100Mi' },
            },
          ],
        },
      },
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { cpu: '0.0005' } }] } },
      {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '1m' },
              default: { cpu: '1m' },
              defaultRequest: { cpu: '1m' },
            },
          ],
        },
      },
    ],
  ]);
});

test('limit ranges have the cells of a real server', () => {
  limitRanges.shows([
    [
      {
        spec: {
          limits: [
            {
              type: 'Container',
              max: { cpu: '2', memory: '1Gi' },
              min: { cpu: '100m' },
              defaultRequest: { memory: '100Mi' },
            },
          ],
        },
      },
      ['x', '2026-01-02T03:04:05Z'],
    ],
    [
      { spec: { limits: [{ type: 'Container', max: { cpu: '0.0005' } }] } },
      ['x', '2026-01-02T03:04:05Z'],
    ],
  ]);
});
