import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { createClient, createTransport } from '@flotilla/client';
import { systemClock as clock, isInvalid } from '@flotilla/machinery';
import { silentLogger } from '@flotilla/runtime';
import { eventually, startServer } from '@flotilla/testkit';
import { installKinds } from '../../install/install-kinds.ts';
import { registration } from '../testing/builders.ts';
import { wantedName } from '../types.ts';
import { startRegistrationWebhook } from './registration-webhook.ts';

const random = () => 0.5;

describe('the admission webhook', () => {
  test('refuses a name that is taken, and warns of what is unwise', async () => {
    await using server = await startServer();
    const warnings: string[] = [];
    await using client = createClient(createTransport({ access: server.access, clock, random }), {
      onWarning: (warning) => void warnings.push(String(warning.text)),
    });
    const { signal } = new AbortController();
    await installKinds(client, { clusterProfiles: false }, signal);
    const known = [registration('first', { clusterName: 'taken' })];
    await using _ = await startRegistrationWebhook(
      {
        client,
        clock,
        logger: silentLogger,
        findByName: (name) => known.filter((each) => wantedName(each) === name),
        place: {
          port: 0,
          host: '127.0.0.1',
          reachedAt: { host: '127.0.0.1' },
          secret: { namespace: 'default', name: 'webhook' },
        },
      },
      signal,
    );

    // The server takes a moment to hear of the webhook.
    const probe = (at: number) =>
      client.create(ClusterRegistrations, registration(`probe-${at}`, { clusterName: 'taken' }), {
        dryRun: true,
      });
    let tries = 0;
    await eventually(() =>
      probe(tries++).then(
        () => false,
        (error: unknown) => {
          if (!isInvalid(error)) throw error;
          assert.match(String(error), /"default\/first" has that name/);
          return true;
        },
      ),
    );
    await client.create(ClusterRegistrations, registration('free'));
    assert.equal(warnings.length, 0);

    const inline = {
      endpoint: 'https://example.com',
      credentialType: 'ServiceAccountToken' as const,
      tokenData: 'YWRtaW4=',
    };
    const config = { inClusterBootstrap: true };
    const unwise = registration('unwise', { credentialSource: { inline }, config });
    await client.create(ClusterRegistrations, unwise);
    assert.ok(
      warnings.some((text) => text.includes('can read the credential')),
      String(warnings),
    );
    assert.ok(
      warnings.some((text) => text.includes('inClusterBootstrap')),
      String(warnings),
    );
  });
});
