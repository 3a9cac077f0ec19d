import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileSchema, type JsonSchemaProps } from '@flotilla/machinery/schema';
import { conditionSetOf } from '../schema/condition-set.ts';
import { crdOf } from '../schema/crd.ts';
import { draftOf } from '../schema/draft.ts';
import type { ConditionSource } from '../schema/kind-source.ts';
import {
  type ClusterRegistration,
  ClusterRegistrations,
  clusterRegistration,
} from './cluster-registration.ts';
import { clusterRegistrationConditions } from './conditions.ts';

describe('ClusterRegistrations', () => {
  test('are served where their CRD says', () => {
    const { group, version, plural, kind, namespaced } = ClusterRegistrations;
    const { metadata, spec } = crdOf(clusterRegistration) as unknown as {
      metadata: { name: string };
      spec: { group: string; scope: string; names: { kind: string }; versions: { name: string }[] };
    };

    assert.equal(metadata.name, `${plural}.${group}`);
    assert.deepEqual(
      [spec.group, spec.versions[0]?.name, spec.names.kind, spec.scope],
      [group, version, kind, namespaced ? 'Namespaced' : 'Cluster'],
    );
  });

  test('can be drafted without what the server fills in, and read with it', () => {
    const draft: ClusterRegistration = draftOf(
      clusterRegistration,
      { name: 'west', namespace: 'vela-system' },
      { credentialSource: { secretRef: { name: 'west' } }, config: { createNamespace: '' } },
    );
    const schema = compileSchema(schemaOf());
    schema.defaults(draft);

    assert.equal(draft.spec.config.heartbeatInterval, '5m');
    assert.equal(draft.spec.config.createNamespace, '');
    assert.equal(draft.spec.credentialSource.secretRef?.key, 'kubeconfig');
    assert.deepEqual(schema.validate(draft), []);
  });

  test('have a structural schema in which every field is described', () => {
    assert.deepEqual(compileSchema(schemaOf()).problems, []);
    assert.deepEqual(undescribed('spec', clusterRegistration.spec.props), []);
    assert.deepEqual(undescribed('status', clusterRegistration.status.props), []);
  });

  test('give every reason to one status of a condition only', () => {
    for (const [type, { reasons }] of Object.entries(clusterRegistration.conditions)) {
      const all: readonly string[] = [...reasons.True, ...reasons.False, ...reasons.Unknown];

      assert.equal(new Set(all).size, all.length, type);
    }
  });

  test('count as skipped only what a condition gives as reason for Unknown', () => {
    for (const [type, source] of Object.entries(clusterRegistration.conditions)) {
      const { skips = [], reasons }: ConditionSource = source;
      for (const skip of skips) assert.ok(reasons.Unknown.includes(skip), `${type}: ${skip}`);
    }
  });

  test('have a set of conditions for controllers, with the reasons of all statuses', () => {
    const { CredentialValid, NamespaceCreated } = conditionSetOf(clusterRegistrationConditions);
    const known: (typeof CredentialValid.reasons)[number] = 'Unauthorized';
    // @ts-expect-error: no such reason.
    const misspelt: (typeof CredentialValid.reasons)[number] = 'Unauthorised';

    assert.ok(CredentialValid.reasons.includes(known));
    assert.ok(!CredentialValid.reasons.includes(misspelt));
    assert.equal(CredentialValid.reasons.length, 8);
    assert.deepEqual([CredentialValid.gatesReady, NamespaceCreated.gatesReady], [true, false]);
    assert.deepEqual(CredentialValid.skips, ['ValidationSkipped']);
    assert.deepEqual(conditionSetOf(clusterRegistrationConditions).SourceResolved.skips, []);
  });
});

function schemaOf(): JsonSchemaProps {
  const { spec } = crdOf(clusterRegistration) as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: JsonSchemaProps } }[] };
  };
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}

function undescribed(path: string, props: JsonSchemaProps): string[] {
  const below = Object.entries(props.properties ?? {}).flatMap(([name, child]) =>
    undescribed(`${path}.${name}`, child),
  );
  return props.description === undefined ? [path, ...below] : below;
}
