import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { type Change, ROOT_TENANT } from '../storage/store.ts';
import { changeViews } from './change-view.ts';

const registry = builtinRegistry();
const configMaps = registry.find('', 'v1', 'configmaps') as ResourceDef;

describe('a change as watchers see it', () => {
  test('is an addition, a modification or a deletion by what was and is there', () => {
    const view = changeViews();
    assert.equal(view(configMaps, change({ value: at(1) })).type, 'ADDED');
    assert.equal(view(configMaps, change({ previous: at(1), value: at(2) })).type, 'MODIFIED');
    assert.equal(view(configMaps, change({ previous: at(1) })).type, 'DELETED');
  });

  test('shows a deleted object as it last was, at the revision of the deletion', () => {
    const view = changeViews()(configMaps, change({ previous: at(1), revision: 9 }));

    const event = JSON.parse(view.frame('DELETED').toString());
    assert.equal(event.type, 'DELETED');
    assert.equal(event.object.metadata.resourceVersion, '9');
    assert.equal(view.previous()?.metadata.resourceVersion, '9');
    assert.equal(view.current(), undefined);
  });

  test('shows what left a selector as it was before, at the revision it left', () => {
    const view = changeViews()(configMaps, change({ previous: at(1), value: at(9), revision: 9 }));

    assert.equal(
      view.frame('DELETED').toString(),
      `{"type":"DELETED","object":${at(9)}}\n`.replace('"v9"', '"v1"'),
    );
  });

  test('is decoded and encoded once for all watchers of the kind', () => {
    const view = changeViews();
    const one = change({ value: at(1) });

    assert.equal(view(configMaps, one), view(configMaps, one));
    assert.equal(view(configMaps, one).frame('ADDED'), view(configMaps, one).frame('ADDED'));
    assert.equal(view(configMaps, one).current(), view(configMaps, one).current());
  });

  test('is kept for as long as somebody asks for it every turn, and no longer', () => {
    const turns: (() => void)[] = [];
    const view = changeViews((turn) => turns.push(turn));
    const one = change({ value: at(1) });
    const first = view(configMaps, one);

    for (let turn = 0; turn < 5; turn += 1) {
      turns.shift()?.();
      assert.equal(view(configMaps, one), first);
    }
    turns.shift()?.();
    turns.shift()?.();

    assert.equal(turns.length, 0);
    assert.notEqual(view(configMaps, one), first);
  });

  test('is a view of its own for each version of the kind', () => {
    const view = changeViews();
    const core = registry.find('', 'v1', 'events') as ResourceDef;
    const own = registry.find('events.k8s.io', 'v1', 'events') as ResourceDef;
    const stored = Buffer.from(
      '{"kind":"Event","apiVersion":"v1","metadata":{"name":"e","namespace":"n","resourceVersion":"1"},"message":"hi"}',
    );
    const one = change({ value: stored });

    const old = JSON.parse(view(core, one).frame('ADDED').toString()).object;
    const renamed = JSON.parse(view(own, one).frame('ADDED').toString()).object;
    assert.equal(old.message, 'hi');
    assert.equal(renamed.apiVersion, 'events.k8s.io/v1');
    assert.equal(renamed.note, 'hi');
  });
});

function at(revision: number): Buffer {
  return Buffer.from(
    `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"${revision}"},"data":{"k":"v${revision}"}}`,
  );
}

function change(parts: { value?: Buffer; previous?: Buffer; revision?: number }): Change {
  const { value, previous, revision = 1 } = parts;
  return { tenant: ROOT_TENANT, key: 'core/configmaps/n/a', revision, value, previous };
}
