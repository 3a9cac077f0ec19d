import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, StatusError } from '@flotilla/machinery';
import { decodePatched, type Patched } from './patched.ts';
import { typeTables } from './type-tables.ts';

const deployment = {
  type: typeTables().struct('apps/v1.Deployment'),
  expected: { group: 'apps', version: 'v1', kind: 'Deployment' },
  fieldValidation: 'Warn',
} as const;

function refusal(patched: Omit<Patched, 'type' | 'expected'>): string {
  try {
    decodePatched({ ...deployment, ...patched });
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, 422);
    return error.message;
  }
  return 'accepted';
}

const strategic = (patch: Json) =>
  refusal({ fieldValidation: 'Strict', result: patch, strategicPatch: patch });

test('the result of a patch is an object of its kind again', () => {
  const { object, warnings } = decodePatched({
    ...deployment,
    result: { metadata: { name: 'a' }, spec: { foo: 1 } },
    strict: ['duplicate field "spec"'],
  });
  assert.deepEqual([object.kind, object.apiVersion], ['Deployment', 'apps/v1']);
  assert.deepEqual(warnings, ['duplicate field "spec"', 'unknown field "spec.foo"']);
});

test('a strategic merge that leaves the type shows the patch as Go prints it', () => {
  const shown = (patch: string, reason: string) =>
    ` "" is invalid: patch: Invalid value: "${patch}": ${reason}`;
  assert.equal(
    strategic({ spec: { replicas: '3' } }),
    shown('map[spec:map[replicas:3]]', 'unrecognized type: int32'),
  );
  assert.equal(
    strategic({ spec: { replicas: 1.5 } }),
    shown('map[spec:map[replicas:1.5]]', 'cannot convert float64 to int32'),
  );
  assert.equal(
    strategic({ spec: { template: [] } }),
    shown('map[spec:map[template:[]]]', 'cannot restore struct from: slice'),
  );
  assert.equal(
    strategic({ metadata: { finalizers: 'x' } }),
    shown('map[metadata:map[finalizers:x]]', 'cannot restore slice from string'),
  );
  assert.equal(
    strategic({ metadata: { labels: { a: 1, b: null } } }),
    shown('map[metadata:map[labels:map[a:1 b:<nil>]]]', 'cannot convert int64 to string'),
  );
  assert.equal(
    strategic({ metadata: { labels: true } }),
    shown('map[metadata:map[labels:true]]', 'cannot restore map from bool'),
  );
  assert.equal(
    strategic({ spec: { zoo: 1, bar: 2 } }),
    shown(
      'map[spec:map[bar:2 zoo:1]]',
      'strict decoding error: unknown field "spec.bar", unknown field "spec.zoo"',
    ),
  );
});

test('a merge patch that leaves the type shows what became of the object', () => {
  assert.equal(
    refusal({ fieldValidation: 'Warn', result: { spec: { replicas: 'x' } } }),
    ' "" is invalid: patch: Invalid value: "{\\"spec\\":{\\"replicas\\":\\"x\\"}}": json: cannot unmarshal string ' +
      'into Go struct field DeploymentSpec.spec.replicas of type int32',
  );
  assert.match(
    refusal({ fieldValidation: 'Warn', result: { kind: 'Foo', apiVersion: 'apps/v1' } }),
    /no kind "Foo" is registered for version "apps\/v1" in scheme/,
  );
});
