import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { app, container, job, pod, template, warnings } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('warnings about pods', () => {
  for (const { title, object, expected } of [
    { title: 'a plain pod gives none', object: pod(), expected: [] },
    {
      title: 'labels called like members of every JavaScript object give none',
      object: pod({ nodeSelector: { constructor: 'x', toString: 'y' } }),
      expected: [],
    },
    {
      title: 'a name with dots',
      object: pod({}, { name: 'a.b' }),
      expected: [
        "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
      ],
    },
    {
      title: 'a name with dots that pods inherit',
      object: app('Deployment', {}, { name: 'a.b' }),
      expected: [
        'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
      ],
    },
    {
      title: 'volumes that no longer work',
      object: pod({
        volumes: [
          { name: 'a', gitRepo: { repository: 'x' } },
          { name: 'b', rbd: { monitors: ['m'], image: 'i' } },
          { name: 'c', storageos: { volumeName: 'a' } },
        ],
      }),
      expected: [
        'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
        'spec.volumes[1].rbd: deprecated in v1.28, non-functional in v1.31+',
        'spec.volumes[2].storageOS: deprecated in v1.22, non-functional in v1.25+',
      ],
    },
    {
      title: 'files on top of each other',
      object: pod({
        serviceAccountName: 'x',
        volumes: [
          {
            name: 'a',
            projected: {
              sources: [
                { configMap: { name: 'cm', items: [{ key: 'a', path: 'b/c' }] } },
                { secret: { name: 's', items: [{ key: 'a', path: 'b' }] } },
              ],
            },
          },
          {
            name: 'c',
            configMap: {
              name: 'x',
              items: [
                { key: 'a', path: 'p' },
                { key: 'b', path: 'p' },
              ],
            },
          },
        ],
      }),
      expected: [
        'volume "a" (Projected): overlapping paths: "b" (Secret "s") with "b/c" (ConfigMap "cm")',
        'volume "c" (ConfigMap "x"): overlapping paths: "p" with "p"',
      ],
    },
    {
      title: 'parts of bytes',
      object: pod({ containers: [container({ resources: { requests: { memory: '100m' } } })] }),
      expected: [
        'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
      ],
    },
    {
      title: 'variables that hide others',
      object: pod({
        containers: [
          container({
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
              { name: 'A', value: '$(A)3' },
              { name: 'A', value: '$(A)' },
            ],
          }),
        ],
      }),
      expected: [
        'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
        'spec.containers[0].env[3]: hides previous definition of "A", which may be dropped when using apply',
      ],
    },
    {
      title: 'ports that overlap',
      object: pod({
        containers: [
          container({
            ports: [
              { containerPort: 80, name: 'x' },
              { containerPort: 80 },
              { containerPort: 80, hostPort: 80 },
              { containerPort: 81, hostIP: '1.1.1.1' },
              { containerPort: 82, hostPort: 82, hostIP: '1.1.1.1' },
              { containerPort: 82, hostPort: 82 },
            ],
          }),
          container({ name: 'd', ports: [{ containerPort: 99, name: 'x' }] }),
        ],
      }),
      expected: [
        'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]',
        'spec.containers[0].ports[3]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:81 Protocol:TCP HostIP:1.1.1.1}',
        'spec.containers[0].ports[5]: dangerously ambiguous port definition with spec.containers[0].ports[4]',
        'spec.containers[1].ports[0]: duplicate port name "x" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    },
    {
      title: 'node labels of old and selectors that select nothing',
      object: pod({
        nodeSelector: { 'beta.kubernetes.io/os': 'linux' },
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' },
        ],
      }),
      expected: [
        'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
        'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    },
    {
      title: 'repeated aliases and secrets, and addresses in odd notation',
      object: pod({
        hostAliases: [
          { ip: '1.1.1.1' },
          { ip: '1.1.1.1' },
          { ip: '2001:DB8::1' },
          { ip: '010.0.0.1' },
        ],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      }),
      expected: [
        'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
        'spec.imagePullSecrets[1].name: duplicate name "a"',
        'spec.imagePullSecrets[2].name: invalid empty name ""',
        'spec.hostAliases[2].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
        'spec.hostAliases[3].ip: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      ],
    },
    {
      title: 'annotations of a template that fields replaced',
      object: app('Deployment', {
        template: template(
          { terminationGracePeriodSeconds: -1 },
          {
            annotations: {
              'container.apparmor.security.beta.kubernetes.io/c': 'localhost/x',
              'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
            },
          },
        ),
      }),
      expected: [
        'spec.template.metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
        'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
        'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
      ],
    },
    {
      title: 'an Indexed job too large to track',
      object: job({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }),
      expected: [
        'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
      ],
    },
  ]) {
    test(title, () => {
      assert.deepEqual(warnings(object), expected);
    });
  }
});
