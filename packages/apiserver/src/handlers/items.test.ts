import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Entry } from '../storage/store.ts';
import { joinItems } from './items.ts';

const configMaps = builtinRegistry().find('', 'v1', 'configmaps') as ResourceDef;

describe('items of a list', () => {
  test('are nothing when there are none', () => {
    assert.equal(joinItems(configMaps, []).toString(), '');
  });

  test('are the stored bytes without kind and apiVersion', () => {
    const entries = ['a', 'b'].map((name) =>
      entry(
        `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}"},"data":{"k":"ü"}}`,
      ),
    );

    assert.equal(
      joinItems(configMaps, entries).toString(),
      '{"metadata":{"name":"a"},"data":{"k":"ü"}},{"metadata":{"name":"b"},"data":{"k":"ü"}}',
    );
    assert.ok(entries[0]?.value.toString().startsWith('{"kind"'), 'stored bytes are untouched');
  });

  test('lose kind and apiVersion wherever other hands have put them', () => {
    const foreign = entry('{"apiVersion":"v1","metadata":{"name":"a"},"kind":"ConfigMap"}');

    assert.equal(joinItems(configMaps, [foreign]).toString(), '{"metadata":{"name":"a"}}');
  });

  test('keep kind and apiVersion where the kind is not one of Kubernetes', () => {
    const custom = { ...configMaps, builtIn: false };
    const text = '{"kind":"Boat","apiVersion":"example.com/v1","metadata":{}}';

    assert.equal(joinItems(custom, [entry(text), entry(text)]).toString(), `${text},${text}`);
  });
});

function entry(text: string): Entry {
  return { key: 'k', revision: 1, value: Buffer.from(text) };
}
