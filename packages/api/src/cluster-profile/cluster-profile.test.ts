import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Json, parseYaml } from '@flotilla/machinery';
import { compileSchema, type JsonSchemaProps } from '@flotilla/machinery/schema';
import { crdOf } from '../schema/crd.ts';
import { ClusterProfiles, clusterProfile } from './cluster-profile.ts';

describe('ClusterProfiles', () => {
  test('are served where their CRD says, without what upstream has not', () => {
    const { metadata, spec } = crdOf(clusterProfile) as unknown as {
      metadata: { name: string };
      spec: { names: object; versions: object[] };
    };

    assert.equal(metadata.name, `${ClusterProfiles.plural}.${ClusterProfiles.group}`);
    assert.deepEqual(Object.keys(spec.names).sort(), ['kind', 'listKind', 'plural', 'singular']);
    assert.ok(!('additionalPrinterColumns' in (spec.versions[0] ?? {})));
  });

  test('have a structural schema that takes the examples', () => {
    const schema = compileSchema(schemaOf());

    assert.deepEqual(schema.problems, []);
    for (const { yaml, title } of clusterProfile.examples) {
      assert.deepEqual(schema.validate(parseYaml(yaml).value as Json), [], title);
    }
  });

  test('must have a manager, and refuse what upstream refuses', () => {
    const schema = compileSchema(schemaOf());
    const refusals = (spec: object, status: object = {}) =>
      schema.validate({ apiVersion: 'x', kind: 'ClusterProfile', metadata: {}, spec, status });
    const spec = { clusterManager: { name: 'flotilla' } };

    assert.deepEqual(refusals(spec), []);
    // A sample that is often seen lacks it.
    assert.notDeepEqual(refusals({ clusterName: 'west' }), []);
    for (const status of [
      { properties: [{ name: 'a', value: '' }] },
      { properties: [{ name: 'a', value: 'x'.repeat(1025) }] },
      { properties: [{ name: '', value: 'x' }] },
      { accessProviders: [{ name: 'a', cluster: {} }] },
      {
        accessProviders: [
          { name: 'a', cluster: { server: 's', extensions: [{ name: 'n', extension: ['a'] }] } },
        ],
      },
      { conditions: [{ type: 'A', status: 'True', reason: 'no reason', message: '' }] },
    ]) {
      assert.notDeepEqual(refusals(spec, status), [], JSON.stringify(status).slice(0, 80));
    }
  });
});

function schemaOf(): JsonSchemaProps {
  const { spec } = crdOf(clusterProfile) as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: JsonSchemaProps } }[] };
  };
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}
