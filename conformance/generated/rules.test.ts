import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ABSENT, type Difference } from '../compare.ts';
import { unexplainedOf } from './judge-case.ts';

const difference = (step: string, path: string, [wanted, got]: [unknown, unknown]): Difference => ({
  caseId: 'g1',
  step,
  path: path.split('.'),
  wanted,
  got,
});

const SERVICE = 'PATCH /api/v1/namespaces/{ns}/services/a';

describe('differences of generated cases', () => {
  test('are bugs unless a rule explains them', () => {
    const code = difference('GET /api/v1/namespaces/{ns}/pods/a', '1.code', ['200', '404']);

    assert.deepEqual(unexplainedOf([code]), [code]);
  });

  test('end where one server has a Service that the other has not', () => {
    const before = difference(SERVICE, '1.code', ['200', '404 services "a" not found']);
    const status = difference(`${SERVICE}/status?force=true`, '2.code', [
      '201',
      '404 services "a" not found',
    ]);
    const after = difference(SERVICE, '3.code', ['200', '404 services "a" not found']);

    assert.deepEqual(unexplainedOf([before, status, after]), [before]);
  });

  test('may be an empty value that Go prints as such, and nothing else', () => {
    const text = (value: string) => `Invalid value: ${value}: either`;
    const step = 'POST /apis/networking.k8s.io/v1/namespaces/{ns}/ingresses';
    const path = '1.body.details.causes.0.message';
    const other = difference(step, path, [text('[]'), 'Invalid value: null: neither']);

    assert.deepEqual(unexplainedOf([difference(step, path, [text('[]'), text('null')]), other]), [
      other,
    ]);
  });

  test('may be in the diff of a refused pod update, but not before it', () => {
    const text = (start: string, diff: string) =>
      `${start}: pod updates may not change fields other than x\\n@@ -1 +1 @@${diff}`;
    const path = '2.body.details.causes.0';
    const step = 'PATCH /api/v1/namespaces/{ns}/pods/a';
    const other = difference(step, path, [text('Forbidden', 'a'), text('Invalid', 'a')]);

    assert.deepEqual(
      unexplainedOf([
        difference(step, path, [text('Forbidden', 'a'), text('Forbidden', 'b')]),
        other,
      ]),
      [other],
    );
  });

  test('may be a cause more for an immutable ConfigMap', () => {
    const step = 'PATCH /api/v1/namespaces/{ns}/configmaps/a';
    const cause = { field: 'data', message: 'field is immutable when `immutable` is set' };
    const path = '2.body.details.causes.1';

    assert.deepEqual(unexplainedOf([difference(step, path, [cause, ABSENT])]), []);
    assert.equal(unexplainedOf([difference(step, path, [{ field: 'x' }, ABSENT])]).length, 1);
  });

  test('may be one revision more upstream, never one less', () => {
    const path = '2.body.metadata.resourceVersion';

    assert.deepEqual(unexplainedOf([difference(SERVICE, path, ['<rv 2>', '<rv 1>'])]), []);
    assert.equal(unexplainedOf([difference(SERVICE, path, ['<rv 1>', '<rv 2>'])]).length, 1);
    assert.equal(unexplainedOf([difference(SERVICE, path, ['<rv 3>', '<rv 1>'])]).length, 1);
  });
});
