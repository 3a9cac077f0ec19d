import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutCauseOrder } from './cause-order.ts';

const status = (message: string, fields: readonly string[]) => ({
  kind: 'Status',
  message,
  details: { name: 'a', causes: fields.map((field) => ({ field })) },
});

test('two causes in either order are the same answer, another cause is not', () => {
  const [one, other] = [status('bad: [x, y]', ['x', 'y']), status('bad: [y, x]', ['y', 'x'])];

  assert.deepEqual(withoutCauseOrder(one), withoutCauseOrder(other));
  assert.notDeepEqual(withoutCauseOrder(one), withoutCauseOrder(status('bad: [x, z]', ['x', 'z'])));
});

test('a single cause and every other object stay to the letter', () => {
  for (const body of [status('bad: x', ['x']), { kind: 'Pod', message: 'm' }, 'text', null]) {
    assert.deepEqual(withoutCauseOrder(body), body);
  }
});

test('of an object that cannot be typed, which problem is told first is chance', () => {
  const text = 'failed to create typed patch object (a/b; v1, Kind=X): ';

  assert.deepEqual(
    withoutCauseOrder(status(`${text}.spec.a: field not declared in schema`, [])),
    withoutCauseOrder(status(`${text}errors:\n  .spec.a: x\n  .spec.b: y`, [])),
  );
});
