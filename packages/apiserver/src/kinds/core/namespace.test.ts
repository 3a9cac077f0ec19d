import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindTester } from './kind-tester.cases.ts';
import { labelNamespace } from './namespace.ts';

const namespaces = kindTester('/v1/Namespace');
const qualified =
  "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const notStandard = 'name is neither a standard finalizer name nor is it fully qualified';

test('a namespace starts active, labelled with its name and held by the kubernetes finalizer', () => {
  const created = namespaces.create({ spec: { finalizers: ['a.com/b'] }, status: { phase: 'x' } });
  assert.deepEqual(created['spec'], { finalizers: ['a.com/b', 'kubernetes'] });
  assert.deepEqual(created['status'], { phase: 'Active' });
  assert.deepEqual(created.metadata.labels, { 'kubernetes.io/metadata.name': 'x' });
});

test('the label of a namespace from generateName is set once its name is known', () => {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'a-' } };
  labelNamespace(object);
  assert.equal('labels' in object.metadata, false);
  const named = { ...object, metadata: { name: 'a-1', labels: { b: 'c' } } };
  labelNamespace(named);
  assert.deepEqual(named.metadata.labels, { b: 'c', 'kubernetes.io/metadata.name': 'a-1' });
});

test('finalizers must be known or qualified', () => {
  namespaces.refuses([
    [
      { spec: { finalizers: ['foo', 'a/b/c'] } },
      [
        `spec.finalizers: Invalid value: "foo": ${notStandard}`,
        `spec.finalizers: Invalid value: "a/b/c": ${qualified}`,
      ],
    ],
  ]);
});

test('an update keeps the finalizers, /finalize alone changes them', () => {
  const old = namespaces.create({});
  const next = { ...old, spec: { finalizers: [] } };
  const context = {
    now: () => new Date(0),
    user: 'admin',
    namespace: '',
    subresource: '',
  };
  namespaces.behaviour.prepareForUpdate?.(next, old, context);
  assert.deepEqual(next.spec, { finalizers: ['kubernetes'] });
  namespaces.plays([
    {
      object: {},
      subresource: 'finalize',
      steps: [
        {
          set: 'spec/finalizers',
          to: ['foo'],
          errors: [`spec.finalizers[0]: Invalid value: "foo": ${notStandard}`],
        },
        { set: 'spec/finalizers', to: [] },
      ],
    },
  ]);
});

test('the phase follows deletion', () => {
  const detail = "may only be 'Active' if `deletionTimestamp` is empty";
  namespaces.plays([
    {
      object: {},
      subresource: 'status',
      steps: [
        {
          set: 'status/phase',
          to: 'Terminating',
          errors: [`status.Phase: Invalid value: "Terminating": ${detail}`],
        },
      ],
    },
  ]);
  const object = namespaces.create({ metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } });
  const errors = namespaces.behaviour.validateStatusUpdate?.(object, object, {
    now: () => new Date(0),
    user: 'admin',
    namespace: '',
    subresource: 'status',
  });
  assert.deepEqual(
    errors?.map(({ message }) => message),
    ['Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty'],
  );
});

test('a namespace shows its phase', () => {
  namespaces.shows([[{}, ['x', 'Active', '0s']]]);
});
