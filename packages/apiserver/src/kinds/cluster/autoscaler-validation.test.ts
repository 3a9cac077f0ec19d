import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const autoscalers = kindTester('autoscaling/v2/HorizontalPodAutoscaler');

test('autoscalers that break a rule are refused in the words of a real server', () => {
  autoscalers.refuses([
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          minReplicas: 0,
        },
      },
      [
        'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
        'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
      ],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          minReplicas: 5,
        },
      },
      ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 0,
        },
      },
      [
        'spec.maxReplicas: Invalid value: 0: must be greater than 0',
        'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
      ],
    ],
    [
      { spec: { scaleTargetRef: { kind: '', name: 'a/b' }, maxReplicas: 3 } },
      [
        'spec.scaleTargetRef.kind: Required value',
        'spec.scaleTargetRef.name: Invalid value: "a/b": may not contain \'/\'',
        'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
      ],
    ],
    [
      { spec: { scaleTargetRef: { kind: 'x', name: 'x', apiVersion: 'a/b/c' }, maxReplicas: 3 } },
      [
        'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      ],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          metrics: [{ type: '' }],
        },
      },
      [
        'spec.metrics[0].type: Required value: must specify a metric source type',
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          metrics: [
            { type: 'Resource' },
            { type: 'x', pods: { metric: { name: '' }, target: { type: '' } } },
            {
              type: 'Resource',
              resource: {
                name: '',
                target: { type: 'x', averageUtilization: 0, averageValue: '0', value: '-1' },
              },
              pods: { metric: { name: 'a' }, target: { type: 'Value' } },
            },
            {
              type: 'Object',
              object: {
                describedObject: { kind: '', name: '', apiVersion: 'a/b/c' },
                metric: { name: '..' },
                target: { type: 'Value' },
              },
            },
            {
              type: 'External',
              external: {
                metric: { name: 'a' },
                target: { type: 'Value', value: '1', averageValue: '1' },
              },
            },
            { type: 'External', external: { metric: { name: 'a' }, target: { type: 'Value' } } },
            {
              type: 'ContainerResource',
              containerResource: { name: 'foo', container: 'A', target: { type: 'Utilization' } },
            },
            {
              type: 'ContainerResource',
              containerResource: {
                name: '',
                container: '',
                target: { type: 'Utilization', averageUtilization: 1 },
              },
            },
          ],
        },
      },
      [
        'spec.metrics[0].resource: Required value: must populate information for the given metric source',
        'spec.metrics[1].type: Unsupported value: "x": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[1].pods.metric.name: Required value: must specify a metric name',
        'spec.metrics[1].pods.target.type: Required value: must specify a metric target type',
        'spec.metrics[1].pods.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
        'spec.metrics[1].pods.target.averageValue: Required value: must specify a positive target averageValue',
        'spec.metrics[1].type: Unsupported value: "x": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        'spec.metrics[2].pods.target.averageValue: Required value: must specify a positive target averageValue',
        'spec.metrics[2].pods: Forbidden: must populate the given metric source only',
        'spec.metrics[3].object.describedObject.kind: Required value',
        'spec.metrics[3].object.describedObject.name: Required value',
        'spec.metrics[3].object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
        'spec.metrics[3].object.metric.name: Invalid value: "..": may not be \'..\'',
        'spec.metrics[3].object.target.averageValue: Required value: must set either a target value or averageValue',
        'spec.metrics[4].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target',
        'spec.metrics[5].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target',
        'spec.metrics[6].containerResource.name: Invalid value: "foo": must be a standard resource type or fully qualified',
        'spec.metrics[6].containerResource.name: Invalid value: "foo": must be a standard resource for containers',
        "spec.metrics[6].containerResource.container: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.metrics[6].containerResource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
        'spec.metrics[7].containerResource.name: Required value: must specify a resource name',
        'spec.metrics[7].containerResource.container: Required value: must specify a container',
      ],
    ],
  ]);
});
