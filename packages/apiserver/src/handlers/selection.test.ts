import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { builtinRegistry } from '../resources/builtin-registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import { type Selection, selection } from './selection.ts';

const registry = builtinRegistry();
const pods = registry.find('', 'v1', 'pods') as ResourceDef;
const configMaps = registry.find('', 'v1', 'configmaps') as ResourceDef;
const jobs = registry.find('batch', 'v1', 'jobs') as ResourceDef;
const slices = registry.find('resource.k8s.io', 'v1', 'resourceslices') as ResourceDef;

describe('a selection', () => {
  test('without selectors is everything', () => {
    assert.equal(select(pods, {}).everything, true);
  });

  test('takes objects that match labels and fields alike', () => {
    const wanted = select(pods, { labels: 'app in (web,db),!old', fields: 'spec.nodeName=n1' });

    assert.equal(wanted.everything, false);
    assert.equal(wanted.matches(pod({ labels: { app: 'web' }, node: 'n1' })), true);
    assert.equal(wanted.matches(pod({ labels: { app: 'web' }, node: 'n2' })), false);
    assert.equal(wanted.matches(pod({ labels: { app: 'web', old: '' }, node: 'n1' })), false);
    assert.equal(wanted.matches(pod({ node: 'n1' })), false);
  });

  test('takes an absent field for an empty one', () => {
    assert.equal(select(pods, { fields: 'spec.nodeName=' }).matches(pod({})), true);
    assert.equal(select(pods, { fields: 'spec.nodeName!=' }).matches(pod({ node: 'n' })), true);
  });

  test('tells when only one name or namespace can match', () => {
    const wanted = select(pods, { fields: 'metadata.name=a,metadata.namespace=n' });
    assert.equal(wanted.name, 'a');
    assert.equal(wanted.namespace, 'n');
    assert.equal(select(pods, { fields: 'metadata.name!=a' }).name, undefined);
  });

  test('refuses fields the kind does not select by', () => {
    refuses(
      configMaps,
      { fields: 'data.k=v' },
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    refuses(pods, { fields: 'spec.containers=x' }, 'field label not supported: spec.containers');
    refuses(jobs, { fields: 'type=x' }, 'field label "type" not supported for Job');
    refuses(
      slices,
      { fields: 'type=x' },
      'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: type',
    );
    refuses(pods, { fields: 'constructor=x' }, 'field label not supported: constructor');
  });

  test('refuses what cannot be read', () => {
    assert.throws(() => select(pods, { labels: 'app in (' }), { code: 400 });
    assert.throws(() => select(pods, { fields: 'metadata.name' }), { code: 400 });
  });

  test('refuses a field selector for another name than the path has', () => {
    assert.throws(
      () => selection(pods, { labelSelector: '', fieldSelector: 'metadata.name=b' }, 'a'),
      { code: 400, message: "fieldSelector metadata.name doesn't match requested name" },
    );
  });
});

interface Selectors {
  readonly labels?: string;
  readonly fields?: string;
}

function select(def: ResourceDef, { labels = '', fields = '' }: Selectors): Selection {
  return selection(def, { labelSelector: labels, fieldSelector: fields });
}

function refuses(def: ResourceDef, selectors: Selectors, message: string): void {
  assert.throws(() => select(def, selectors), { code: 400, message });
}

function pod({ labels, node }: { labels?: Record<string, string>; node?: string }): KubeObject {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', namespace: 'n', ...(labels === undefined ? {} : { labels }) },
    spec: node === undefined ? {} : { nodeName: node },
  };
}
