import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { parseConditions } from './condition.ts';

function isMet(text: string, object: Json): boolean {
  const [condition] = parseConditions([text]);
  assert.equal(condition?.kind, 'state');
  return condition.kind === 'state' && condition.isMet(object);
}

const ready = (status: string, more: Json = {}): Json => ({
  metadata: { generation: 2 },
  status: {
    conditions: [
      { type: 'Other', status: 'True' },
      { type: 'Ready', status, ...more },
    ],
  },
});

describe('conditions of --for', () => {
  test('names and values are compared without regard to case, and true is what is meant without a value', () => {
    assert.equal(isMet('condition=ready', ready('True')), true);
    assert.equal(isMet('condition=READY=FALSE', ready('False')), true);
    assert.equal(isMet('condition=Ready=false', ready('True')), false);
    assert.equal(isMet('condition=Ready', ready('Unknown')), false);
    assert.equal(isMet('condition=Ready=a=b', ready('A=B')), true);
    assert.equal(isMet('condition=Missing', ready('True')), false);
  });

  test('what was observed of an older generation says nothing yet', () => {
    assert.equal(isMet('condition=Ready', ready('True', { observedGeneration: 1 })), false);
    assert.equal(isMet('condition=Ready', ready('True', { observedGeneration: 2 })), true);
    const ofStatus = (observedGeneration: number): Json => ({
      metadata: { generation: 2 },
      status: { observedGeneration, conditions: [{ type: 'Ready', status: 'True' }] },
    });
    assert.equal(isMet('condition=Ready', ofStatus(1)), false);
    assert.equal(isMet('condition=Ready', ofStatus(2)), true);
    const both = ready('True', { observedGeneration: 2 });
    assert.equal(
      isMet('condition=Ready', {
        ...both,
        status: { ...(both['status'] as Json), observedGeneration: 1 },
      }),
      true,
    );
  });

  test('objects that make no sense meet nothing', () => {
    for (const status of [undefined, null, 7, { conditions: 'x' }, { conditions: [null, 3, {}] }]) {
      assert.equal(isMet('condition=Ready', { metadata: {}, status }), false);
    }
  });

  test('paths lead to a value, or to anything at all', () => {
    const pod = { status: { phase: 'Running', count: 3, isOn: false, list: ['a'], text: ' x ' } };
    for (const [text, expected] of [
      ['jsonpath={.status.phase}=Running', true],
      ['jsonpath=.status.phase=Running', true],
      ['jsonpath={status.phase}="Running"', true],
      ["jsonpath={.status.phase}='running'", false],
      ['jsonpath={.status.count}=3', true],
      ['jsonpath={.status.isOn}=false', true],
      ['jsonpath={.status.text}=x', true],
      ['jsonpath={.status.list}', true],
      ['jsonpath={.status.missing}', false],
      ['jsonpath={.status.missing}=x', false],
      ['jsonpath={.status.list[?(@=="a")]}=a', true],
    ] as const) {
      assert.equal(isMet(text, pod), expected, text);
    }
  });

  test('an expression that does not fit an object is a mistake', () => {
    const pod = { status: { list: ['a', 'b'], map: {} } };
    for (const [text, message] of [
      ['jsonpath={.status.list[*]}', 'given jsonpath expression matches more than one value'],
      [
        'jsonpath={.status.map}=x',
        'jsonpath leads to a nested object or list which is not supported',
      ],
      ['jsonpath={.status.list[7]}', 'array index out of bounds: index 7, length 2'],
    ] as const) {
      assert.throws(() => isMet(text, pod), { name: 'UsageError', message });
    }
  });

  test("what is no condition is refused in kubectl's words", () => {
    for (const [texts, message] of [
      [[], 'unrecognized condition: ""'],
      [['ready'], 'unrecognized condition: "ready"'],
      [['Condition=Ready'], 'unrecognized condition: "Condition=Ready"'],
      [['jsonpath='], 'jsonpath expression cannot be empty'],
      [
        ['jsonpath={.a}='],
        "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
      ],
      [
        ['jsonpath={.a}=1=2'],
        "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
      ],
      [
        ['jsonpath={.a}{.b}'],
        "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
      ],
    ] as const) {
      assert.throws(() => parseConditions(texts), { name: 'UsageError', message });
    }
  });

  test('creation comes first, and once', () => {
    const kinds = parseConditions(['condition=A', 'CREATE', 'create', 'Delete']).map(
      ({ kind }) => kind,
    );
    assert.deepEqual(kinds, ['create', 'state', 'delete']);
  });
});
