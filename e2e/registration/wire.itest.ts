// What is on the wire between us, KubeVela and cluster-gateway, to the byte, in both directions.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { isNotFound, parseYaml } from '@flotilla/machinery';
import { convert } from '../../packages/cli/src/cluster/convert.ts';
import { detach } from '../../packages/cli/src/cluster/detach.ts';
import { list } from '../../packages/cli/src/cluster/list.ts';
import { probe } from '../../packages/cli/src/cluster/probe.ts';
import {
  type JoinedHub,
  startJoinedHub,
} from '../../packages/cli/src/cluster/testing/joined-hub.ts';
import {
  startMember,
  type TestMember,
} from '../../packages/hub/src/registration/testing/member.ts';
import { eventually } from '../../packages/testkit/src/eventually.ts';

const NAMESPACE = 'vela-system';
const GATEWAYS = '/apis/cluster.core.oam.dev/v1alpha1/clustergateways';
const base64 = (text: string) => Buffer.from(text).toString('base64');

let hub: JoinedHub;
let member: TestMember;
before(async () => {
  [hub, member] = await Promise.all([startJoinedHub(), startMember()]);
});
after(async () => {
  await hub[Symbol.asyncDispose]();
  await member[Symbol.asyncDispose]();
});

const secretOf = (name: string) => hub.client.get(Secrets, { namespace: NAMESPACE, name });

/** The Secret that `vela cluster join` writes, with its namespace, its one label and its version. */
function velaSecret(name: string, data: Record<string, string>): Secret {
  const credentialType = 'token' in data ? 'ServiceAccountToken' : 'X509Certificate';
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: NAMESPACE,
      name,
      labels: { 'cluster.core.oam.dev/cluster-credential-type': credentialType },
      annotations: {
        'cluster.core.oam.dev/cluster-version':
          '{"major":"1","minor":"34","gitVersion":"v1.34.4","platform":"linux/amd64"}',
      },
    },
    type: 'Opaque',
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
  };
}

async function register(name: string, spec: object): Promise<ClusterRegistration> {
  await hub.client.create(ClusterRegistrations, {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { namespace: NAMESPACE, name },
    spec,
  } as unknown as ClusterRegistration);
  return untilReady(name);
}

function untilReady(name: string): Promise<ClusterRegistration> {
  return eventually(
    () => hub.client.get(ClusterRegistrations, { namespace: NAMESPACE, name }),
    ({ status }) => status?.phase === 'Ready',
    { withinMs: 30_000 },
  );
}

function isAbsent(name: string): Promise<boolean> {
  return secretOf(name).then(
    () => false,
    (error: unknown) => {
      if (!isNotFound(error)) throw error;
      return true;
    },
  );
}

describe('what we write', () => {
  test('REG-1 REG-5 is the Secret of `vela cluster join`, byte for byte, beside our own marks', async () => {
    const { server, tls } = member.access;
    const registration = await register('wire-token', {
      alias: 'The Wire',
      labels: { env: 'prod' },
      credentialSource: {
        inline: {
          endpoint: `${server}/`,
          credentialType: 'ServiceAccountToken',
          caData: base64(`\n${tls.ca}\n\n`),
          tokenData: base64('admin\n'),
        },
      },
    });
    const secret = await secretOf('wire-token');
    assert.equal(secret.type, 'Opaque');
    assert.equal(secret.immutable, undefined);
    assert.deepEqual(secret.data, {
      endpoint: base64(server),
      'ca.crt': base64(`${tls.ca?.trim()}\n`),
      token: base64('admin'),
    });
    assert.deepEqual(secret.metadata.labels, {
      'cluster.core.oam.dev/cluster-credential-type': 'ServiceAccountToken',
      env: 'prod',
      'multicluster.oam.dev/managed': 'true',
    });
    const { version } = registration.status?.clusterInfo ?? {};
    const revision = secret.metadata.annotations?.['multicluster.oam.dev/credential-revision'];
    assert.match(revision ?? '', /^[0-9a-z]{8,64}$/);
    assert.deepEqual(secret.metadata.annotations, {
      'cluster.core.oam.dev/cluster-alias': 'The Wire',
      'cluster.core.oam.dev/cluster-version': `{"major":"${version?.major}","minor":"${version?.minor}","gitVersion":"${version?.gitVersion}","platform":"${version?.platform}"}`,
      'status.cluster.core.oam.dev/healthy': 'true',
      'status.cluster.core.oam.dev/healthy-reason': '',
      'multicluster.oam.dev/owner': `${NAMESPACE}/wire-token`,
      'multicluster.oam.dev/owner-uid': registration.metadata.uid,
      'multicluster.oam.dev/deletion-policy': 'Detach',
      'multicluster.oam.dev/applied-labels': '["env"]',
      'multicluster.oam.dev/applied-alias': 'true',
      'multicluster.oam.dev/registered-as': 'wire-token',
      'multicluster.oam.dev/credential-revision': revision,
    });
    assert.deepEqual(
      secret.metadata.ownerReferences?.map(({ apiVersion, kind, name, uid }) => ({
        apiVersion,
        kind,
        name,
        uid,
      })),
      [
        {
          apiVersion: 'multicluster.oam.dev/v1alpha1',
          kind: 'ClusterRegistration',
          name: 'wire-token',
          uid: registration.metadata.uid,
        },
      ],
    );
  });

  test('REG-2 has for a certificate exactly the keys that the gateway reads', async () => {
    const { server, tls } = member.access;
    await register('wire-pair', {
      credentialSource: {
        inline: {
          endpoint: server,
          credentialType: 'X509Certificate',
          caData: base64(tls.ca ?? ''),
          clientCertData: base64(member.pair.certificate),
          clientKeyData: base64(member.pair.key),
        },
      },
    });
    const secret = await secretOf('wire-pair');
    assert.equal(
      secret.metadata.labels?.['cluster.core.oam.dev/cluster-credential-type'],
      'X509Certificate',
    );
    assert.equal(
      secret.metadata.labels?.['cluster.core.oam.dev/cluster-endpoint-type'],
      undefined,
      'with that label vela shows it instead of the address',
    );
    assert.deepEqual(secret.data, {
      endpoint: base64(server),
      'ca.crt': base64(`${tls.ca?.trim()}\n`),
      'tls.crt': base64(`${member.pair.certificate.trim()}\n`),
      'tls.key': base64(`${member.pair.key.trim()}\n`),
    });
  });

  test('REG-74 is what the gateway shows, and leads through its path to the member', async () => {
    const gateway = (await hub.client.raw({ path: `${GATEWAYS}/wire-token` })) as object;
    const { server, tls } = member.access;
    const { apiVersion, kind, spec } = gateway as {
      apiVersion: string;
      kind: string;
      spec: unknown;
    };
    assert.deepEqual([apiVersion, kind], ['cluster.core.oam.dev/v1alpha1', 'ClusterGateway']);
    assert.deepEqual(spec, {
      provider: '',
      access: {
        endpoint: {
          type: 'Const',
          const: { address: server, caBundle: base64(`${tls.ca?.trim()}\n`) },
        },
        credential: { type: 'ServiceAccountToken', serviceAccountToken: 'admin' },
      },
    });
    for (const path of ['/version', '/api/v1/namespaces/kube-system', '/healthz']) {
      const through = await hub.client.transport.send({
        method: 'GET',
        path: `${GATEWAYS}/wire-token/proxy${path}`,
        headers: { accept: '*/*' },
      });
      const direct = await member.client.transport.send({
        method: 'GET',
        path,
        headers: { accept: '*/*' },
      });
      assert.equal(through.status, 200);
      assert.deepEqual(through.body, direct.body, path);
    }
  });
});

describe('what `vela cluster join` writes', () => {
  const kinds = ['token', 'certificate'] as const;
  for (const kind of kinds) {
    test(`REG-41 REG-64 with a ${kind} is listed, probed, converted without downtime, and detached`, async () => {
      const name = `vela-${kind}`;
      const { server, tls } = member.access;
      const place = { endpoint: server, 'ca.crt': tls.ca ?? '' };
      const { certificate, key } = member.pair;
      const made = await hub.client.create(
        Secrets,
        velaSecret(
          name,
          kind === 'token'
            ? { ...place, token: await member.token('joined') }
            : { ...place, 'tls.crt': certificate, 'tls.key': key },
        ),
      );
      const credentialType = kind === 'token' ? 'ServiceAccountToken' : 'X509Certificate';

      const listed = await hub.run((session) => list(session, {}));
      assert.ok(
        rows(listed.out).includes(
          `${name} ${credentialType} ${server} true - secret ${NAMESPACE}/${name}`,
        ),
        listed.out,
      );
      assert.equal((await hub.run((session) => probe(session, name))).out, 'ok\n');

      const asking = askAllTheTime(name);
      const printed = await hub.run((session) => convert(session, { name, output: 'yaml' }));
      const manifest = parseYaml(printed.out).value as ClusterRegistration;
      for (const value of Object.values(made.data ?? {}).filter((each) => each.length > 40)) {
        assert.ok(!printed.out.includes(value), 'a credential is in the manifest');
      }
      assert.deepEqual(manifest.spec.credentialSource, { existingSecret: {} });
      await hub.client.create(ClusterRegistrations, manifest);
      await untilReady(manifest.metadata.name ?? '');
      assert.ok((await asking.stop()) > 0);

      const converted = await secretOf(name);
      assert.equal(converted.metadata.uid, made.metadata.uid);
      assert.deepEqual(converted.data, made.data);
      assert.equal(converted.type, made.type);
      for (const [label, value] of Object.entries(made.metadata.labels ?? {})) {
        assert.equal(converted.metadata.labels?.[label], value);
      }
      assert.deepEqual(
        JSON.parse(
          converted.metadata.annotations?.['cluster.core.oam.dev/cluster-version'] ?? '{}',
        ),
        (await untilReady(manifest.metadata.name ?? '')).status?.clusterInfo?.version,
      );

      const detached = await hub.run((session) => detach(session, { name, timeoutMs: 30_000 }));
      assert.equal(detached.code, 0, detached.err);
      assert.equal(await isAbsent(name), true);
      const gone = await hub.client.transport.send({
        method: 'GET',
        path: `${GATEWAYS}/${name}/proxy/version`,
      });
      assert.equal(gone.status, 500);
      assert.match(gone.body.toString(), new RegExp(`no such cluster ${name}`));
    });
  }

  test('is detached without ever having been converted', async () => {
    const { server, tls } = member.access;
    const data = { endpoint: server, 'ca.crt': tls.ca ?? '', token: 'admin' };
    await hub.client.create(Secrets, velaSecret('vela-plain', data));
    const detached = await hub.run((session) =>
      detach(session, { name: 'vela-plain', timeoutMs: 30_000 }),
    );
    assert.equal(detached.code, 0, detached.err);
    assert.equal(await isAbsent('vela-plain'), true);
  });

  test('REG-16 means the public authorities where its authority is empty, and none where it is missing', async () => {
    const { server } = member.access;
    await hub.client.create(
      Secrets,
      velaSecret('vela-public', { endpoint: server, 'ca.crt': '', token: 'admin' }),
    );
    await hub.client.create(
      Secrets,
      velaSecret('vela-blind', { endpoint: server, token: 'admin' }),
    );
    const ask = (name: string) =>
      hub.client.transport.send({ method: 'GET', path: `${GATEWAYS}/${name}/proxy/version` });
    const verified = await ask('vela-public');
    assert.equal(verified.status, 500);
    assert.match(verified.body.toString(), /x509|certificate/);
    assert.equal((await ask('vela-blind')).status, 200);
  });
});

/** Rows of a table, the cells that are not empty separated by one space. */
function rows(table: string): string[] {
  return table.split('\n').map((row) => row.trim().replaceAll(/\s+/g, ' '));
}

/** Asks through the gateway, one request after the other, until it is stopped; says how many were answered. */
function askAllTheTime(cluster: string): { readonly stop: () => Promise<number> } {
  let isOver = false;
  const asking = (async () => {
    let answers = 0;
    while (!isOver) {
      await hub.client.raw({ path: `${GATEWAYS}/${cluster}/proxy/version` });
      answers++;
    }
    return answers;
  })();
  asking.catch(() => {});
  return {
    stop: () => {
      isOver = true;
      return asking;
    },
  };
}
