import { describe } from 'node:test';
import { job, jobTemplate, refuses } from './samples.cases.ts';

// Expected texts are those of kube-apiserver 1.34 for the same objects.
describe('Jobs', () => {
  refuses([
    {
      title: 'pods of a job do not restart always',
      object: job({ template: jobTemplate({ restartPolicy: '' }) }),
      errors: [
        'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
      ],
    },
    {
      title: 'the restart policy is one of two',
      object: job({ template: jobTemplate({ restartPolicy: 'Foo' }) }),
      errors: [
        'spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "Always", "OnFailure", "Never"',
        'spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "OnFailure", "Never"',
      ],
    },
    {
      title: 'numbers are not negative',
      object: job({
        parallelism: -1,
        completions: -1,
        activeDeadlineSeconds: -1,
        backoffLimit: -1,
        ttlSecondsAfterFinished: -1,
        backoffLimitPerIndex: -1,
        maxFailedIndexes: -1,
      }),
      errors: [
        'spec.parallelism: Invalid value: -1: must be greater than or equal to 0',
        'spec.completions: Invalid value: -1: must be greater than or equal to 0',
        'spec.activeDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0',
        'spec.backoffLimit: Invalid value: -1: must be greater than or equal to 0',
        'spec.ttlSecondsAfterFinished: Invalid value: -1: must be greater than or equal to 0',
        'spec.backoffLimitPerIndex: Invalid value: -1: must be greater than or equal to 0',
        'spec.maxFailedIndexes: Invalid value: -1: must be greater than or equal to 0',
        'spec.backoffLimitPerIndex: Invalid value: -1: requires indexed completion mode',
        'spec.maxFailedIndexes: Invalid value: -1: requires indexed completion mode',
      ],
    },
    {
      title: 'a limit of failed indexes needs a limit per index',
      object: job({ maxFailedIndexes: 1 }),
      errors: [
        'spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified',
        'spec.maxFailedIndexes: Invalid value: 1: requires indexed completion mode',
      ],
    },
    {
      title: 'there are two completion modes',
      object: job({ completionMode: 'Foo' }),
      errors: [
        'spec.completionMode: Unsupported value: "Foo": supported values: "NonIndexed", "Indexed"',
      ],
    },
    {
      title: 'an Indexed job says how many',
      object: job({ completionMode: 'Indexed', parallelism: 100001 }),
      errors: [
        'spec.completions: Required value: when completion mode is Indexed',
        'spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed',
      ],
    },
    {
      title: 'large Indexed jobs have limits',
      object: job({
        completionMode: 'Indexed',
        completions: 100001,
        parallelism: 10001,
        backoffLimitPerIndex: 1,
        maxFailedIndexes: 10001,
      }),
      errors: [
        'spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
        'spec.maxFailedIndexes: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index',
      ],
    },
    {
      title: 'the longest hostname must be a DNS label',
      object: job(
        { completionMode: 'Indexed', completions: 3 },
        { name: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' },
      ),
      errors: [
        'metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": will not able to create pod with invalid DNS label: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-2',
      ],
    },
    {
      title: 'a manager is a path below a domain',
      object: job({ managedBy: 'x' }),
      errors: [
        'spec.managedBy: Invalid value: "x": must be a domain-prefixed path (such as "acme.io/foo")',
      ],
    },
    {
      title: 'both halves of a manager are checked',
      object: job({ managedBy: 'A/b c' }),
      errors: [
        "spec.managedBy: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        "spec.managedBy: Invalid value: \"b c\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')",
      ],
    },
    {
      title: 'a manager is not empty',
      object: job({ managedBy: '' }),
      errors: ['spec.managedBy: Required value'],
    },
    {
      title: 'rules on failures are checked',
      object: job({
        podFailurePolicy: {
          rules: [
            { action: '' },
            { action: 'Foo', onExitCodes: { operator: '', values: [] } },
            {
              action: 'FailIndex',
              onExitCodes: { operator: 'In', values: [0, 3, 2, 2], containerName: 'zz' },
              onPodConditions: [{ type: 'a b', status: 'x' }],
            },
            { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          ],
        },
        podReplacementPolicy: 'TerminatingOrFailed',
      }),
      errors: [
        'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
        'spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required',
        'spec.podFailurePolicy.rules[1].action: Unsupported value: "Foo": supported values: "Count", "FailIndex", "FailJob", "Ignore"',
        'spec.podFailurePolicy.rules[1].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]',
        'spec.podFailurePolicy.rules[1].onExitCodes.values: Invalid value: []: at least one value is required',
        'spec.podFailurePolicy.rules[2].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set',
        'spec.podFailurePolicy.rules[2].onExitCodes.containerName: Invalid value: "zz": must be one of the container or initContainer names in the pod template',
        'spec.podFailurePolicy.rules[2].onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator',
        'spec.podFailurePolicy.rules[2].onExitCodes.values[3]: Duplicate value: 2',
        'spec.podFailurePolicy.rules[2].onExitCodes.values: Invalid value: [0,3,2,2]: must be ordered',
        "spec.podFailurePolicy.rules[2].onPodConditions[0].type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.podFailurePolicy.rules[2].onPodConditions[0].status: Unsupported value: "x": supported values: "False", "True", "Unknown"',
        'spec.podFailurePolicy.rules[2]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported',
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
      ],
    },
    {
      title: 'rules on failures need pods that never restart',
      object: job({
        podFailurePolicy: { rules: [] },
        template: jobTemplate({ restartPolicy: 'OnFailure' }),
      }),
      errors: [
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    },
    {
      title: 'rules on success are checked',
      object: job({
        completionMode: 'Indexed',
        completions: 5,
        successPolicy: {
          rules: [
            {},
            { succeededIndexes: '0-2,1', succeededCount: 9 },
            { succeededIndexes: '7' },
            { succeededIndexes: '0-1', succeededCount: 3 },
            { succeededIndexes: 'a-b-c' },
            { succeededIndexes: 'x' },
            { succeededCount: -1 },
          ],
        },
      }),
      errors: [
        'spec.successPolicy.rules[0]: Required value: at least one of succeededCount or succeededIndexes must be specified',
        'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "0-2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
        'spec.successPolicy.rules[1].succeededCount: Invalid value: 9: must be less than or equal to 5 (the number of specified completions)',
        'spec.successPolicy.rules[1].succeededCount: Invalid value: 9: must be less than or equal to 0 (the number of indexes in the specified succeededIndexes field)',
        'spec.successPolicy.rules[2].succeededIndexes: Invalid value: "7": error parsing succeededIndexes: too large index: "7"',
        'spec.successPolicy.rules[3].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
        'spec.successPolicy.rules[4].succeededIndexes: Invalid value: "a-b-c": error parsing succeededIndexes: the fragment "a-b-c" violates the requirement that an index interval can have at most two parts separated by \'-\'',
        'spec.successPolicy.rules[5].succeededIndexes: Invalid value: "x": error parsing succeededIndexes: cannot convert string to integer for index: "x"',
        'spec.successPolicy.rules[6].succeededCount: Invalid value: -1: must be greater than or equal to 0',
      ],
    },
    {
      title: 'rules on success need indexes',
      object: job({ successPolicy: { rules: [] } }),
      errors: ['spec.successPolicy: Invalid value: {"Rules":[]}: requires indexed completion mode'],
    },
    {
      title: 'there is at least one rule on success',
      object: job({ completionMode: 'Indexed', completions: 5, successPolicy: { rules: [] } }),
      errors: [
        'spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is specified',
      ],
    },
    {
      title: 'there are two replacement policies',
      object: job({ podReplacementPolicy: 'x' }),
      errors: [
        'spec.podReplacementPolicy: Unsupported value: "x": supported values: "Failed", "TerminatingOrFailed"',
      ],
    },
  ]);
});
