import { describe } from 'node:test';
import { container, pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('environment variables', () => {
  refuses([
    {
      title: 'names and field references are checked',
      object: pod({
        containers: [
          container({
            env: [
              { name: '' },
              { name: 'a=b' },
              { name: '1a' },
              { name: 'a b', value: 'x' },
              { name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: 'B', valueFrom: {} },
              { name: 'C', valueFrom: { fieldRef: { fieldPath: 'metadata.foo' } } },
              { name: 'D', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } },
              { name: 'E', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a b']" } } },
              { name: 'F', valueFrom: { fieldRef: { fieldPath: "spec.nodeName['a']" } } },
              {
                name: 'G',
                valueFrom: { fieldRef: { apiVersion: 'v2', fieldPath: 'metadata.name' } },
              },
              { name: 'H', valueFrom: { fieldRef: { fieldPath: '' } } },
            ],
          }),
        ],
      }),
      errors: [
        'spec.containers[0].env[0].name: Required value',
        'spec.containers[0].env[1].name: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
        'spec.containers[0].env[4].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        'spec.containers[0].env[5].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        'spec.containers[0].env[6].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.foo": error converting fieldPath: field label not supported: metadata.foo',
        'spec.containers[0].env[7].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
        "spec.containers[0].env[8].valueFrom.fieldRef: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "spec.containers[0].env[9].valueFrom.fieldRef.fieldPath: Invalid value: \"spec.nodeName['a']\": error converting fieldPath: field label does not support subscript: spec.nodeName['a']",
        'spec.containers[0].env[10].valueFrom.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2',
        'spec.containers[0].env[11].valueFrom.fieldRef.fieldPath: Required value',
      ],
    },
    {
      title: 'references to objects and resources are checked',
      object: pod({
        containers: [
          container({
            env: [
              { name: 'A', valueFrom: { configMapKeyRef: { key: '' } } },
              { name: 'B', valueFrom: { secretKeyRef: { name: 'Bad_', key: 'a b' } } },
              {
                name: 'C',
                valueFrom: {
                  configMapKeyRef: { name: 'x', key: 'y' },
                  secretKeyRef: { name: 'x', key: 'y' },
                },
              },
              { name: 'D', valueFrom: { resourceFieldRef: { resource: 'limits.foo' } } },
              { name: 'E', valueFrom: { resourceFieldRef: { resource: '' } } },
              {
                name: 'F',
                valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1Mi' } },
              },
              {
                name: 'G',
                valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '5' } },
              },
              {
                name: 'H',
                valueFrom: {
                  resourceFieldRef: { resource: 'requests.ephemeral-storage', divisor: '5' },
                },
              },
              {
                name: 'I',
                valueFrom: { resourceFieldRef: { resource: 'limits.hugepages-2Mi', divisor: '5' } },
              },
              { name: 'J', valueFrom: { fileKeyRef: { volumeName: 'x', path: 'p', key: 'k' } } },
            ],
          }),
        ],
      }),
      errors: [
        "spec.containers[0].env[0].valueFrom.configMapKeyRef.name: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.containers[0].env[0].valueFrom.configMapKeyRef.key: Required value',
        "spec.containers[0].env[1].valueFrom.secretKeyRef.name: Invalid value: \"Bad_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.containers[0].env[1].valueFrom.secretKeyRef.key: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        'spec.containers[0].env[2].valueFrom: Invalid value: "": may not have more than one field specified at a time',
        'spec.containers[0].env[3].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.foo": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
        'spec.containers[0].env[4].valueFrom.resourceFieldRef.resource: Required value',
        'spec.containers[0].env[5].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
        'spec.containers[0].env[6].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource',
        'spec.containers[0].env[7].valueFrom.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the local ephemeral storage resource',
        'spec.containers[0].env[8].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor\'s values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the hugepages resource',
        'spec.containers[0].env[9].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ],
    },
    {
      title: 'a source of variables names exactly one object',
      object: pod({
        containers: [
          container({
            envFrom: [
              {},
              { prefix: 'a=b', configMapRef: { name: '' } },
              { secretRef: { name: 'Bad' } },
              { configMapRef: { name: 'a' }, secretRef: { name: 'b-' } },
            ],
          }),
        ],
      }),
      errors: [
        'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        'spec.containers[0].envFrom[1].prefix: Invalid value: "a=b": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
        'spec.containers[0].envFrom[1].configMapRef.name: Required value',
        "spec.containers[0].envFrom[2].secretRef.name: Invalid value: \"Bad\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.containers[0].envFrom: Invalid value: "": may not have more than one field specified at a time',
      ],
    },
  ]);
});
