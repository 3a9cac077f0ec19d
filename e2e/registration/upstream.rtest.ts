// What our controllers write, read by KubeVela's own programs, and the other way round, where they are on the PATH.
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import { eventually, startServer } from '@flotilla/testkit';
import { convert } from '../../packages/cli/src/cluster/convert.ts';
import { detach } from '../../packages/cli/src/cluster/detach.ts';
import { join } from '../../packages/cli/src/cluster/join.ts';
import { list } from '../../packages/cli/src/cluster/list.ts';
import { probe } from '../../packages/cli/src/cluster/probe.ts';
import {
  type JoinedHub,
  startJoinedHub,
} from '../../packages/cli/src/cluster/testing/joined-hub.ts';
import { startMember } from '../../packages/hub/src/registration/testing/member.ts';
import { installVela } from '../../packages/hub/src/registration/testing/vela.ts';
import { type Tool, tool } from '../gateway/kubectl.ts';
import { onPath, startGateway } from '../gateway/upstream-programs.ts';
import { readTarget } from '../robustness/flotilla-process.ts';

const NAMESPACE = 'vela-system';
const GATEWAYS = '/apis/cluster.core.oam.dev/v1alpha1/clustergateways';
const GATEWAY = onPath('cluster-gateway');
const VELA = onPath('vela');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const secretOf = (hub: JoinedHub, name: string) =>
  hub.client.get(Secrets, { namespace: NAMESPACE, name });

test('REG-1 REG-2 the real cluster-gateway reaches members by the Secrets that registrations write', {
  skip: GATEWAY === undefined && 'there is no cluster-gateway on the PATH',
  timeout: 120_000,
}, async () => {
  await using hub = await startJoinedHub();
  await using member = await startMember();
  const { server, tls } = member.access;
  const place = { endpoint: server, caData: base64(tls.ca ?? '') };
  const { certificate, key } = member.pair;
  const sources = {
    token: {
      ...place,
      credentialType: 'ServiceAccountToken',
      tokenData: base64(await member.token('of-the-gateway')),
    },
    pair: {
      ...place,
      credentialType: 'X509Certificate',
      clientCertData: base64(certificate),
      clientKeyData: base64(key),
    },
  };
  for (const [name, inline] of Object.entries(sources)) await register(hub, name, { inline });
  await using real = await startGateway({
    path: GATEWAY ?? '',
    kubeconfig: hub.kubeconfigFile,
    namespace: NAMESPACE,
    isReady: async (url) => {
      const { text } = await ask(url, GATEWAYS);
      return ['token', 'pair'].every((name) => text.includes(`"name":"${name}"`));
    },
  });
  const users = {
    token: 'system:serviceaccount:default:of-the-gateway',
    pair: 'admin-by-certificate',
  };
  for (const [name, user] of Object.entries(users)) {
    const { status, text } = await ask(
      real.url,
      `${GATEWAYS}/${name}/proxy/apis/authentication.k8s.io/v1/selfsubjectreviews`,
      { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
    );
    assert.equal(status, 201, text);
    const review = JSON.parse(text) as { status: { userInfo: { username: string } } };
    assert.equal(review.status.userInfo.username, user);
  }
});

test('vela joins, lists, labels, renames and detaches beside registrations', {
  skip: VELA === undefined && 'there is no vela on the PATH',
  timeout: 300_000,
}, async () => {
  await using hub = await startJoinedHub();
  await using west = await startServer();
  await using east = await startServer();
  await installVela(hub.client);
  const file = await hub.kubeconfigOf(west, 'west');
  const { port, ca, token } = readTarget(hub.kubeconfigFile);
  await using vela = tool(VELA ?? '', { url: `https://127.0.0.1:${port}`, ca, token });

  await did(vela, ['cluster', 'join', file, '--name', 'west', '--labels', 'region=west']);
  const joined = await secretOf(hub, 'west');
  assert.equal(joined.type, 'Opaque');
  assert.deepEqual(Object.keys(joined.data ?? {}).sort(), ['ca.crt', 'endpoint', 'token']);
  assert.match((await hub.run((session) => list(session, {}))).out, /west\s+ServiceAccountToken/);
  assert.equal((await hub.run((session) => probe(session, 'west'))).out, 'ok\n');
  await hub.run((session) => convert(session, { name: 'west' }));
  await untilOwned(hub, 'west');
  assert.deepEqual((await secretOf(hub, 'west')).data, joined.data);

  const eastFile = await hub.kubeconfigOf(east, 'east');
  await hub.run((session) => join(session, { file: eastFile, wait: true, timeoutMs: 60_000 }));
  const listed = await did(vela, ['cluster', 'list']);
  for (const [name, { url }] of Object.entries({ west, east })) {
    assert.match(listed, new RegExp(`${name}\\s+ServiceAccountToken\\s+${url}`));
  }
  assert.match(await did(vela, ['cluster', 'probe', 'east']), /ok/);
  await did(vela, ['cluster', 'labels', 'add', 'east', 'team=a']);
  await did(vela, ['cluster', 'rename', 'east', 'orient']);
  const restored = await untilOwned(hub, 'east');
  assert.ok(restored.data?.['token']);
  await did(vela, ['cluster', 'detach', 'orient', '-y']);
  await did(vela, ['cluster', 'detach', 'east', '-y']);
  await untilOwned(hub, 'east');
  for (const name of ['west', 'east']) {
    await hub.run((session) => detach(session, { name, timeoutMs: 60_000 }));
  }
  assert.doesNotMatch(await did(vela, ['cluster', 'list']), /west|east/);
});

async function register(hub: JoinedHub, name: string, credentialSource: object): Promise<void> {
  await hub.client.create(ClusterRegistrations, {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { namespace: NAMESPACE, name },
    spec: { credentialSource },
  } as unknown as ClusterRegistration);
  await eventually(
    () => hub.client.get(ClusterRegistrations, { namespace: NAMESPACE, name }),
    ({ status }) => status?.phase === 'Ready',
    { withinMs: 60_000 },
  );
}

/** The Secret of a name once a registration has it, also again. */
function untilOwned(hub: JoinedHub, name: string) {
  return eventually(
    () => secretOf(hub, name),
    ({ metadata }) => metadata.annotations?.['multicluster.oam.dev/owner'] !== undefined,
    { withinMs: 60_000, tolerates: () => true },
  );
}

async function did(vela: Tool, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await vela.run(args);
  assert.equal(code, 0, `vela ${args.join(' ')}: ${stderr}`);
  return stdout;
}

function ask(
  url: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      agent: false,
      // It signs its own certificate.
      rejectUnauthorized: false,
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
