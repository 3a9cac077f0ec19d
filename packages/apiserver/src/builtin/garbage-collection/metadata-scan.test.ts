import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  mayBeDeleting,
  mayHaveOwners,
  readOwnership,
  readUid,
  sameOwners,
} from './metadata-scan.ts';

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o]"}', uid: 'u-1' };

describe('reading ownership from bytes', () => {
  test('finds what decoding the whole object would find, in any order of fields', () => {
    const metadata = {
      name: 'a"b\\',
      uid: 'u-2',
      annotations: { json: '{"metadata":{"uid":"no"},"ownerReferences":[{}]}' },
      ownerReferences: [OWNER, { ...OWNER, uid: 'u-3', blockOwnerDeletion: true }],
      finalizers: ['foregroundDeletion', 'a.b/c'],
      deletionTimestamp: '2026-01-01T00:00:00Z',
    };
    const wanted = {
      uid: 'u-2',
      owners: metadata.ownerReferences,
      finalizers: metadata.finalizers,
      isDeleting: true,
    };
    const objects = [
      { kind: 'Pod', apiVersion: 'v1', metadata, spec: { metadata: { uid: 'other' } } },
      { aaa: { metadata: { uid: 'other' } }, apiVersion: 'v1', kind: 'X', metadata },
      { n: -1.5e3, t: true, z: null, l: [[{}], ']'], metadata: reversed(metadata), spec: {} },
    ];

    for (const object of objects) assert.deepEqual(readOwnership(bytesOf(object)), wanted);
    for (const object of objects) assert.equal(readUid(bytesOf(object)), 'u-2');
  });

  test('finds nothing where there is nothing', () => {
    const nothing = { uid: '', owners: [], finalizers: [], isDeleting: false };

    assert.deepEqual(readOwnership(bytesOf({})), nothing);
    assert.deepEqual(readOwnership(bytesOf({ kind: 'X', metadata: {} })), nothing);
    assert.deepEqual(readOwnership(Buffer.from('')), nothing);
  });

  test('a quick look is not fooled by texts that only look like owners', () => {
    const annotated = {
      metadata: { annotations: { a: '"ownerReferences":["deletionTimestamp":"' } },
    };
    const managed = { metadata: { managedFields: [{ fieldsV1: { 'f:ownerReferences': {} } }] } };

    for (const object of [annotated, managed]) {
      assert.equal(mayHaveOwners(bytesOf(object)), false);
      assert.equal(mayBeDeleting(bytesOf(object)), false);
    }
    assert.equal(mayHaveOwners(bytesOf({ metadata: { ownerReferences: [OWNER] } })), true);
    assert.equal(mayBeDeleting(bytesOf({ metadata: { deletionTimestamp: 'now' } })), true);
  });

  test('owners are the same only when every byte of them is', () => {
    const of = (...owners: object[]) =>
      bytesOf({ metadata: { ownerReferences: owners }, data: {} });

    assert.equal(sameOwners(of(OWNER), of(OWNER)), true);
    assert.equal(sameOwners(of(OWNER), of({ ...OWNER, uid: 'u-9' })), false);
    assert.equal(sameOwners(of(OWNER), of(OWNER, OWNER)), false);
    assert.equal(sameOwners(of(OWNER), bytesOf({ metadata: {} })), false);
  });
});

function bytesOf(object: object): Buffer {
  return Buffer.from(JSON.stringify(object));
}

function reversed(object: object): object {
  return Object.fromEntries(Object.entries(object).reverse());
}
