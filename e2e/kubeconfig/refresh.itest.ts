// A kubeconfig from file to answer: a server that stops accepting a plugin's token, and a plugin that then has another.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createTransport, loadKubeconfig, resolveAccess } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { makeCertificates } from './prepare-golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'flotilla-refresh-'));
const { authority, serving } = makeCertificates();
const seen: (string | undefined)[] = [];
const server = createServer(
  { cert: serving.certificate, key: serving.key },
  (request, response) => {
    seen.push(request.headers.authorization);
    response.statusCode = request.headers.authorization === 'Bearer t1' ? 401 : 200;
    response.end('{}');
  },
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test('a token that is refused is asked for once more, by one run for all requests under way', async () => {
  writeFileSync(
    join(folder, 'plugin'),
    `#!/bin/sh
echo run >> "$0.runs"
n=$(wc -l < "$0.runs" | tr -d ' ')
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t%s"}}' "$n"
`,
    { mode: 0o755 },
  );
  writeFileSync(
    join(folder, 'config'),
    `current-context: x
contexts: [{name: x, context: {cluster: c, user: u}}]
clusters:
- name: c
  cluster:
    server: https://127.0.0.1:${(server.address() as AddressInfo).port}
    certificate-authority-data: ${Buffer.from(authority.certificate).toString('base64')}
users:
- name: u
  user: {exec: {command: ./plugin, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}
`,
  );
  const env = { PATH: '/usr/bin:/bin', KUBECONFIG: join(folder, 'config') };
  const access = await resolveAccess(await loadKubeconfig({ env, home: folder }), { env });
  await using transport = createTransport({ access, clock: systemClock, random: () => 0.5, env });
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => transport.send({ method: 'GET', path: '/version' })),
  );

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.equal(readFileSync(join(folder, 'plugin.runs'), 'utf8'), 'run\nrun\n');
  assert.deepEqual([...new Set(seen)], ['Bearer t1', 'Bearer t2']);
});
