import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Node, Pod, PodSpec } from '../kinds.ts';
import { chooseNode } from './schedule.ts';

describe('chooseNode', () => {
  test('takes the node with the fewest pods of those that fit', () => {
    const there: Record<string, Pod[]> = { a: [pod(), pod()], b: [pod()] };
    assert.deepEqual(choose(pod(), [node('a'), node('b')], there), { node: 'b' });
  });

  test("says of each node why it does not fit, in upstream's words", () => {
    const nodes = [
      node('a', { unschedulable: true }),
      node('b', { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] }),
      node('c'),
    ];
    const greedy = pod({
      containers: [{ name: 'c', resources: { requests: { cpu: '3', memory: '1Gi' } } }],
    });
    assert.deepEqual(choose(greedy, nodes), {
      message:
        '0/3 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {gpu: yes}, 1 node(s) were unschedulable.',
    });
  });

  test('counts what the pods of a node ask for already, but not those that have ended', () => {
    const half = pod({ containers: [{ name: 'c', resources: { requests: { cpu: '1500m' } } }] });
    const ended = { ...half, status: { phase: 'Succeeded' } };
    assert.deepEqual(choose(half, [node('a')], { a: [ended] }), { node: 'a' });
    assert.deepEqual(choose(half, [node('a')], { a: [half] }), {
      message: '0/1 nodes are available: 1 Insufficient cpu.',
    });
  });

  test('heeds node selectors, required affinity and tolerations', () => {
    const tainted = node('a', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] });
    const labelled = { ...tainted, metadata: { name: 'a', labels: { zone: 'x' } } };
    const spec: Partial<PodSpec> = {
      nodeSelector: { zone: 'x' },
      tolerations: [{ key: 'gpu', operator: 'Exists' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'zone', operator: 'In', values: ['x', 'y'] }] },
            ],
          },
        },
      },
    };
    assert.deepEqual(choose(pod(spec), [labelled]), { node: 'a' });
    assert.deepEqual(choose(pod({ ...spec, nodeSelector: { zone: 'z' } }), [labelled]), {
      message: "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
    });
  });

  test('says so where there is no node at all', () => {
    assert.deepEqual(choose(pod(), []), { message: 'no nodes available to schedule pods' });
  });
});

function choose(wanted: Pod, nodes: Node[], there: Record<string, Pod[]> = {}) {
  return chooseNode(wanted, nodes, (name) => there[name] ?? []);
}

function node(name: string, spec: Node['spec'] = {}): Node {
  const allocatable = { cpu: '2', memory: '4Gi', pods: '3' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name }, spec, status: { allocatable } };
}

function pod(spec: Partial<PodSpec> = {}): Pod {
  const metadata = { name: 'p', namespace: 'default' };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [], ...spec } };
}
