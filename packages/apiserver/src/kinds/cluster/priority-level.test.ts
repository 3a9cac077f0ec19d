import { test } from 'node:test';
import { kindTester } from '../core/kind-tester.cases.ts';

const priorityLevels = kindTester('flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration');

test('priority levels that break a rule are refused in the words of a real server', () => {
  priorityLevels.refuses([
    [{ spec: {} }, ['spec.type: Unsupported value: "": supported values: "Exempt", "Limited"']],
    [
      { spec: { type: 'Limited' } },
      ['spec.limited: Required value: must not be empty when type is Limited'],
    ],
    [
      { spec: { type: 'Exempt' } },
      ["spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'"],
    ],
    [
      {
        spec: {
          type: 'Limited',
          exempt: {},
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: 101,
            borrowingLimitPercent: -1,
            limitResponse: { type: 'x' },
          },
        },
      },
      [
        'spec.exempt: Forbidden: must be nil if the type is Limited',
        'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
        'spec.limited.limitResponse.type: Unsupported value: "x": supported values: "Queue", "Reject"',
        'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
        'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
      ],
    ],
    [
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject', queuing: {} } } } },
      [
        'spec.limited.limitResponse.queuing: Forbidden: must be nil if limited.limitResponse.type is not Limited',
      ],
    ],
    [
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue' } } } },
      [
        'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
      ],
    ],
    [
      {
        spec: {
          type: 'Limited',
          limited: {
            limitResponse: {
              type: 'Queue',
              queuing: { queues: -1, handSize: -1, queueLengthLimit: -1 },
            },
          },
        },
      },
      [
        'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
        'spec.limited.limitResponse.queuing.queues: Invalid value: -1: must be positive',
        'spec.limited.limitResponse.queuing.handSize: Invalid value: -1: must be positive',
      ],
    ],
    [
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: 4, handSize: 5 } } },
        },
      },
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 5: should not be greater than queues (4)',
      ],
    ],
    [
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: 20000000, handSize: 5 } } },
        },
      },
      [
        'spec.limited.limitResponse.queuing.queues: Invalid value: 20000000: must not be greater than 10000000',
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 5: required entropy bits of deckSize 20000000 and handSize 5 should not be greater than 60',
      ],
    ],
    [
      {
        spec: {
          type: 'Limited',
          limited: { limitResponse: { type: 'Queue', queuing: { queues: 1000, handSize: 50 } } },
        },
      },
      [
        'spec.limited.limitResponse.queuing.handSize: Invalid value: 50: required entropy bits of deckSize 1000 and handSize 50 should not be greater than 60',
      ],
    ],
    [
      {
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
        metadata: {
          annotations: { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' },
        },
      },
      [
        "metadata.annotations: Forbidden: annotation 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares' is forbidden",
      ],
    ],
  ]);
});

test('priority levels change only as far as a real server lets them', () => {
  priorityLevels.plays([
    {
      object: {
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } },
      },
      steps: [{ set: 'spec/limited/nominalConcurrencyShares', to: 5 }],
    },
  ]);
});

test('priority levels are stored with the defaults of a real server', () => {
  priorityLevels.stores([
    [
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
      {
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 30,
            limitResponse: {
              type: 'Queue',
              queuing: { queues: 64, handSize: 8, queueLengthLimit: 50 },
            },
            lendablePercent: 0,
          },
        },
        status: {},
      },
    ],
  ]);
});

test('priority levels have the cells of a real server', () => {
  priorityLevels.shows([
    [
      { spec: { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing: {} } } } },
      ['x', 'Limited', 30, 64, 8, 50, '0s'],
    ],
  ]);
});
