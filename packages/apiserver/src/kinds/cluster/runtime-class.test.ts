import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const runtimeClasses = kindTester('node.k8s.io/v1/RuntimeClass');

test('runtime classes that break a rule are refused in the words of a real server', () => {
  runtimeClasses.refuses([
    [
      { handler: 'A' },
      [
        "handler: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      {},
      [
        "handler: Invalid value: \"\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [
      { handler: 'a', overhead: { podFixed: { foo: '1', 'hugepages-2Mi': '1Mi' } } },
      [
        'overhead.limits[foo]: Invalid value: "foo": must be a standard resource type or fully qualified',
        'overhead.limits[foo]: Invalid value: "foo": must be a standard resource for containers',
        'overhead.limits[hugepages-2Mi]: Invalid value: "1Mi": 1Mi is not positive integer multiple of hugepages-2Mi',
        'overhead: Forbidden: HugePages require cpu or memory',
      ],
    ],
    [
      {
        handler: 'a',
        scheduling: {
          nodeSelector: { 'a b': 'c' },
          tolerations: [
            {},
            { key: 'a', operator: 'Exists', value: 'x' },
            { key: 'a b', operator: 'z', effect: 'y' },
            { key: 'k', tolerationSeconds: 1 },
            { key: 'k', value: 'a b' },
            { key: 'q' },
            { key: 'q' },
          ],
        },
      },
      [
        "scheduling.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'scheduling.tolerations.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'scheduling.tolerations.tolerations[1].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
        "scheduling.tolerations.tolerations[2].key: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'scheduling.tolerations.tolerations[2].operator: Unsupported value: "z": supported values: "Equal", "Exists"',
        'scheduling.tolerations.tolerations[2].effect: Unsupported value: "y": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        'scheduling.tolerations.tolerations[3].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        "scheduling.tolerations.tolerations[4].operator: Invalid value: \"a b\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        'scheduling.tolerations[6]: Duplicate value: {"Key":"q","Operator":"","Value":"","Effect":"","TolerationSeconds":null}',
      ],
    ],
  ]);
});

test('runtime classes change only as far as a real server lets them', () => {
  runtimeClasses.plays([
    {
      object: { handler: 'a' },
      steps: [
        { set: 'handler', to: 'b', errors: ['handler: Invalid value: "b": field is immutable'] },
      ],
    },
  ]);
});

test('runtime classes are stored with the defaults of a real server', () => {
  runtimeClasses.stores([
    [
      {
        handler: 'a',
        overhead: { podFixed: { cpu: '1', memory: '1.0005' } },
        scheduling: {
          nodeSelector: { 'beta.kubernetes.io/os': 'x' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
        },
      },
      {
        handler: 'a',
        overhead: { podFixed: { cpu: '1', memory: '1000500u' } },
        scheduling: {
          nodeSelector: { 'beta.kubernetes.io/os': 'x' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
        },
      },
    ],
  ]);
});

test('runtime classes are warned about as a real server does', () => {
  runtimeClasses.warns([
    [
      {
        handler: 'a',
        overhead: { podFixed: { cpu: '1', memory: '1.0005' } },
        scheduling: {
          nodeSelector: { 'beta.kubernetes.io/os': 'x' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
        },
      },
      ['scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
  ]);
});

test('runtime classes have the cells of a real server', () => {
  runtimeClasses.shows([
    [{ handler: 'a' }, ['x', 'a', '0s']],
    [
      {
        handler: 'a',
        overhead: { podFixed: { cpu: '1', memory: '1.0005' } },
        scheduling: {
          nodeSelector: { 'beta.kubernetes.io/os': 'x' },
          tolerations: [{ key: 'a', operator: 'Exists' }],
        },
      },
      ['x', 'a', '0s'],
    ],
  ]);
});
