import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import { isNotFound, toYaml } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import { readExecProfiles } from '../exec-profiles.ts';
import { runUp, temporaryFolder } from './testing/run-up.ts';

const EXEC = 'client.authentication.k8s.io/v1';

test('flotilla up joins a cluster by a command where a profile allows it', async () => {
  using folder = temporaryFolder();
  await using member = await startServer();
  const { authorization = '' } = await member.access.credential.present();
  const status = { token: authorization.replace('Bearer ', '') };
  const command = join(folder.path, 'give-token');
  const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion: EXEC, status });
  writeFileSync(command, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
  const text = `profiles: [{name: test, command: ${command}, env: {PATH: /usr/bin:/bin}}]`;
  const execProfiles = readExecProfiles('profiles.yaml', () => text);

  const running = await runUp(folder.path, { execProfiles });
  try {
    await using hub = await running.connect();
    const place = { namespace: 'vela-system', name: 'west' };
    await eventually(() => hub.list(ClusterRegistrations), Boolean, {
      withinMs: 60_000,
      tolerates: isNotFound,
    });
    await eventually(
      () =>
        hub.create(Secrets, {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: place,
          data: { kubeconfig: Buffer.from(kubeconfig()).toString('base64') },
        }),
      Boolean,
      // The namespace comes with the controllers.
      { withinMs: 60_000, tolerates: isNotFound },
    );
    await hub.create(ClusterRegistrations, {
      apiVersion: 'multicluster.oam.dev/v1alpha1',
      kind: 'ClusterRegistration',
      metadata: { ...place, name: 'west-registration' },
      spec: { clusterName: 'by-command', credentialSource: { secretRef: { name: 'west' } } },
    } as unknown as ClusterRegistration);
    await eventually(
      () => hub.get(ClusterRegistrations, { ...place, name: 'west-registration' }),
      ({ status: now }) => now?.phase === 'Ready',
      { withinMs: 60_000 },
    );
    const { data } = await hub.get(Secrets, { ...place, name: 'by-command' });
    assert.equal(Buffer.from(data?.['token'] ?? '', 'base64').toString(), status.token);
  } finally {
    assert.equal(await running.stop(), 0);
  }

  function kubeconfig(): string {
    const ca = Buffer.from(member.access.tls.ca ?? '').toString('base64');
    const exec = { command: 'give-token', apiVersion: EXEC, interactiveMode: 'Never' };
    return toYaml({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'it', cluster: { server: member.url, 'certificate-authority-data': ca } }],
      users: [{ name: 'it', user: { exec } }],
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
      'current-context': 'it',
    });
  }
});
