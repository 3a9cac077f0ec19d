import { describe } from 'node:test';
import { pod, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('pod specs', () => {
  refuses([
    {
      title: 'closed sets of values are enforced',
      object: pod({
        restartPolicy: 'Maybe',
        dnsPolicy: 'Foo',
        preemptionPolicy: 'x',
        schedulerName: 's',
      }),
      errors: [
        'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
        'spec.dnsPolicy: Unsupported value: "Foo": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        'spec.preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"',
      ],
    },
    {
      title: 'names inside a pod follow their rules',
      object: pod({
        hostname: 'A',
        subdomain: 'b.c',
        serviceAccountName: 'A',
        nodeName: 'B_',
        priorityClassName: 'C_',
        runtimeClassName: 'D_',
        activeDeadlineSeconds: 0,
      }),
      errors: [
        "spec.serviceAccountName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.nodeName: Invalid value: \"B_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive',
        "spec.hostname: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        'spec.subdomain: Invalid value: "b.c": must not contain dots',
        "spec.priorityClassName: Invalid value: \"C_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.runtimeClassName: Invalid value: \"D_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    },
    {
      title: 'a pod without a resolver policy brings its own settings',
      object: pod({ dnsPolicy: 'None' }),
      errors: ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    },
    {
      title: 'own settings have a nameserver',
      object: pod({ dnsPolicy: 'None', dnsConfig: {} }),
      errors: [
        'spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None',
      ],
    },
    {
      title: 'resolver settings are checked',
      object: pod({
        dnsConfig: {
          nameservers: ['1.2.3.4', 'x', '010.1.1.1', '::1'],
          searches: ['a_b', '.', 'A B.', 'x.'],
          options: [{}],
        },
      }),
      errors: [
        'spec.dnsConfig.nameservers: Invalid value: ["1.2.3.4","x","010.1.1.1","::1"]: must not have more than 3 nameservers',
        'spec.dnsConfig.nameservers[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "spec.dnsConfig.searches[2]: Invalid value: \"A B\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
        'spec.dnsConfig.options[0]: Required value: must not be empty',
      ],
    },
    {
      title: 'host aliases are addresses and names',
      object: pod({
        hostAliases: [
          { ip: 'x', hostnames: ['a_b'] },
          { ip: '1.1.1.1' },
          { ip: '1.1.1.1' },
          { ip: '2001:DB8::1' },
          { ip: '::ffff:1.2.3.4' },
        ],
        imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      }),
      errors: [
        'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        "spec.hostAliases[0].hostnames[0]: Invalid value: \"a_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    },
  ]);
});
