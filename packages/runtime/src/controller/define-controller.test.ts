import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defineKind, type KubeObject } from '@flotilla/machinery';
import { defineController } from './define-controller.ts';

const Things = defineKind<KubeObject>({
  group: 'test.flotilla.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
});

describe('defineController', () => {
  test('refuses a condition that is skipped for a reason it cannot have', () => {
    const define = (skips: readonly string[]) =>
      defineController({
        name: 'thing',
        for: Things,
        conditions: { Made: { reasons: ['Done', 'Disabled'], skips } },
        reconcile: () => undefined,
      });

    assert.equal(define(['Disabled']).name, 'thing');
    assert.throws(() => define(['Disabeld']), {
      message:
        'Cannot define controller "thing": condition "Made" skips for "Disabeld", which is none of its reasons',
    });
  });
});
