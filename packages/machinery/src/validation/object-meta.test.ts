import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFieldError } from '../field-errors.ts';
import type { ObjectMeta } from '../object.ts';
import { validateLabelSelector } from './labels.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts';

const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' };

function create(meta: ObjectMeta, options = { namespaced: true }): string[] {
  return validateObjectMeta(meta, options).map(formatFieldError);
}

function update(next: ObjectMeta, old: ObjectMeta): string[] {
  const base = { name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '1' };
  return validateObjectMetaUpdate({ ...base, ...next }, { ...base, ...old }).map(formatFieldError);
}

test('complete metadata is accepted', () => {
  const meta: ObjectMeta = {
    name: 'a.b',
    namespace: 'ns',
    generateName: 'a-',
    labels: { 'example.com/x': 'y', z: '' },
    annotations: { 'Example.com/Anything': 'any text\n' },
    ownerReferences: [{ ...owner, controller: true }, owner],
    finalizers: ['example.com/wait', 'orphan'],
    managedFields: [{ manager: 'kubectl', operation: 'Update', fieldsType: 'FieldsV1' }],
  };
  assert.deepEqual(create(meta), []);
});

test('a name is required, and a namespace where the kind has one', () => {
  assert.deepEqual(create({}), [
    'metadata.name: Required value: name or generateName is required',
    'metadata.namespace: Required value',
  ]);
  assert.deepEqual(create({ name: 'a', namespace: 'ns' }, { namespaced: false }), [
    'metadata.namespace: Forbidden: not allowed on this type',
  ]);
});

test('names follow the rule of the kind', () => {
  const named = (name: string, nameRule: 'label' | 'label-1035' | 'path-segment') =>
    validateObjectMeta({ name }, { namespaced: false, nameRule, path: 'm' }).map((e) => e.field);
  assert.deepEqual(named('a.b', 'label'), ['m.name']);
  assert.deepEqual(named('1a', 'label-1035'), ['m.name']);
  assert.deepEqual(named('system:a', 'path-segment'), []);
  assert.deepEqual(named('a/b', 'path-segment'), ['m.name']);
});

test('a generated name may end with a dash, a name may not', () => {
  assert.deepEqual(create({ name: 'a', namespace: 'ns', generateName: 'ab-' }), []);
  const errors = create({ name: 'a-', namespace: 'ns', generateName: 'A-b' });
  assert.equal(errors.length, 2);
  assert.match(errors[0] ?? '', /^metadata\.generateName: Invalid value: "A-b": a lowercase/);
  assert.match(errors[1] ?? '', /^metadata\.name: Invalid value: "a-": a lowercase/);
});

test('labels and annotations are checked at the path of the whole map', () => {
  const errors = create({
    name: 'a',
    namespace: 'ns',
    labels: { 'a b': '-' },
    annotations: { 'c d': 'x' },
  });
  assert.deepEqual(
    errors.map((error) => error.replace(/: must.*|: a valid.*|: name part.*/, '')),
    [
      'metadata.labels: Invalid value: "a b"',
      'metadata.labels: Invalid value: "-"',
      'metadata.annotations: Invalid value: "c d"',
    ],
  );
});

test('annotations may be 256 KiB together and no more', () => {
  const sized = (bytes: number) =>
    create({ name: 'a', namespace: 'ns', annotations: { a: 'é'.repeat(bytes / 2), b: 'xx' } });
  assert.deepEqual(sized(262144 - 4), []);
  assert.deepEqual(sized(262144 - 2), [
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  ]);
});

test('owners must be complete, at most one is the controller, and an Event is none', () => {
  const owners = (...ownerReferences: (typeof owner & { controller?: boolean })[]) =>
    create({ name: 'a', namespace: 'ns', ownerReferences });
  assert.deepEqual(owners({ apiVersion: 'a/b/c', kind: '', name: '', uid: '' }), [
    'metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    'metadata.ownerReferences.name: Invalid value: "": must not be empty',
    'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
  ]);
  assert.deepEqual(owners({ ...owner, kind: 'Event' }), [
    'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
  ]);
  const [error] = owners({ ...owner, controller: true }, { ...owner, name: 'm', controller: true });
  assert.match(
    error ?? '',
    /: Only one reference can have Controller set to true\. Found "true" in references for Node\/n and Node\/m$/,
  );
});

test('finalizers are qualified names, and the two ways of cascading exclude each other', () => {
  const finalizers = (...names: string[]) =>
    create({ name: 'a', namespace: 'ns', finalizers: names });
  assert.match(
    finalizers('a b')[0] ?? '',
    /^metadata\.finalizers: Invalid value: "a b": name part/,
  );
  assert.deepEqual(finalizers('orphan', 'foregroundDeletion'), [
    'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
  ]);
});

test('managed fields are checked entry by entry', () => {
  const errors = create({
    name: 'a',
    namespace: 'ns',
    managedFields: [{ manager: 'a\u0007', operation: 'Put', fieldsType: 'X' }],
  });
  assert.deepEqual(errors, [
    'metadata.managedFields[0].operation: Invalid value: "Put": must be `Apply` or `Update`',
    'metadata.managedFields[0].fieldsType: Invalid value: "X": must be `FieldsV1`',
    'metadata.managedFields[0].manager: Invalid value: "a\\a": invalid character U+0007 (at position 1)',
  ]);
});

test('an update may not change who an object is', () => {
  assert.deepEqual(update({}, {}), []);
  assert.deepEqual(
    update(
      {
        name: 'b',
        namespace: 'other',
        uid: 'v',
        resourceVersion: '',
        generation: 1,
        creationTimestamp: '2024-01-01T00:00:00Z',
      },
      { generation: 2, deletionGracePeriodSeconds: 30 },
    ),
    [
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.generation: Invalid value: 1: must not be decremented',
      'metadata.name: Invalid value: "b": field is immutable',
      'metadata.namespace: Invalid value: "other": field is immutable',
      'metadata.uid: Invalid value: "v": field is immutable',
      'metadata.creationTimestamp: Invalid value: "2024-01-01T00:00:00Z": field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: null: field is immutable',
    ],
  );
});

test('an object being deleted loses finalizers but gets none', () => {
  const deletionTimestamp = '2024-01-01T00:00:00Z';
  const old = { deletionTimestamp, finalizers: ['a', 'b'] };
  assert.deepEqual(update({ deletionTimestamp, finalizers: ['b'] }, old), []);
  assert.deepEqual(update({ deletionTimestamp, finalizers: ['d', 'b', 'c'] }, old), [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"c", "d"}',
  ]);
});

test('label selectors are checked expression by expression', () => {
  const check = (selector: Parameters<typeof validateLabelSelector>[0], options = {}) =>
    validateLabelSelector(selector, options, 's').map(formatFieldError);
  assert.deepEqual(check(undefined), []);
  assert.deepEqual(check({ matchExpressions: [{ key: 'a', operator: 'In' }] }), [
    "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
  ]);
  assert.deepEqual(check({ matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] }), [
    "s.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ]);
  const odd = { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['-'] }] };
  assert.deepEqual(
    check(odd).map((error) => error.slice(0, 63)),
    [
      's.matchExpressions[0].operator: Invalid value: "Gt": not a valid',
      's.matchExpressions[0].values[0]: Invalid value: "-": a valid lab',
    ].map((error) => error.slice(0, 63)),
  );
  const lax = {
    allowUnknownOperatorInRequirement: true,
    allowInvalidLabelValueInSelector: true,
  };
  assert.deepEqual(check(odd, lax), []);
});
