// The real kubectl on an embedded hub whose gateway leads to a real kube-apiserver, with kubelets behind it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type Client, createClient, createTransport } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import {
  GATEWAYS,
  type GatewayHub,
  startHub,
  tokenAccess,
} from '../../packages/hub/src/gateway/testing/gateway-hub.ts';
import { binaryPath } from '../../tools/real-kubernetes/binaries.ts';
import { accessOf } from '../client/access.ts';
import { hostPods, type PodHost } from '../client/pods.ts';
import { type Side, startSide } from '../sides.ts';
import { type Tool, tool } from './kubectl.ts';

let hub: GatewayHub;
let member: Side;
let direct: Client;
let echo: Server;
let host: PodHost;
/** On the hub, and on the member through it. */
let kubectl: Tool;
let through: Tool;

before(async () => {
  hub = await startHub();
  member = await startSide('real');
  direct = createClient(
    createTransport({ access: accessOf(member), clock: systemClock, random: Math.random }),
  );
  echo = createServer((socket) => {
    socket.on('error', () => {});
    socket.pipe(socket);
  });
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  host = await hostPods(member, {
    client: direct,
    echoPort: (echo.address() as AddressInfo).port,
  });
  await hub.join('west', tokenAccess(member.url, member.ca, member.token));
  const server = { url: hub.server.url, ca: hub.server.access.tls.ca ?? '', token: 'admin' };
  kubectl = tool(binaryPath('kubectl'), server);
  through = tool(binaryPath('kubectl'), { ...server, url: `${server.url}${GATEWAYS}/west/proxy` });
});
after(async () => {
  await kubectl[Symbol.asyncDispose]();
  await through[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
  echo.close();
  await direct[Symbol.asyncDispose]();
  await member.stop();
  await hub[Symbol.asyncDispose]();
});

describe('kubectl on the gateway of a hub', { timeout: 120_000 }, () => {
  test('REG-74 prints clusters as on the real gateway, with or without a namespace', async () => {
    const wanted = [
      'NAME   PROVIDER   CREDENTIAL-TYPE       ENDPOINT-TYPE   HEALTHY',
      'west              ServiceAccountToken   Const           false',
      '',
    ].join('\n');
    assert.equal(await printed(kubectl, 'get', 'clustergateways'), wanted);
    assert.equal(await printed(kubectl, 'get', 'clustergateways', '-n', 'vela-system'), wanted);
    assert.equal(await printed(kubectl, 'get', 'clustergateway', 'west'), wanted);
    assert.deepEqual(rows(await printed(kubectl, 'get', 'vc')), [
      'NAME | ALIAS | CREDENTIAL_TYPE | ENDPOINT | ACCEPTED | LABELS',
      'local | Internal | - | true | cluster.core.oam.dev/control-plane=true',
      `west | ServiceAccountToken | ${member.url} | true | cluster.core.oam.dev/control-plane=false`,
    ]);
    assert.match(await printed(kubectl, 'explain', 'clustergateways.spec.access'), /credential/);
    assert.match(
      await printed(kubectl, 'get', 'clustergateways', '-o', 'yaml'),
      /kind: ClusterGateway\n/,
    );
    assert.match(
      await printed(kubectl, 'get', 'clustergateways', '--sort-by', '.metadata.name'),
      /west/,
    );
  });

  test('REG-74 reads the member with --raw', async () => {
    const path = `${GATEWAYS}/west/proxy/api/v1/namespaces`;
    const { kind, items } = JSON.parse(await printed(kubectl, 'get', '--raw', path)) as {
      kind: string;
      items: { metadata: { name: string } }[];
    };
    assert.equal(kind, 'NamespaceList');
    assert.ok(items.some(({ metadata }) => metadata.name === 'streams'));
  });

  test('REG-75 says why a cluster cannot be asked', async () => {
    const unknown = await kubectl.run(['get', '--raw', `${GATEWAYS}/none/proxy/api`]);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /no such cluster none/);
  });

  test('works on the member as if it were there: discovery, apply, dry run, patch, watch, delete', async () => {
    const map = (value: string) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'made' },
        data: { value },
      });
    assert.match(await printed(through, 'api-resources'), /validatingwebhookconfigurations/);
    assert.equal(
      (await through.run(['apply', '-f', '-'], map('one'))).stdout,
      'configmap/made created\n',
    );
    assert.equal(
      (await through.run(['apply', '--dry-run=server', '-f', '-'], map('two'))).stdout,
      'configmap/made configured (server dry run)\n',
    );
    assert.equal(await value(), 'one');
    const applied = await through.run(
      ['apply', '--server-side', '--force-conflicts', '-f', '-'],
      map('two'),
    );
    assert.equal(applied.stdout, 'configmap/made serverside-applied\n');
    assert.equal(await value(), 'two');
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const watching = through.until(
      ['get', 'cm', 'made', '-w', '-o', 'jsonpath={.data.value} '],
      (text) => {
        if (text.includes('two')) begin();
        return text.includes('two three');
      },
    );
    await Promise.race([begun, watching]);
    await printed(
      through,
      'patch',
      'cm',
      'made',
      '--type=merge',
      '-p',
      '{"data":{"value":"three"}}',
    );
    await watching;
    assert.equal(
      await printed(through, 'delete', 'cm', 'made'),
      'configmap "made" deleted from default namespace\n',
    );
  });

  for (const [protocol, isWebSocket] of [
    ['WebSocket', 'true'],
    ['SPDY', 'false'],
  ] as const) {
    test(`runs commands in pods of the member over ${protocol}`, async () => {
      await using shell = tool(
        binaryPath('kubectl'),
        {
          url: `${hub.server.url}${GATEWAYS}/west/proxy`,
          ca: hub.server.access.tls.ca ?? '',
          token: 'admin',
        },
        { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket },
      );
      const { namespace = '', name } = host.strict;
      const pod = ['exec', '-n', namespace, name];
      const done = await shell.run([...pod, '--', 'sh', '-c', 'echo out; echo err >&2; exit 7']);
      assert.equal(done.stdout, 'out\n');
      assert.match(done.stderr, /^err\n/);
      assert.equal(done.code, 7);
      const cat = await shell.run([...pod, '-i', '--', 'cat'], 'said');
      assert.equal(cat.stdout, 'said');
    });
  }

  test('reads logs of the member as they are written', async () => {
    const { namespace = '', name } = host.key;
    const { stdout } = await through.run(['logs', '-n', namespace, name]);
    assert.match(stdout, /line 0\n/);
    const following = through.until(['logs', '-f', '-n', namespace, name], (text) => {
      if (text.includes('line 4\n') && !text.includes('later')) host.say('later');
      return text.includes('later\n');
    });
    assert.match(await following, /later\n/);
  });
});

async function printed(by: Tool, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await by.run(args);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Columns are as wide as a port is long. */
function rows(table: string): string[] {
  return table
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/).join(' | '));
}

async function value(): Promise<string> {
  return printed(through, 'get', 'cm', 'made', '-o', 'jsonpath={.data.value}');
}
