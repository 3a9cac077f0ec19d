import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject, OwnerReference } from '@flotilla/machinery';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Engine } from './engine.ts';
import {
  dedupOwners,
  generateName,
  matchNamespace,
  sameSpec,
  wipeSystemFields,
} from './metadata.ts';

const registry = builtinRegistry();
const pods = registry.find('', 'v1', 'pods') as ResourceDef;
const nodes = registry.find('', 'v1', 'nodes') as ResourceDef;

describe('metadata', () => {
  test('gets a generated name that fits a label, however long the prefix', () => {
    const engine = { nameSuffix: () => 'bcdfg' } as Engine;

    assert.equal(generateName('web-', engine), 'web-bcdfg');
    assert.equal(generateName('w'.repeat(100), engine).length, 63);
  });

  test('takes the namespace of the request and bears no other', () => {
    const meta: KubeObject['metadata'] = {};
    matchNamespace(pods, meta, 'n');
    assert.equal(meta.namespace, 'n');

    assert.throws(() => matchNamespace(pods, { namespace: 'm' }, 'n'), {
      code: 400,
      message:
        'the namespace of the provided object does not match the namespace sent on the request',
    });
  });

  test('has no namespace where the kind has none', () => {
    const meta = { namespace: 'n' };
    matchNamespace(nodes, meta, '');
    assert.deepEqual(meta, {});
  });

  test('loses what only the server may say', () => {
    const meta = {
      name: 'a',
      uid: 'u',
      creationTimestamp: 't',
      deletionTimestamp: 't',
      deletionGracePeriodSeconds: 1,
      selfLink: '/',
      labels: { k: 'v' },
    };
    wipeSystemFields(meta);
    assert.deepEqual(meta, { name: 'a', labels: { k: 'v' } });
  });

  test('keeps each owner once and tells of the others', () => {
    const warnings: string[] = [];
    const object = owned(owner('1'), owner('2'), owner('1'));

    dedupOwners(object, (message) => warnings.push(message));

    assert.deepEqual(object.metadata.ownerReferences, [owner('1'), owner('2')]);
    assert.match(warnings[0] ?? '', /duplicate UID\(s\) observed: 1$/);
    dedupOwners(owned(owner('1'), { ...owner('1'), controller: true }), () =>
      assert.fail('owners that differ are not duplicates'),
    );
  });

  test('and status are no part of what makes a new generation', () => {
    const base = { kind: 'Pod', apiVersion: 'v1', metadata: {}, spec: { a: 1 } };

    assert.equal(sameSpec(base, { ...base, metadata: { labels: { k: 'v' } } }), true);
    assert.equal(sameSpec(base, { ...base, status: { phase: 'Running' } }), true);
    assert.equal(sameSpec(base, { ...base, spec: { a: 2 } }), false);
  });
});

function owner(uid: string): OwnerReference {
  return { apiVersion: 'v1', kind: 'Pod', name: 'p', uid };
}

function owned(...ownerReferences: OwnerReference[]): KubeObject {
  return { kind: 'Pod', apiVersion: 'v1', metadata: { ownerReferences } };
}
