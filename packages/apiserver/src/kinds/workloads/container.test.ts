import { describe } from 'node:test';
import { app, container, pod, refuses, template } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('containers', () => {
  refuses([
    {
      title: 'a pod needs a container',
      object: pod({ containers: [] }),
      errors: ['spec.containers: Required value'],
    },
    {
      title: 'a container needs a name and an image',
      object: pod({ containers: [{}] }),
      errors: [
        'spec.containers[0].name: Required value',
        'spec.containers[0].image: Required value',
      ],
    },
    {
      title: 'the name of a container is a DNS label',
      object: pod({ containers: [{ name: 'Bad Name', image: 'nginx:1' }] }),
      errors: [
        "spec.containers[0].name: Invalid value: \"Bad Name\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    },
    {
      title: 'names of containers are unique',
      object: pod({ containers: [container(), container()] }),
      errors: ['spec.containers[1].name: Duplicate value: "c"'],
    },
    {
      title: 'blanks around an image are refused',
      object: pod({ containers: [{ name: 'c', image: ' nginx ' }] }),
      errors: [
        'spec.containers[0].image: Invalid value: " nginx ": must not have leading or trailing whitespace',
      ],
    },
    {
      title: 'closed sets of values are enforced',
      object: pod({
        containers: [
          container({
            imagePullPolicy: 'Sometimes',
            terminationMessagePolicy: 'Foo',
            restartPolicy: 'Always',
          }),
        ],
      }),
      errors: [
        'spec.containers[0].terminationMessagePolicy: Unsupported value: "Foo": supported values: "File", "FallbackToLogsOnError"',
        'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
      ],
    },
    {
      title: 'every bad port is named',
      object: pod({
        containers: [
          container({
            ports: [
              { containerPort: 0 },
              { containerPort: 70000 },
              { containerPort: 80, name: 'a_b' },
              { containerPort: 80, name: 'aaaaaaaaaaaaaaaaaaa' },
              { containerPort: 80, name: '123' },
              { containerPort: 81, protocol: 'tcp' },
              { containerPort: 82, hostPort: 70000 },
              { containerPort: 83, name: 'dup' },
              { containerPort: 84, name: 'dup' },
            ],
          }),
        ],
      }),
      errors: [
        'spec.containers[0].ports[0].containerPort: Required value',
        'spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[2].name: Invalid value: "a_b": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'spec.containers[0].ports[3].name: Invalid value: "aaaaaaaaaaaaaaaaaaa": must be no more than 15 characters',
        'spec.containers[0].ports[4].name: Invalid value: "123": must contain at least one letter (a-z)',
        'spec.containers[0].ports[5].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
        'spec.containers[0].ports[6].hostPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[8].name: Duplicate value: "dup"',
      ],
    },
    {
      title: 'two containers cannot have one host port',
      object: pod({
        containers: [
          container({ ports: [{ containerPort: 80, hostPort: 80 }] }),
          { name: 'd', image: 'nginx:1', ports: [{ containerPort: 81, hostPort: 80 }] },
        ],
      }),
      errors: ['spec.containers[1].ports[0].hostPort: Duplicate value: "TCP//80"'],
    },
    {
      title: 'on the host network a port is the same inside and outside',
      object: pod({
        containers: [container({ ports: [{ containerPort: 80, hostPort: 81 }] })],
        hostNetwork: true,
      }),
      errors: [
        'spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true',
      ],
    },
    {
      title: 'a resize policy names cpu or memory once',
      object: pod({
        containers: [
          container({
            resizePolicy: [
              { resourceName: 'cpu', restartPolicy: 'NotRequired' },
              { resourceName: 'cpu', restartPolicy: 'Foo' },
              { resourceName: 'disk', restartPolicy: 'RestartContainer' },
              { resourceName: '', restartPolicy: '' },
            ],
          }),
        ],
      }),
      errors: [
        'spec.containers[0].resizePolicy[1]: Duplicate value: "cpu"',
        'spec.containers[0].resizePolicy: Unsupported value: "Foo": supported values: "NotRequired", "RestartContainer"',
        'spec.containers[0].resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"',
        'spec.containers[0].resizePolicy: Required value',
        'spec.containers[0].resizePolicy: Required value',
      ],
    },
    {
      title: 'a pod that never restarts cannot be resized by restarting',
      object: pod({
        containers: [
          container({ resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
        ],
        restartPolicy: 'Never',
      }),
      errors: [
        "spec.containers[0].resizePolicy: Invalid value: \"RestartContainer\": must be 'NotRequired' when `restartPolicy` is 'Never'",
      ],
    },
    {
      title: 'init containers have probes only as sidecars and share the names of containers',
      object: pod({
        initContainers: [
          container(),
          {
            name: 'x',
            image: 'nginx:1',
            livenessProbe: { httpGet: { port: 80 } },
            lifecycle: { preStop: { sleep: { seconds: 1 } } },
            readinessProbe: { httpGet: { port: 80 } },
            startupProbe: { httpGet: { port: 80 } },
          },
          { name: 'y', image: 'nginx:1', restartPolicy: 'OnFailure' },
          { name: 'z', image: 'nginx:1', restartPolicy: 'Always', livenessProbe: {} },
          { name: '' },
        ],
      }),
      errors: [
        'spec.initContainers[0].name: Duplicate value: "c"',
        'spec.initContainers[1].lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[1].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[1].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[1].startupProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
        'spec.initContainers[3].livenessProbe: Required value: must specify a handler type',
        'spec.initContainers[4].name: Required value',
        'spec.initContainers[4].image: Required value',
      ],
    },
    {
      title: 'ephemeral containers come later',
      object: pod({ ephemeralContainers: [{ name: 'e', image: 'nginx:1' }] }),
      errors: ['spec.ephemeralContainers: Forbidden: cannot be set on create'],
    },
    {
      title: 'a template on the host network may leave host ports open',
      object: app('Deployment', {
        template: template({
          containers: [
            container({ ports: [{ containerPort: 80 }, { containerPort: 82, hostPort: 83 }] }),
          ],
          hostNetwork: true,
        }),
      }),
      errors: [
        'spec.template.spec.containers[0].ports[1].hostPort: Invalid value: 83: must match `containerPort` when `hostNetwork` is true',
      ],
    },
    {
      title: 'a template has no ephemeral containers',
      object: app('Deployment', {
        template: template({ ephemeralContainers: [{ name: 'e', image: 'nginx:1' }] }),
      }),
      errors: [
        'spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template',
      ],
    },
  ]);
});
