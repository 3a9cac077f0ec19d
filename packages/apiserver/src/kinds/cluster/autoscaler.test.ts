import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const autoscalers = kindTester('autoscaling/v2/HorizontalPodAutoscaler');

test('autoscalers change only as far as a real server lets them', () => {
  autoscalers.plays([
    {
      object: {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          behavior: {},
        },
      },
      steps: [
        {
          set: 'spec/behavior/scaleUp/policies',
          to: [
            { type: 'x', value: 0, periodSeconds: 0 },
            { type: 'Pods', value: 1, periodSeconds: 2000 },
          ],
          errors: [
            'spec.behavior.scaleUp.policies[0].type: Unsupported value: "x": supported values: "Percent", "Pods"',
            'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
            'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
            'spec.behavior.scaleUp.policies[1].periodSeconds: Invalid value: 2000: must be less than or equal to 1800',
          ],
        },
        {
          set: 'spec/scaleTargetRef',
          to: { kind: 'a', name: 'b' },
          errors: [
            'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
          ],
        },
        { set: 'spec/metrics', to: [] },
      ],
    },
    {
      object: {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
            },
            {
              type: 'Pods',
              pods: {
                metric: { name: 'p', selector: { matchLabels: { a: 'b' } } },
                target: { type: 'AverageValue', averageValue: '5' },
              },
            },
            {
              type: 'Object',
              object: {
                describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
                metric: { name: 'm' },
                target: { type: 'Value', value: '3' },
              },
            },
            {
              type: 'External',
              external: {
                metric: { name: 'e' },
                target: { type: 'AverageValue', averageValue: '7' },
              },
            },
            {
              type: 'ContainerResource',
              containerResource: {
                name: 'cpu',
                container: 'c',
                target: { type: 'Utilization', averageUtilization: 9 },
              },
            },
          ],
        },
      },
      subresource: 'status',
      steps: [
        {
          set: 'status',
          to: {
            currentReplicas: 2,
            desiredReplicas: 3,
            currentMetrics: [
              {
                type: 'Resource',
                resource: { name: 'cpu', current: { averageUtilization: 33, averageValue: '1' } },
              },
              { type: 'Resource', resource: { name: 'memory', current: { averageValue: '44Mi' } } },
            ],
            conditions: [
              {
                type: 'A',
                status: 'True',
                lastTransitionTime: '2020-01-01T00:00:00Z',
                reason: 'R',
                message: 'm',
              },
            ],
          },
        },
        {
          set: 'status',
          to: { currentReplicas: -1, desiredReplicas: -1, currentMetrics: null },
          errors: [
            'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
            'status.desiredReplicas: Invalid value: -1: must be greater than or equal to 0',
          ],
        },
      ],
    },
  ]);
});

test('autoscalers are stored with the defaults of a real server', () => {
  autoscalers.stores([
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
        },
      },
      {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      },
    ],
    [
      {
        spec: {
          scaleTargetRef: { kind: 'ReplicationController', name: 'x', apiVersion: 'v1' },
          maxReplicas: 3,
        },
      },
      {
        spec: {
          scaleTargetRef: { kind: 'ReplicationController', name: 'x', apiVersion: 'v1' },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      },
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          behavior: {},
        },
      },
      {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
          behavior: {
            scaleUp: {
              stabilizationWindowSeconds: 0,
              selectPolicy: 'Max',
              policies: [
                { type: 'Pods', value: 4, periodSeconds: 15 },
                { type: 'Percent', value: 100, periodSeconds: 15 },
              ],
            },
            scaleDown: {
              selectPolicy: 'Max',
              policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
            },
          },
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      },
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
            },
            {
              type: 'Pods',
              pods: {
                metric: { name: 'p', selector: { matchLabels: { a: 'b' } } },
                target: { type: 'AverageValue', averageValue: '5' },
              },
            },
            {
              type: 'Object',
              object: {
                describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
                metric: { name: 'm' },
                target: { type: 'Value', value: '3' },
              },
            },
            {
              type: 'External',
              external: {
                metric: { name: 'e' },
                target: { type: 'AverageValue', averageValue: '7' },
              },
            },
            {
              type: 'ContainerResource',
              containerResource: {
                name: 'cpu',
                container: 'c',
                target: { type: 'Utilization', averageUtilization: 9 },
              },
            },
          ],
        },
      },
      {
        spec: {
          scaleTargetRef: { kind: 'Deployment', name: 'x', apiVersion: 'apps/v1' },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
            },
            {
              type: 'Pods',
              pods: {
                metric: { name: 'p', selector: { matchLabels: { a: 'b' } } },
                target: { type: 'AverageValue', averageValue: '5' },
              },
            },
            {
              type: 'Object',
              object: {
                describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
                target: { type: 'Value', value: '3' },
                metric: { name: 'm' },
              },
            },
            {
              type: 'External',
              external: {
                metric: { name: 'e' },
                target: { type: 'AverageValue', averageValue: '7' },
              },
            },
            {
              type: 'ContainerResource',
              containerResource: {
                name: 'cpu',
                target: { type: 'Utilization', averageUtilization: 9 },
                container: 'c',
              },
            },
          ],
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      },
    ],
  ]);
});

test('autoscalers have the cells of a real server', () => {
  autoscalers.shows([
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
        },
      },
      ['x', 'Deployment/x', 'cpu: <unknown>/80%', '1', 3, 0, '0s'],
    ],
    [
      {
        spec: {
          scaleTargetRef: { kind: 'ReplicationController', name: 'x', apiVersion: 'v1' },
          maxReplicas: 3,
        },
      },
      ['x', 'ReplicationController/x', 'cpu: <unknown>/80%', '1', 3, 0, '0s'],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          behavior: {},
        },
      },
      ['x', 'Deployment/x', 'cpu: <unknown>/80%', '1', 3, 0, '0s'],
    ],
    [
      {
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'x' },
          maxReplicas: 3,
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
            {
              type: 'Resource',
              resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '100Mi' } },
            },
            {
              type: 'Pods',
              pods: {
                metric: { name: 'p', selector: { matchLabels: { a: 'b' } } },
                target: { type: 'AverageValue', averageValue: '5' },
              },
            },
            {
              type: 'Object',
              object: {
                describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
                metric: { name: 'm' },
                target: { type: 'Value', value: '3' },
              },
            },
            {
              type: 'External',
              external: {
                metric: { name: 'e' },
                target: { type: 'AverageValue', averageValue: '7' },
              },
            },
            {
              type: 'ContainerResource',
              containerResource: {
                name: 'cpu',
                container: 'c',
                target: { type: 'Utilization', averageUtilization: 9 },
              },
            },
          ],
        },
      },
      [
        'x',
        'Deployment/x',
        'cpu: <unknown>/50%, memory: <unknown>/100Mi + 4 more...',
        '1',
        3,
        0,
        '0s',
      ],
    ],
  ]);
});
