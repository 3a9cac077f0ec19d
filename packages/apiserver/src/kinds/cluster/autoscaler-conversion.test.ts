import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autoscalerV1Of, autoscalerV2Of } from './autoscaler-conversion.ts';
import type { AutoscalerV1, AutoscalerV2 } from './autoscaler-types.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const scaleTargetRef = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };

function v1(spec: object, annotations?: Record<string, string>): AutoscalerV1 {
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'h', ...(annotations === undefined ? {} : { annotations }) },
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
    status: { currentReplicas: 0, desiredReplicas: 0 },
  };
}

function v2(spec: object, status: object = {}): AutoscalerV2 {
  return {
    kind: 'HorizontalPodAutoscaler',
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'h' },
    spec: { scaleTargetRef, maxReplicas: 3, ...spec },
    status: { desiredReplicas: 0, currentMetrics: null, ...status },
  };
}

const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

test('a v1 autoscaler without a target keeps cpu at 80 percent', () => {
  assert.deepEqual(autoscalerV2Of(v1({})).spec.metrics, [cpu(80)]);
  assert.deepEqual(autoscalerV2Of(v1({ targetCPUUtilizationPercentage: 50 })).spec.metrics, [
    cpu(50),
  ]);
});

test('metrics v1 cannot say travel in an annotation, and come back before the one for cpu', () => {
  const metrics = [
    {
      type: 'Resource',
      resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
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
      external: { metric: { name: 'e' }, target: { type: 'AverageValue', averageValue: '7' } },
    },
    {
      type: 'ContainerResource',
      containerResource: {
        name: 'cpu',
        target: { type: 'Utilization', averageUtilization: 9 },
        container: 'c',
      },
    },
  ];
  const old = autoscalerV1Of(v2({ metrics: [cpu(50), ...metrics] }));
  assert.equal(old.spec.targetCPUUtilizationPercentage, 50);
  assert.equal(
    old.metadata.annotations?.[METRICS],
    '[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},' +
      '{"type":"Pods","pods":{"metricName":"p","targetAverageValue":"5","selector":{"matchLabels":{"a":"b"}}}},' +
      '{"type":"Object","object":{"target":{"kind":"Service","name":"s","apiVersion":"v1"},"metricName":"m","targetValue":"3"}},' +
      '{"type":"External","external":{"metricName":"e","targetAverageValue":"7"}},' +
      '{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":9,"container":"c"}}]',
  );
  const back = autoscalerV2Of(old);
  assert.deepEqual(back.spec.metrics, [...metrics, cpu(50)]);
  assert.equal('annotations' in back.metadata, false);
});

test('behaviour travels in an annotation with the names of the internal type', () => {
  const behavior = {
    scaleUp: {
      stabilizationWindowSeconds: 0,
      selectPolicy: 'Max',
      policies: [{ type: 'Pods', value: 1, periodSeconds: 5 }],
    },
  };
  const old = autoscalerV1Of(v2({ metrics: [cpu(50)], behavior }));
  assert.deepEqual(old.metadata.annotations, {
    [BEHAVIOR]:
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":"Max","Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":5}],"Tolerance":null},"ScaleDown":null}',
  });
  assert.deepEqual(autoscalerV2Of(old).spec.behavior, {
    ...behavior,
    scaleDown: {
      selectPolicy: 'Max',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    },
  });
});

test('conditions and the state of metrics travel in annotations', () => {
  const status = {
    currentReplicas: 2,
    currentMetrics: [
      {
        type: 'Resource',
        resource: { name: 'cpu', current: { averageValue: '1', averageUtilization: 33 } },
      },
    ],
    conditions: [
      { type: 'A', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z', reason: 'R' },
    ],
  };
  const old = autoscalerV1Of(v2({ metrics: [cpu(50)] }, status));
  assert.equal(old.status.currentCPUUtilizationPercentage, 33);
  assert.deepEqual(old.metadata.annotations, {
    'autoscaling.alpha.kubernetes.io/current-metrics':
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":33,"currentAverageValue":"1"}}]',
    'autoscaling.alpha.kubernetes.io/conditions':
      '[{"type":"A","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"R"}]',
  });
  assert.deepEqual(autoscalerV2Of(old).status, { desiredReplicas: 0, ...status });
});

test('annotations that cannot be read are dropped, others stay', () => {
  const back = autoscalerV2Of(v1({}, { [METRICS]: 'xxx', [BEHAVIOR]: '[', other: 'y' }));
  assert.deepEqual(back.metadata.annotations, { other: 'y' });
  assert.deepEqual(back.spec.metrics, [cpu(80)]);
  assert.equal('behavior' in back.spec, false);
});

test('annotations of the wrong shape are dropped whole', () => {
  for (const text of [
    'null',
    '{}',
    '[1]',
    '[{"type":1}]',
    '[{"type":"Resource","resource":{"name":"cpu","targetAverageUtilization":"x"}}]',
    '[{"type":"Pods","pods":{"metricName":"p","targetAverageValue":"no quantity"}}]',
    `[{"type":"Pods","pods":{"metricName":"p","selector":${'['.repeat(5000)}${']'.repeat(5000)}}}]`,
  ]) {
    assert.deepEqual(autoscalerV2Of(v1({}, { [METRICS]: text })).spec.metrics, [cpu(80)], text);
  }
  for (const text of [
    '[]',
    '{"ScaleUp":{"Policies":[null]}}',
    '{"ScaleUp":{"Policies":1}}',
    '{}',
  ]) {
    assert.equal('behavior' in autoscalerV2Of(v1({}, { [BEHAVIOR]: text })).spec, false, text);
  }
});
