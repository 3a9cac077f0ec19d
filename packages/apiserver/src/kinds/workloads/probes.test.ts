import { describe } from 'node:test';
import { container, pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('probes and hooks', () => {
  refuses([
    {
      title: 'a probe has one handler and sensible numbers',
      object: pod({
        containers: [
          container({
            livenessProbe: {},
            readinessProbe: {
              httpGet: { port: 0, scheme: 'ftp', httpHeaders: [{ name: 'a b', value: 'x' }] },
              terminationGracePeriodSeconds: 5,
              initialDelaySeconds: -1,
            },
            startupProbe: {
              tcpSocket: { port: 'a_b' },
              exec: { command: [] },
              successThreshold: 2,
              terminationGracePeriodSeconds: 0,
              timeoutSeconds: -1,
              periodSeconds: -1,
              failureThreshold: -1,
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].livenessProbe: Required value: must specify a handler type',
        'spec.containers[0].readinessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.containers[0].readinessProbe.httpGet.scheme: Unsupported value: "ftp": supported values: "HTTP", "HTTPS"',
        "spec.containers[0].readinessProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        'spec.containers[0].readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
        'spec.containers[0].startupProbe.exec.command: Required value',
        'spec.containers[0].startupProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].startupProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].startupProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].startupProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
        'spec.containers[0].startupProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
        'spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
      ],
    },
    {
      title: 'a liveness probe succeeds at once',
      object: pod({
        containers: [container({ livenessProbe: { grpc: { port: 70000 }, successThreshold: 3 } })],
      }),
      errors: [
        'spec.containers[0].livenessProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].livenessProbe.successThreshold: Invalid value: 3: must be 1',
      ],
    },
    {
      title: 'a hook has one handler and sleeps no longer than the pod may take',
      object: pod({
        containers: [
          container({
            lifecycle: {
              postStart: { exec: {}, tcpSocket: { port: 1 } },
              preStop: { sleep: { seconds: 100 } },
            },
          }),
        ],
      }),
      errors: [
        'spec.containers[0].lifecycle.postStart.exec.command: Required value',
        'spec.containers[0].lifecycle.postStart.tcpSocket: Forbidden: may not specify more than 1 handler type',
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 100: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
    },
    {
      title: 'a hook needs a handler',
      object: pod({
        containers: [
          container({ lifecycle: { postStart: {}, preStop: { sleep: { seconds: -1 } } } }),
        ],
      }),
      errors: [
        'spec.containers[0].lifecycle.postStart: Required value: must specify a handler type',
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
    },
  ]);
});
