import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  duplicate,
  forbidden,
  formatFieldErrors,
  internalFieldError,
  invalid,
  notFoundField,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './field-errors.ts';
import { at, child, keyed } from './field-path.ts';

test('field errors say what upstream says', () => {
  const cases: [{ message: string }, string][] = [
    [required('a'), 'Required value'],
    [required('a', 'must be set'), 'Required value: must be set'],
    [invalid('a', 'x"y', 'no'), 'Invalid value: "x\\"y": no'],
    [invalid('a', -1, 'no'), 'Invalid value: -1: no'],
    [invalid('a', 9007199254740993n, 'no'), 'Invalid value: 9007199254740993: no'],
    [invalid('a', true, 'no'), 'Invalid value: true: no'],
    [invalid('a', null, 'no'), 'Invalid value: null: no'],
    [invalid('a', undefined, 'no'), 'Invalid value: null: no'],
    [invalid('a', { b: ['<'] }, 'no'), 'Invalid value: {"b":["\\u003c"]}: no'],
    [notSupported('a', 'x', ['A', 'B']), 'Unsupported value: "x": supported values: "A", "B"'],
    [notSupported('a', 'x', []), 'Unsupported value: "x"'],
    [duplicate('a', 'x'), 'Duplicate value: "x"'],
    [forbidden('a', 'why'), 'Forbidden: why'],
    [notFoundField('a', 'x'), 'Not found: "x"'],
    [tooLong('a', 'secret', 5), 'Too long: may not be more than 5 bytes'],
    [tooLong('a', 'secret', 1), 'Too long: may not be more than 1 byte'],
    [tooLong('a', 'secret', -1), 'Too long: value is too long'],
    [tooMany('a', 5, 4), 'Too many: 5: must have at most 4 items'],
    [tooMany('a', -1, 1), 'Too many: must have at most 1 item'],
    [tooMany('a', 5, -1), 'Too many: 5: has too many items'],
    [typeInvalid('a', 1, 'must be string'), 'Invalid value: 1: must be string'],
    [internalFieldError('a', 'oops'), 'Internal error: oops'],
  ];
  for (const [error, message] of cases) assert.equal(error.message, message);
});

test('paths name children, elements and entries', () => {
  assert.equal(child('', 'spec'), 'spec');
  assert.equal(
    keyed(child(at(child('spec', 'containers'), 0), 'resources', 'limits'), 'cpu'),
    'spec.containers[0].resources.limits[cpu]',
  );
});

test('several errors are listed once each in brackets', () => {
  const one = required('a');
  assert.equal(formatFieldErrors([one]), 'a: Required value');
  assert.equal(formatFieldErrors([one, one]), 'a: Required value');
  assert.equal(
    formatFieldErrors([one, forbidden('', 'no')]),
    '[a: Required value, <nil>: Forbidden: no]',
  );
});
