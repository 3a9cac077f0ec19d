// KubeVela's own programs, unmodified, where they are on the PATH: cluster-gateway beside our gateway on the same hub,
// answering the same requests from the same Secrets; and `vela cluster` on our gateway alone.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '@flotilla/testkit';
import {
  accessTo,
  GATEWAYS,
  type GatewayHub,
  NAMESPACE,
  startHub,
  tokenAccess,
  VIRTUAL,
} from '../../packages/hub/src/gateway/testing/gateway-hub.ts';
import { kubeconfigOf, tool } from './kubectl.ts';
import { freePort, onPath, type RunningGateway, startGateway } from './upstream-programs.ts';

const GATEWAY = onPath('cluster-gateway');
const VELA = onPath('vela');
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: object;
}

const REQUESTS: readonly Asked[] = [
  { path: '/apis/cluster.core.oam.dev/v1alpha1' },
  { path: GATEWAYS },
  { path: GATEWAYS, accept: TABLE },
  { path: `${GATEWAYS}?includeObject=Object`, accept: TABLE },
  { path: `${GATEWAYS}/west` },
  { path: `${GATEWAYS}/west`, accept: TABLE },
  { path: `${GATEWAYS}/odd` },
  { path: `${GATEWAYS}/tunnelled` },
  { path: `${GATEWAYS}/unlabelled` },
  { path: VIRTUAL },
  { path: VIRTUAL, accept: TABLE },
  { path: `${VIRTUAL}/west` },
  { path: `${VIRTUAL}/local` },
  { path: `${VIRTUAL}/none` },
  { path: `${VIRTUAL}/unlabelled` },
  { path: `${VIRTUAL}?labelSelector=region%3Dwest` },
  { path: `${VIRTUAL}?labelSelector=region%21%3Dwest` },
  { path: `${VIRTUAL}?labelSelector=cluster.core.oam.dev%2Fcontrol-plane%3Dfalse%2Cregion` },
  { path: `${GATEWAYS}/west/health` },
  { path: `${GATEWAYS}/none/health` },
  {
    method: 'PUT',
    path: `${GATEWAYS}/west/health`,
    contentType: 'application/json',
    body: {
      apiVersion: 'cluster.core.oam.dev/v1alpha1',
      kind: 'ClusterGateway',
      metadata: { name: 'west' },
      status: { healthy: true, healthyReason: 'ConnectionTimeout' },
    },
  },
  { path: `${GATEWAYS}/west/proxy/version` },
  { path: `${GATEWAYS}/west/proxy/healthz` },
  { path: `${GATEWAYS}/west/proxy/api/v1/namespaces/default` },
  { path: `${GATEWAYS}/west/proxy/api/v1/namespaces/none` },
  { path: `${GATEWAYS}/west/proxy/apis/nowhere` },
  {
    method: 'POST',
    path: `${GATEWAYS}/west/proxy/api/v1/namespaces/default/configmaps?dryRun=All`,
    contentType: 'application/json',
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'tried' } },
  },
  {
    method: 'POST',
    path: `${GATEWAYS}/west/proxy/apis/authentication.k8s.io/v1/selfsubjectreviews?impersonate=true`,
    contentType: 'application/json',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  },
  { path: `${GATEWAYS}/none/proxy/version` },
  { path: `${GATEWAYS}/away/proxy/version` },
  { method: 'POST', path: GATEWAYS, contentType: 'application/json', body: {} },
  { method: 'DELETE', path: `${GATEWAYS}/west` },
  { method: 'HEAD', path: `${GATEWAYS}/west/proxy/version` },
  { method: 'OPTIONS', path: `${GATEWAYS}/none/proxy/version` },
];

test('REG-74 our gateway answers as the real cluster-gateway does', {
  skip: GATEWAY === undefined && 'there is no cluster-gateway on the PATH',
  timeout: 120_000,
}, async () => {
  await using west = await startServer();
  await using hub = await startHub();
  await prepare(hub, await accessTo(west));
  await using real = await startBeside(hub, GATEWAY ?? '');

  const differences: string[] = [];
  for (const asked of REQUESTS) {
    const [wanted, got] = [await ask(real.url, asked), await ask(hub.server.url, asked)];
    if (wanted === got) continue;
    const { method = 'GET', path } = asked;
    differences.push(`${method} ${path}\n  real: ${wanted}\n  ours: ${got}`);
  }
  assert.deepEqual(differences, []);
});

test('vela lists and probes clusters through our gateway', {
  skip: VELA === undefined && 'there is no vela on the PATH',
  timeout: 120_000,
}, async () => {
  await using west = await startServer();
  await using hub = await startHub();
  await hub.join('west', await accessTo(west), { labels: { region: 'west' } });
  const server = { url: hub.server.url, ca: hub.server.access.tls.ca ?? '', token: 'admin' };
  await using vela = tool(VELA ?? '', server);

  const list = await vela.run(['cluster', 'list']);
  assert.equal(list.code, 0, list.stderr);
  assert.match(list.stdout, /local\s+Internal/);
  assert.match(list.stdout, /west\s+ServiceAccountToken/);
  assert.match((await vela.run(['cluster', 'probe', 'west'])).stdout, /ok/);
});

async function prepare(hub: GatewayHub, access: Awaited<ReturnType<typeof accessTo>>) {
  await hub.join('west', access, {
    labels: { region: 'west' },
    annotations: { 'cluster.core.oam.dev/cluster-alias': 'The West' },
  });
  await hub.join('away', tokenAccess(`https://127.0.0.1:${await freePort()}`, access.ca, 'tok'));
  await hub.join('odd', tokenAccess('https://10.0.0.2:6443', '', 'tok'), {
    labels: { 'cluster.core.oam.dev/cluster-endpoint-type': 'Odd' },
  });
  await hub.join('tunnelled', tokenAccess('https://10.0.0.2:6443', undefined, 'tok'), {
    labels: { 'cluster.core.oam.dev/cluster-endpoint-type': 'ClusterProxy' },
  });
  await hub.client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/${NAMESPACE}/secrets`,
    // Without an endpoint the real one says that before it says that there is no such cluster.
    body: { metadata: { name: 'unlabelled' }, stringData: { endpoint: 'https://10.0.0.2:6443' } },
  });
}

/** Starts the real one with the hub's Secrets. */
async function startBeside(hub: GatewayHub, path: string): Promise<RunningGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'flotilla-upstream-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const { url, access } = hub.server;
  writeFileSync(kubeconfig, kubeconfigOf({ url, ca: access.tls.ca ?? '', token: 'admin' }));
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const real = await startGateway({
      path,
      kubeconfig,
      namespace: NAMESPACE,
      isReady: async (at) => (await ask(at, { path: GATEWAYS })).includes('"name":"west"'),
    });
    return {
      url: real.url,
      [Symbol.asyncDispose]: async () => {
        await real[Symbol.asyncDispose]();
        forget();
      },
    };
  } catch (error) {
    forget();
    throw error;
  }
}

/** Status and body of an answer, as text; what differs from one answer to the next is replaced. */
function ask(url: string, { method = 'GET', path, accept, contentType, body }: Asked) {
  return new Promise<string>((resolve, reject) => {
    const call = httpsRequest(`${url}${path}`, {
      method,
      agent: false,
      // The real one signs its own certificate.
      rejectUnauthorized: false,
      headers: {
        authorization: 'Bearer admin',
        accept: accept ?? 'application/json',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve(`${response.statusCode ?? 0} ${normalised(text)}`);
      });
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function normalised(text: string): string {
  return inOrder(text)
    .replaceAll(/"uid":"[^"]+"/g, '"uid":"U"')
    .replaceAll(/"caBundle":"[^"]+"/g, '"caBundle":"CA"')
    .replaceAll(/"(creationTimestamp|time)":"[^"]+"/g, '"$1":"T"')
    .replaceAll(/"20\d\d-\d\d-\d\dT[^"]+"/g, '"T"');
}

/** The real one lists its clusters, and their labels in a table, in the order of the day. */
function inOrder(text: string): string {
  let value: { items?: unknown[]; rows?: { cells: unknown[] }[] };
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const byText = (a: unknown, b: unknown) => JSON.stringify(a).localeCompare(JSON.stringify(b));
  if (Array.isArray(value.items)) value.items.sort(byText);
  for (const { cells } of value.rows ?? []) {
    if (typeof cells[5] === 'string') cells[5] = cells[5].split(',').sort().join();
  }
  value.rows?.sort(byText);
  return `${JSON.stringify(value)}\n`;
}
