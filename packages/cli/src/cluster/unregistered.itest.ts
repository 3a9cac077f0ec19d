// Clusters that no registration has made: those of `vela cluster join` and those of Open Cluster Management.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { dirname, join as joinPath } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Client,
  CustomResourceDefinitions,
  createClient,
  createTransport,
  Secrets,
} from '@flotilla/client';
import { CREDENTIAL_TYPE_LABEL } from '@flotilla/hub';
import { isNotFound, type Kind, systemClock } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { alias } from './alias.ts';
import { convert } from './convert.ts';
import { detach } from './detach.ts';
import { ManagedClusters } from './fleet.ts';
import { join } from './join.ts';
import { changeLabels } from './labels.ts';
import { list } from './list.ts';
import { probe } from './probe.ts';
import { rename } from './rename.ts';
import { rotate } from './rotate.ts';
import { show } from './show.ts';
import { type JoinedHub, startJoinedHub } from './testing/joined-hub.ts';

const NAMESPACE = 'vela-system';
const WAIT = { wait: true, timeoutMs: 30_000 };
const Klusterlets = {
  group: 'operator.open-cluster-management.io',
  version: 'v1',
  kind: 'Klusterlet',
  plural: 'klusterlets',
  namespaced: false,
} as Kind;

describe('clusters without a registration', () => {
  let hub: JoinedHub;
  let member: TestApiServer;
  let memberClient: Client;

  before(async () => {
    [hub, member] = await Promise.all([startJoinedHub(), startServer()]);
    const random = () => 0.5;
    memberClient = createClient(
      createTransport({ access: member.access, clock: systemClock, random }),
    );
    await define(hub.client, ManagedClusters as Kind);
    await define(memberClient, Klusterlets);
  });
  after(async () => {
    await memberClient[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
    await member[Symbol.asyncDispose]();
  });

  const manage = (name: string) =>
    hub.client.create(ManagedClusters, {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name, labels: { env: 'prod' } },
      spec: { hubAcceptsClient: true },
    } as never);
  /** As `vela cluster join` writes it, and kubectl applies it. */
  const joinSecret = async (name: string) => {
    const { authorization = '' } = await member.access.credential.present();
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const token = encode(authorization.replace('Bearer ', ''));
    await hub.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { [CREDENTIAL_TYPE_LABEL]: 'ServiceAccountToken' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': token },
      },
      type: 'Opaque',
      data: {
        endpoint: encode(member.url),
        'ca.crt': encode(member.access.tls.ca ?? ''),
        token,
      },
    });
    return token;
  };

  test('a ManagedCluster is listed, shown, labelled and named, and keeps its name', async () => {
    await manage('agent');
    const { out } = await hub.run((session) => list(session, {}));
    const row = out.split('\n').find((line) => line.startsWith('agent'));
    assert.match(row ?? '', /^agent +ManagedCluster +- +true +- +managedcluster +env=prod$/);
    const labelled = await hub.run((session) =>
      changeLabels(session, { name: 'agent', change: { tier: 'gold', env: null } }),
    );
    assert.equal(labelled.out, 'tier=gold\n');
    await hub.run((session) => alias(session, { name: 'agent', text: 'The Agent' }));
    const shown = await hub.run((session) => show(session, { name: 'agent', output: 'yaml' }));
    assert.match(shown.out, /cluster-alias: The Agent/);
    assert.match(shown.out, /tier: gold/);
    await assert.rejects(
      hub.run((session) => rename(session, { from: 'agent', to: 'other', ...WAIT })),
      /clusters of type ManagedCluster keep their name/,
    );
    await assert.rejects(
      hub.run((session) => convert(session, { name: 'agent' })),
      /type ManagedCluster cannot be kept/,
    );
    await assert.rejects(
      hub.run(async (session) =>
        join(session, { file: await hub.kubeconfigOf(member, 'agent'), ...WAIT, yes: true }),
      ),
      /cannot override ManagedCluster typed cluster/,
    );
    const probed = await hub.run((session) => probe(session, 'agent'));
    assert.equal(probed.code, 1);
    assert.match(probed.err, /^failed connect cluster agent: /);
  });

  test('a ManagedCluster is detached with its agent, for which it takes the kubeconfig of the member', async () => {
    await manage('leaving');
    const klusterlet = { apiVersion: 'operator.open-cluster-management.io/v1', kind: 'Klusterlet' };
    await memberClient.create(Klusterlets, { ...klusterlet, metadata: { name: 'klusterlet' } });
    await assert.rejects(
      hub.run((session) => detach(session, { name: 'leaving', ...WAIT })),
      /give the member's kubeconfig with --kubeconfig-path/,
    );
    await assert.rejects(
      hub.run((session) => detach(session, { name: 'leaving', orphan: true, ...WAIT })),
      /it has no registration/,
    );
    const kubeconfigPath = await hub.kubeconfigOf(member, 'leaving');
    const done = await hub.run((session) =>
      detach(session, { name: 'leaving', kubeconfigPath, ...WAIT }),
    );
    assert.equal(done.out, 'Detach cluster leaving successfully.\n');
    const isGone = (error: unknown) => isNotFound(error);
    await assert.rejects(hub.client.get(ManagedClusters, { name: 'leaving' }), isGone);
    await assert.rejects(memberClient.get(Klusterlets, { name: 'klusterlet' }), isGone);
  });

  test('a joined cluster is shown without its credential, labelled and named', async () => {
    const token = await joinSecret('by-vela');
    for (const output of ['yaml', 'json']) {
      const { out } = await hub.run((session) => show(session, { name: 'by-vela', output }));
      assert.match(out, /Secret/);
      assert.ok(!out.includes(token));
    }
    const { out } = await hub.run((session) =>
      changeLabels(session, { name: 'by-vela', change: { env: 'prod' } }),
    );
    assert.equal(out, 'env=prod\n');
    await hub.run((session) => alias(session, { name: 'by-vela', text: 'Vela' }));
    const { metadata } = await hub.client.get(Secrets, { namespace: NAMESPACE, name: 'by-vela' });
    assert.equal(metadata.labels?.['env'], 'prod');
    assert.equal(metadata.annotations?.['cluster.core.oam.dev/cluster-alias'], 'Vela');
    await assert.rejects(
      hub.run((session) => rotate(session, { name: 'by-vela', ...WAIT })),
      /flotilla cluster convert by-vela makes one/,
    );
  });

  test('the hub itself is not renamed, named, converted or printed in a form that is none', async () => {
    const refused: [Parameters<JoinedHub['run']>[0], RegExp][] = [
      [(session) => alias(session, { name: 'local', text: 'x' }), /Internal do not support alias/],
      [(session) => convert(session, { name: 'local' }), /it is the hub itself/],
      [(session) => rename(session, { from: 'by-vela', to: 'local', ...WAIT }), /not "local"/],
      [(session) => list(session, { output: 'table' }), /there are wide, json, yaml, name/],
      [(session) => show(session, { name: 'local', output: 'x' }), /there are yaml and json/],
      [(session) => convert(session, { all: true, output: 'x' }), /there are yaml and json/],
    ];
    for (const [command, message] of refused) await assert.rejects(hub.run(command), message);
  });

  test('join --static-token keeps the token that the plugin of the kubeconfig gives now', async () => {
    const file = await hub.kubeconfigOf(member, 'plugin');
    const { authorization = '' } = await member.access.credential.present();
    const token = authorization.replace('Bearer ', '');
    const command = joinPath(dirname(file), 'give-token');
    const apiVersion = 'client.authentication.k8s.io/v1';
    const answer = JSON.stringify({ kind: 'ExecCredential', apiVersion, status: { token } });
    writeFileSync(command, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o755 });
    const ca = Buffer.from(member.access.tls.ca ?? '').toString('base64');
    const exec = { command, apiVersion, interactiveMode: 'Never' };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'plugin', cluster: { server: member.url, 'certificate-authority-data': ca } },
      ],
      users: [{ name: 'plugin', user: { exec } }],
      contexts: [{ name: 'plugin', context: { cluster: 'plugin', user: 'plugin' } }],
      'current-context': 'plugin',
    };
    writeFileSync(file, JSON.stringify(config));
    const denied = await hub.run((session) => join(session, { file, ...WAIT }));
    assert.equal(denied.code, 1);
    assert.match(denied.err, /^Note: the credential comes from the command .*--static-token\n/);

    const joined = await hub.run((session) =>
      join(session, { file, ...WAIT, yes: true, staticToken: true }),
    );
    assert.equal(joined.code, 0, joined.err);
    assert.match(joined.err, /^Warning: a static token ends some day/);
    const { data } = await hub.client.get(Secrets, { namespace: NAMESPACE, name: 'plugin' });
    assert.equal(Buffer.from(data?.['token'] ?? '', 'base64').toString(), token);
  });
});

/** Teaches a server a kind whose objects may hold anything. */
async function define(client: Client, { group, version, kind, plural }: Kind): Promise<void> {
  const name = `${plural}.${group}`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await client.create(CustomResourceDefinitions, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural, kind, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  });
  await eventually(
    () => client.get(CustomResourceDefinitions, { name }),
    ({ status }) => (status?.conditions ?? []).some(({ type }) => type === 'Established'),
  );
}
