import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { listOf } from './amounts.ts';
import { evaluatorOf, usageOf } from './evaluators.ts';
import type { ScopeSelector } from './scopes.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const PODS = { group: '', resource: 'pods' };

describe('what a pod uses', () => {
  test('is the larger of its containers together and its largest init container, plus overhead', () => {
    assert.deepEqual(
      used(PODS, {
        spec: {
          containers: [
            container('a', { cpu: '100m', memory: '1Gi' }, { cpu: '1' }),
            container('b', { cpu: '200m', 'example.com/gpu': '2' }),
          ],
          initContainers: [
            container('i', { cpu: '1', memory: '10Mi' }),
            { ...container('s', { memory: '1Gi' }), restartPolicy: 'Always' },
            container('j', { memory: '2Gi' }),
          ],
          overhead: { cpu: '50m', memory: '1Mi' },
        },
      }),
      {
        'count/pods': '1',
        pods: '1',
        cpu: '1050m',
        'requests.cpu': '1050m',
        'limits.cpu': '1050m',
        memory: '3073Mi',
        'requests.memory': '3073Mi',
        'requests.example.com/gpu': '2',
      },
    );
  });

  test('is what the pod itself says where it does', () => {
    const spec = {
      resources: { requests: { cpu: '2' }, limits: { cpu: '4' } },
      containers: [container('a', { cpu: '1', 'ephemeral-storage': '1Gi' })],
    };
    assert.deepEqual(used(PODS, { spec }), {
      'count/pods': '1',
      pods: '1',
      cpu: '2',
      'requests.cpu': '2',
      'limits.cpu': '4',
      'ephemeral-storage': '1Gi',
      'requests.ephemeral-storage': '1Gi',
    });
  });

  test('is nothing but its place in storage once it has ended, or should have', () => {
    const spec = { containers: [container('a', { cpu: '1' })] };
    const over = { deletionTimestamp: '2025-12-31T23:59:00Z', deletionGracePeriodSeconds: 30 };
    const due = { deletionTimestamp: '2025-12-31T23:59:45Z', deletionGracePeriodSeconds: 30 };
    const only = { 'count/pods': '1' };

    assert.deepEqual(used(PODS, { spec, status: { phase: 'Succeeded' } }), only);
    assert.deepEqual(used(PODS, { spec, status: { phase: 'Failed' } }), only);
    assert.deepEqual(used(PODS, { spec, metadata: over }), only);
    assert.equal(used(PODS, { spec, metadata: due })['cpu'], '1');
  });

  test('counts what a resize has, wants and was given, whichever is most', () => {
    const spec = { containers: [container('a', { cpu: '1' })] };
    const status = (conditions: object[]) => ({
      conditions,
      containerStatuses: [
        {
          name: 'a',
          resources: { requests: { cpu: '500m' } },
          allocatedResources: { cpu: '700m' },
        },
      ],
    });
    const infeasible = [{ type: 'PodResizePending', reason: 'Infeasible' }];

    assert.equal(used(PODS, { spec, status: status([]) })['cpu'], '1');
    assert.equal(used(PODS, { spec, status: status(infeasible) })['cpu'], '700m');
  });

  test('must be known for cpu and memory that are limited', () => {
    const spec = {
      containers: [container('a', { cpu: '1' }), container('b', {})],
      initContainers: [container('i', { memory: '1' })],
    };
    assert.equal(
      evaluatorOf(PODS)?.missing?.(
        ['pods', 'requests.memory', 'cpu', 'limits.ephemeral-storage'],
        object({ spec }),
      ),
      'must specify cpu for: b,i; requests.memory for: a,b',
    );
    assert.equal(evaluatorOf(PODS)?.missing?.(['pods'], object({ spec })), undefined);
  });

  test('counts towards the names quotas know, and extended resources by their requests only', () => {
    const names = [
      'pods',
      'secrets',
      'requests.example.com/gpu',
      'example.com/gpu',
      'hugepages-2Mi',
    ];
    assert.deepEqual(evaluatorOf(PODS)?.matching(names), [
      'pods',
      'requests.example.com/gpu',
      'hugepages-2Mi',
    ]);
  });
});

describe('scopes', () => {
  const bare = { spec: { containers: [container('a', {})] } };
  const firm = { spec: { containers: [container('a', { cpu: '1' })], activeDeadlineSeconds: 5 } };
  const gold = { spec: { containers: [], priorityClassName: 'gold' } };
  const astray = {
    spec: {
      containers: [],
      affinity: {
        podAntiAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { podAffinityTerm: { namespaceSelector: {} } },
          ],
        },
      },
    },
  };
  const cases: [ScopeSelector, object, boolean][] = [
    [scope('Terminating'), firm, true],
    [scope('Terminating'), bare, false],
    [scope('NotTerminating'), bare, true],
    [scope('BestEffort'), bare, true],
    [scope('BestEffort'), firm, false],
    [scope('NotBestEffort'), firm, true],
    [scope('PriorityClass'), gold, true],
    [scope('PriorityClass'), bare, false],
    [scope('PriorityClass', 'In', ['gold']), gold, true],
    [scope('PriorityClass', 'In', ['silver']), gold, false],
    [scope('PriorityClass', 'NotIn', ['silver']), gold, true],
    [scope('PriorityClass', 'NotIn', ['gold']), bare, true],
    [scope('PriorityClass', 'DoesNotExist'), bare, true],
    [scope('CrossNamespacePodAffinity'), astray, true],
    [scope('CrossNamespacePodAffinity'), bare, false],
    [scope('Unknown'), bare, false],
  ];
  for (const [selector, pod, wanted] of cases) {
    test(`${JSON.stringify(selector)} is ${wanted} for ${JSON.stringify(pod)}`, () => {
      assert.equal(evaluatorOf(PODS)?.matchesScope(selector, object(pod)), wanted);
    });
  }
});

describe('what other kinds use', () => {
  test('a Service counts itself, its node ports and its balancer', () => {
    const def = { group: '', resource: 'services' };
    const ports = [{ nodePort: 30000 }, {}];
    const of = (spec: object) => {
      const { services, ...rest } = used(def, { spec });
      assert.equal(services, '1');
      return [rest['services.nodeports'], rest['services.loadbalancers']];
    };

    assert.deepEqual(of({ type: 'ClusterIP', ports }), ['0', '0']);
    assert.deepEqual(of({ type: 'NodePort', ports }), ['2', '0']);
    assert.deepEqual(of({ type: 'LoadBalancer', ports }), ['2', '1']);
    assert.deepEqual(of({ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false }), [
      '1',
      '1',
    ]);
  });

  test('a claim counts its storage, also by class, in whole bytes', () => {
    const def = { group: '', resource: 'persistentvolumeclaims' };
    const spec = { storageClassName: 'gold', resources: { requests: { storage: '1500m' } } };
    assert.deepEqual(used(def, { spec }), {
      persistentvolumeclaims: '1',
      'count/persistentvolumeclaims': '1',
      'gold.storageclass.storage.k8s.io/persistentvolumeclaims': '1',
      'requests.storage': '2',
      'gold.storageclass.storage.k8s.io/requests.storage': '2',
    });
    assert.equal(
      used(def, { spec, status: { allocatedResources: { storage: '1Gi' } } })['requests.storage'],
      '1Gi',
    );
  });

  test('everything else counts one, under its own name and an old one where it has one', () => {
    assert.deepEqual(used({ group: '', resource: 'secrets' }, {}), {
      'count/secrets': '1',
      secrets: '1',
    });
    assert.deepEqual(used({ group: 'apps', resource: 'deployments' }, {}), {
      'count/deployments.apps': '1',
    });
    assert.deepEqual(used({ group: '', resource: 'events' }, {}), {});
  });

  test('a device claim may ask for more devices than a double can count', () => {
    const count = 9_223_372_036_854_775_807n;
    const requests = [{ exactly: { deviceClassName: 'a', allocationMode: 'ExactCount', count } }];

    assert.deepEqual(
      used(
        { group: 'resource.k8s.io', resource: 'resourceclaims' },
        { spec: { devices: { requests } } },
      ),
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'a.deviceclass.resource.k8s.io/devices': '9223372036854775807',
      },
    );
  });

  test('a device claim counts the most devices it may get of each class', () => {
    const requests = [
      { exactly: { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 2 } },
      {
        firstAvailable: [
          { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 },
          { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 4 },
          { deviceClassName: 'tpu', allocationMode: 'All' },
        ],
      },
    ];
    assert.deepEqual(
      used(
        { group: 'resource.k8s.io', resource: 'resourceclaims' },
        { spec: { devices: { requests } } },
      ),
      {
        'count/resourceclaims.resource.k8s.io': '1',
        'gpu.deviceclass.resource.k8s.io/devices': '6',
        'tpu.deviceclass.resource.k8s.io/devices': '32',
      },
    );
  });
});

function scope(scopeName: string, operator = 'Exists', values?: string[]): ScopeSelector {
  return { scopeName, operator, ...(values === undefined ? {} : { values }) };
}

function container(name: string, requests: object, limits?: object): object {
  return { name, resources: { requests, ...(limits === undefined ? {} : { limits }) } };
}

function object(parts: object): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: {}, ...parts };
}

function used(def: { group: string; resource: string }, parts: object): Record<string, string> {
  return listOf(usageOf(def, object(parts), NOW));
}
