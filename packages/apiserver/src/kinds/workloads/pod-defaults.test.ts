import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Pod } from './pod-types.ts';
import { app, container, created, pod, template } from './samples.cases.ts';

describe('defaults of pods', () => {
  test('an empty pod gets what upstream gives it', () => {
    const { spec, status } = create({});

    assert.deepEqual(spec, {
      containers: [
        {
          name: 'c',
          image: 'nginx:1',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
        },
      ],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    });
    assert.deepEqual(status, { phase: 'Pending', qosClass: 'BestEffort' });
  });

  test('a template gets no service links and no requests', () => {
    const limits = { cpu: '1' };
    const { spec } = created(
      app('Deployment', {
        template: template({ containers: [container({ resources: { limits } })] }),
      }),
    ) as unknown as { spec: { template: { spec: Pod['spec'] } } };

    assert.equal(spec.template.spec.enableServiceLinks, undefined);
    assert.deepEqual(spec.template.spec.containers?.[0]?.resources, { limits });
  });

  test('each volume gets the defaults of its source', () => {
    const { spec } = create({
      volumes: [
        { name: 'a' },
        { name: 'b', hostPath: { path: '/x' } },
        { name: 'c', secret: { secretName: 's' } },
        { name: 'd', configMap: { name: 'm' } },
        {
          name: 'e',
          projected: {
            sources: [
              { serviceAccountToken: { path: 't' } },
              { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
      ],
    });

    assert.deepEqual(spec.volumes, [
      { name: 'a', emptyDir: {} },
      { name: 'b', hostPath: { path: '/x', type: '' } },
      { name: 'c', secret: { secretName: 's', defaultMode: 420 } },
      { name: 'd', configMap: { name: 'm', defaultMode: 420 } },
      {
        name: 'e',
        projected: {
          sources: [
            { serviceAccountToken: { expirationSeconds: 3600, path: 't' } },
            {
              downwardAPI: {
                items: [{ path: 'n', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
              },
            },
          ],
          defaultMode: 420,
        },
      },
    ]);
  });

  test('probes, ports and field references get theirs', () => {
    const { spec } = create({
      containers: [
        container({
          ports: [{ containerPort: 80 }],
          env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          livenessProbe: { httpGet: { port: 80 } },
          readinessProbe: { grpc: { port: 1 } },
        }),
      ],
    });

    const made = spec.containers?.[0];
    const times = {
      timeoutSeconds: 1,
      periodSeconds: 10,
      successThreshold: 1,
      failureThreshold: 3,
    };
    assert.deepEqual(made?.ports, [{ containerPort: 80, protocol: 'TCP' }]);
    assert.equal(made?.env?.[0]?.valueFrom?.fieldRef?.apiVersion, 'v1');
    assert.deepEqual(made?.livenessProbe, {
      httpGet: { path: '/', port: 80, scheme: 'HTTP' },
      ...times,
    });
    assert.deepEqual(made?.readinessProbe, { grpc: { port: 1, service: '' }, ...times });
  });

  test('what is limited is requested, and rounded up to thousandths', () => {
    const { spec, status } = create({
      containers: [container({ resources: { limits: { cpu: '0.0001', memory: '1Gi' } } })],
    });

    const both = { cpu: '1m', memory: '1Gi' };
    assert.deepEqual(spec.containers?.[0]?.resources, { limits: both, requests: both });
    assert.equal(status.qosClass, 'Guaranteed');
  });

  test('resources of the whole pod follow from those of its containers', () => {
    const { spec } = create({
      resources: { limits: { cpu: '2', memory: '2Gi' } },
      containers: [container({ resources: { requests: { cpu: '500m' } } })],
    });

    assert.deepEqual(spec.resources?.requests, { cpu: '500m', memory: '2Gi' });
  });

  test('ports on the host network are ports of the host', () => {
    const { spec } = create({
      hostNetwork: true,
      containers: [container({ ports: [{ containerPort: 80 }] })],
    });

    assert.equal(spec.containers?.[0]?.ports?.[0]?.hostPort, 80);
  });

  test('both names of the service account are kept the same, the new one wins', () => {
    const old = create({ serviceAccount: 'old' }).spec;
    const both = create({ serviceAccount: 'old', serviceAccountName: 'new' }).spec;

    assert.deepEqual([old.serviceAccountName, old.serviceAccount], ['old', 'old']);
    assert.deepEqual([both.serviceAccountName, both.serviceAccount], ['new', 'new']);
  });

  test('a negative grace period is one second', () => {
    assert.equal(
      create({ terminationGracePeriodSeconds: -5 }).spec.terminationGracePeriodSeconds,
      1,
    );
  });

  test('fields of features that are off do not survive', () => {
    const { spec } = create({
      hostnameOverride: 'h',
      volumes: [{ name: 'i', image: { reference: 'x' } }],
      containers: [
        container({
          restartPolicy: 'Never',
          volumeMounts: [{ name: 'i', mountPath: '/i' }],
          lifecycle: { stopSignal: 'SIGTERM' },
        }),
      ],
    });

    const made = spec.containers?.[0];
    assert.equal(spec.hostnameOverride, undefined);
    assert.equal(spec.volumes, undefined);
    assert.deepEqual(
      [made?.restartPolicy, made?.volumeMounts, made?.lifecycle],
      [undefined, undefined, undefined],
    );
  });
});

function create(spec: object): Pod {
  return created(pod({ ...spec })) as Pod;
}
