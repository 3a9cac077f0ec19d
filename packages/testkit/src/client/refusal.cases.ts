import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Client, ConfigMaps, Deployments, Secrets } from '@flotilla/client';
import { defineKind, isAlreadyExists, isConflict, isInvalid } from '@flotilla/machinery';
import { configMap, deployment, refusal } from './fixtures.ts';
import type { CasesPlace } from './place.ts';

/** What a server says no with, and what it says beside its answers. */
export function refusalCases(place: CasesPlace): void {
  describe('refusals', () => {
    let client: Client;
    before(() => {
      client = place.client();
    });

    test('tell code, reason, details and causes', async () => {
      const namespace = await place.freshMaps(1);

      const missing = await refusal(client.get(ConfigMaps, { namespace, name: 'nobody' }));
      assert.equal(missing.code, 404);
      assert.equal(missing.reason, 'NotFound');
      assert.equal(missing.message, 'configmaps "nobody" not found');
      assert.deepEqual(missing.details, { name: 'nobody', kind: 'configmaps' });
      const twice = await refusal(client.create(ConfigMaps, configMap(namespace, 'm0')));
      assert.ok(isAlreadyExists(twice));
      const old = await client.get(ConfigMaps, { namespace, name: 'm0' });
      await client.replace(ConfigMaps, { ...old, data: { a: '1' } });
      const stale = await refusal(client.replace(ConfigMaps, { ...old, data: { a: '2' } }));
      assert.ok(isConflict(stale));
      const wrong = await refusal(
        client.create(Secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { namespace, name: 'Wrong_Name' },
        }),
      );
      assert.ok(isInvalid(wrong));
      assert.equal(wrong.details?.causes?.[0]?.field, 'metadata.name');
    });

    test('that are no Status get the words client-go has for them', async () => {
      const unknown = defineKind({
        group: 'nothing.example.com',
        version: 'v1',
        kind: 'Nothing',
        plural: 'nothings',
        namespaced: true,
      });

      const error = await refusal(client.get(unknown, { namespace: 'x', name: 'y' }));

      assert.equal(
        error.message,
        'the server could not find the requested resource (get nothings.nothing.example.com y)',
      );
      assert.deepEqual(error.details, {
        name: 'y',
        group: 'nothing.example.com',
        kind: 'nothings',
        causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }],
      });
    });
  });

  test('warnings are handed on, each once', async () => {
    const client = place.client();
    const namespace = await place.freshNamespace();
    const odd = { ...deployment(namespace, 'odd'), nonsense: 1 };
    const options = { fieldValidation: 'Warn', dryRun: true } as const;
    place.warnings.length = 0;

    await client.create(Deployments, odd, options);
    await client.create(Deployments, odd, options);

    assert.deepEqual(place.warnings, [{ code: 299, agent: '-', text: 'unknown field "nonsense"' }]);
  });
}
