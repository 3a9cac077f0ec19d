import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseLabelArguments } from './labels.ts';
import { parseLabels } from './parse-labels.ts';

test('labels are set with an equals sign and removed with a dash', () => {
  assert.deepEqual(parseLabelArguments(['env=prod', 'tier-', 'empty=']), {
    env: 'prod',
    tier: null,
    empty: '',
  });
  assert.throws(() => parseLabelArguments(['env']), /Cannot read label "env"/);
});

test('a list of labels has exactly one equals sign in each part', () => {
  assert.deepEqual(parseLabels('a=1,b=2'), { a: '1', b: '2' });
  for (const wrong of ['a', 'a=1,', 'a=1=2', '=1']) {
    assert.throws(() => parseLabels(wrong), /write key=value/, wrong);
  }
});
