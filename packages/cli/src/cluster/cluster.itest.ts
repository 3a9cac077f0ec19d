import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { createClient, createTransport, Secrets } from '@flotilla/client';
import { CREDENTIAL_TYPE_LABEL } from '@flotilla/hub';
import { isNotFound, parseYaml, systemClock } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { alias } from './alias.ts';
import { convert } from './convert.ts';
import { detach } from './detach.ts';
import { exportConfig } from './export-config.ts';
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

describe('flotilla cluster', () => {
  let hub: JoinedHub;
  let member: TestApiServer;

  before(async () => {
    [hub, member] = await Promise.all([startJoinedHub(), startServer()]);
  });
  after(async () => {
    await hub[Symbol.asyncDispose]();
    await member[Symbol.asyncDispose]();
  });

  const joinMember = async (name: string, more: object = {}, answers: string[] = []) => {
    const file = await hub.kubeconfigOf(member, name);
    return await hub.run((session) => join(session, { file, ...WAIT, ...more }), answers);
  };
  const secretOf = (name: string) => hub.client.get(Secrets, { namespace: NAMESPACE, name });
  const isAbsent = async (asked: Promise<unknown>) => {
    try {
      await asked;
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  };

  test('join registers the cluster of a kubeconfig, under its name there, and waits until it is ready', async () => {
    const { code, out } = await joinMember('west', { labels: 'env=prod,region=us' });
    assert.equal(out, `Successfully add cluster west, endpoint: ${member.url}.\n`);
    assert.equal(code, 0);
    const secret = await secretOf('west');
    assert.equal(secret.metadata.labels?.[CREDENTIAL_TYPE_LABEL], 'ServiceAccountToken');
    assert.equal(secret.metadata.labels?.['env'], 'prod');
    const { metadata } = await secretOf('west-kubeconfig');
    assert.equal(metadata.ownerReferences?.[0]?.kind, 'ClusterRegistration');
  });

  test('join of a cluster that is there asks first, and a no changes nothing', async () => {
    await joinMember('asked');
    const before = await secretOf('asked');
    const declined = await joinMember('asked', { labels: 'a=b' }, ['n']);
    assert.equal(declined.code, 1);
    assert.equal(declined.err, 'Terminated.\n');
    assert.equal(
      (await secretOf('asked')).metadata.resourceVersion,
      before.metadata.resourceVersion,
    );
    await assert.rejects(joinMember('asked'), /exists already; --yes overwrites it/);

    const accepted = await joinMember('asked', { labels: 'a=b' }, ['Y']);
    assert.equal(accepted.code, 0, accepted.err);
    assert.equal((await secretOf('asked')).metadata.labels?.['a'], 'b');
  });

  test('join says why a cluster cannot be used, and keeps the registration', async () => {
    const file = await hub.kubeconfigOf(member, 'wrong', 'no-such-token');
    const { code, err } = await hub.run((session) => join(session, { file, ...WAIT }));
    assert.equal(code, 1);
    assert.match(err, /Cannot add cluster "wrong": it is Failed: .*/);
    assert.doesNotMatch(err, /no-such-token/);
    const { status } = await hub.client.get(ClusterRegistrations, {
      namespace: NAMESPACE,
      name: 'wrong',
    });
    assert.equal(status?.phase, 'Failed');
    assert.equal(await isAbsent(secretOf('wrong')), true);
  });

  test('join again says what became of what it brought, not how things stood before', async () => {
    const wrong = await hub.kubeconfigOf(member, 'again', 'no-such-token');
    const first = await hub.run((session) => join(session, { file: wrong, ...WAIT }));
    assert.equal(first.code, 1);

    const second = await joinMember('again', { yes: true });
    assert.equal(second.out, `Successfully add cluster again, endpoint: ${member.url}.\n`);
    assert.equal(second.code, 0);

    await hub.kubeconfigOf(member, 'again', 'no-such-token');
    const third = await hub.run((session) => join(session, { file: wrong, ...WAIT, yes: true }));
    assert.equal(third.code, 1);
    assert.match(third.err, /it is Degraded: .*The credential in use stays/);
  });

  test('join takes its Secret back when the hub refuses the registration', async () => {
    await assert.rejects(
      joinMember('refused', { labels: 'kubernetes.io/x=y' }),
      /must not have keys that begin with/,
    );
    assert.equal(await isAbsent(secretOf('refused-kubeconfig')), true);
  });

  test('join can print what it would write, for Git', async () => {
    const { out } = await joinMember('printed', { output: 'yaml' });
    const kinds = out
      .split('---\n')
      .map((each) => (parseYaml(each).value as { kind: string }).kind);
    assert.deepEqual(kinds, ['Secret', 'ClusterRegistration']);
    assert.equal(await isAbsent(secretOf('printed-kubeconfig')), true);
  });

  test('join with --dry-run has the hub check it and writes nothing', async () => {
    const { code, out } = await joinMember('dry', { dryRun: true });
    assert.equal(code, 0);
    assert.match(out, /^Would add cluster dry/);
    assert.equal(await isAbsent(secretOf('dry-kubeconfig')), true);
  });

  for (const [name, message] of [
    ['local', /cannot be `local`/],
    ['Prod_West', /such as --name prod-west/],
  ] as const) {
    test(`join refuses the name ${name}`, async () => {
      await assert.rejects(joinMember(name), message);
    });
  }

  test('list shows the hub and every member with its source', async () => {
    await joinMember('listed', { alias: 'The Listed' });
    const { out } = await hub.run((session) => list(session, {}));
    const rows = out.split('\n').map((line) => line.trim().split(/ {2,}/));
    assert.deepEqual(rows[1], ['local', 'Internal', '-', 'true', '-', 'hub']);
    assert.deepEqual(
      rows.find(([name]) => name === 'listed'),
      [
        'listed',
        'The Listed',
        'ServiceAccountToken',
        member.url,
        'true',
        'Ready',
        'clusterregistration vela-system/listed',
      ],
    );
  });

  test('show tells all about a cluster and nothing of its credential', async () => {
    await joinMember('shown');
    const text = await hub.run((session) => show(session, { name: 'shown' }));
    assert.match(text.out, /^Name: +shown\n/);
    assert.match(text.out, /Phase: +Ready\n/);
    assert.match(text.out, /CredentialValid +True +TokenVerified/);
    for (const output of ['yaml', 'json']) {
      const { out } = await hub.run((session) => show(session, { name: 'shown', output }));
      assert.match(out, /ClusterRegistration/);
      assert.doesNotMatch(out, /managedFields/);
    }
  });

  test('probe asks a member through the gateway, and the hub itself', async () => {
    await joinMember('probed');
    const answer = await hub.run((session) => probe(session, 'probed'));
    assert.deepEqual(answer, { code: 0, out: 'ok\n', err: '' });
    assert.equal((await hub.run((session) => probe(session, 'local'))).out, 'ok\n');
    await assert.rejects(
      hub.run((session) => probe(session, 'nobody')),
      /no such cluster; flotilla cluster list shows all/,
    );
  });

  test('probe of a member that is away says so and fails', async () => {
    const gone = await startServer();
    const file = await hub.kubeconfigOf(gone, 'gone');
    await hub.run((session) => join(session, { file, ...WAIT }));
    await gone[Symbol.asyncDispose]();
    const { code, err } = await hub.run((session) => probe(session, 'gone'));
    assert.equal(code, 1);
    assert.match(err, /^failed connect cluster gone: /);
  });

  test('label sets and removes labels, and refuses those that make it a cluster', async () => {
    await joinMember('labelled', { labels: 'a=1' });
    const { out } = await hub.run((session) =>
      changeLabels(session, { name: 'labelled', change: { b: '2', a: null } }),
    );
    assert.equal(out, 'b=2\n');
    await eventually(
      async () => (await secretOf('labelled')).metadata.labels ?? {},
      (labels) => labels['b'] === '2' && labels['a'] === undefined,
    );
    for (const [change, message] of [
      [{ [CREDENTIAL_TYPE_LABEL]: null }, /how the hub knows its clusters/],
      [{ nothing: null }, /no such label nothing/],
      [{ 'bad value': 'x' }, /labels/],
    ] as const) {
      await assert.rejects(
        hub.run((session) => changeLabels(session, { name: 'labelled', change })),
        message,
      );
    }
    await assert.rejects(
      hub.run((session) => changeLabels(session, { name: 'local', change: { a: 'b' } })),
      /cluster type Internal do not support add labels now/,
    );
  });

  test('alias gives a name for people', async () => {
    await joinMember('aliased');
    const { out } = await hub.run((session) =>
      alias(session, { name: 'aliased', text: 'West Coast' }),
    );
    assert.equal(out, 'Alias cluster aliased as West Coast.\n');
    await eventually(
      async () =>
        (await secretOf('aliased')).metadata.annotations?.['cluster.core.oam.dev/cluster-alias'],
      (text) => text === 'West Coast',
    );
  });

  test('rename moves a registered cluster, and refuses a name that is taken', async () => {
    await joinMember('old-name');
    await joinMember('taken');
    await assert.rejects(
      hub.run((session) => rename(session, { from: 'old-name', to: 'taken', ...WAIT })),
      /there is a cluster "taken" already/,
    );
    const { code, out } = await hub.run((session) =>
      rename(session, { from: 'old-name', to: 'new-name', ...WAIT }),
    );
    assert.equal(code, 0);
    assert.equal(out, 'Rename cluster old-name to new-name successfully.\n');
    assert.equal((await secretOf('new-name')).metadata.name, 'new-name');
    await eventually(() => isAbsent(secretOf('old-name')));
  });

  test('rename and detach serve clusters that were joined without a registration', async () => {
    await joinSecret('by-vela');
    const renamed = await hub.run((session) =>
      rename(session, { from: 'by-vela', to: 'by-vela-2', ...WAIT }),
    );
    assert.equal(renamed.code, 0);
    assert.equal(await isAbsent(secretOf('by-vela')), true);
    assert.equal((await secretOf('by-vela-2')).data?.['token'], (await credential()).token);

    const detached = await hub.run((session) => detach(session, { name: 'by-vela-2', ...WAIT }));
    assert.equal(detached.out, 'Detach cluster by-vela-2 successfully.\n');
    assert.equal(await isAbsent(secretOf('by-vela-2')), true);
  });

  test('detach removes the cluster Secret and the kubeconfig; --orphan leaves the cluster in use', async () => {
    await joinMember('detached');
    await joinMember('orphaned');
    const gone = await hub.run((session) => detach(session, { name: 'detached', ...WAIT }));
    assert.equal(gone.code, 0);
    assert.equal(await isAbsent(secretOf('detached')), true);
    await eventually(() => isAbsent(secretOf('detached-kubeconfig')));

    await hub.run((session) => detach(session, { name: 'orphaned', orphan: true, ...WAIT }));
    const left = await secretOf('orphaned');
    assert.equal(left.metadata.annotations?.['multicluster.oam.dev/owner'], undefined);
    await assert.rejects(
      hub.run((session) => detach(session, { name: 'local', ...WAIT })),
      /it is the hub itself/,
    );
  });

  test('convert makes a registration of a joined cluster without its credential, and its Secret stays as it is', async () => {
    await joinSecret('converted');
    const before = await secretOf('converted');
    const printed = await hub.run((session) =>
      convert(session, { name: 'converted', output: 'yaml' }),
    );
    assert.deepEqual(parseYaml(printed.out).value, {
      apiVersion: 'multicluster.oam.dev/v1alpha1',
      kind: 'ClusterRegistration',
      metadata: { name: 'converted', namespace: NAMESPACE },
      spec: {
        clusterName: 'converted',
        credentialSource: { existingSecret: {} },
        config: { createNamespace: 'vela-system', validateCredentials: false },
        labels: { 'migrated-from': 'secret' },
      },
    });
    const inline = await hub.run((session) =>
      convert(session, { name: 'converted', inline: true, output: 'yaml' }),
    );
    assert.match(inline.out, /tokenData: /);
    assert.match(inline.err, /^Warning: with --inline/);

    const { out } = await hub.run((session) => convert(session, { name: 'converted' }));
    assert.equal(out, 'Converted cluster converted: clusterregistration vela-system/converted\n');
    await eventually(
      () => hub.client.get(ClusterRegistrations, { namespace: NAMESPACE, name: 'converted' }),
      ({ status }) => status?.phase === 'Ready',
    );
    assert.deepEqual((await secretOf('converted')).data, before.data);
  });

  test('rotate replaces the credential by that of a kubeconfig, and keeps the old one when the new is refused', async () => {
    await joinMember('rotated');
    const before = await secretOf('rotated');
    const refused = await hub.kubeconfigOf(member, 'rotated', 'not-a-token');
    const failed = await hub.run((session) =>
      rotate(session, { name: 'rotated', file: refused, ...WAIT }),
    );
    assert.equal(failed.code, 1);
    assert.match(failed.err, /The old credential stays in use/);
    assert.deepEqual((await secretOf('rotated')).data, before.data);

    // It is Degraded by now, which says nothing of the next credential.
    const good = await hub.kubeconfigOf(member, 'rotated', await otherToken());
    const done = await hub.run((session) =>
      rotate(session, { name: 'rotated', file: good, ...WAIT }),
    );
    assert.match(
      done.out,
      /^Rotated the credential of cluster rotated \(revision [0-9a-z]+\)\.\n$/,
    );
    assert.equal(done.code, 0, done.err);
    assert.notEqual((await secretOf('rotated')).data?.['token'], before.data?.['token']);

    const same = await hub.run((session) => rotate(session, { name: 'rotated', ...WAIT }));
    assert.match(same.out, /^The source of cluster rotated has no other credential/);
    assert.equal(same.code, 0);
  });

  test('convert --all takes every cluster without a registration, and says so when there is none', async () => {
    await joinSecret('all-1');
    await joinSecret('all-2');
    const { out, code } = await hub.run((session) => convert(session, { all: true }));
    assert.equal(code, 0);
    for (const name of ['all-1', 'all-2']) {
      assert.ok(
        out.includes(`Converted cluster ${name}: clusterregistration vela-system/${name}\n`),
      );
    }
    const none = await hub.run((session) => convert(session, { all: true }));
    assert.equal(none.err, 'Nothing to convert: every cluster has a registration\n');
  });

  test('export-config reaches every member through the hub', async () => {
    await joinMember('exported', { labels: 'export=yes' });
    const { out, err } = await hub.run((session) =>
      exportConfig(session, { selector: 'export=yes' }),
    );
    assert.match(err, /1 cluster loaded: \[exported\]\nkubeconfig generated.\n/);
    const { clusters } = parseYaml(out).value as {
      clusters: { name: string; cluster: { server: string } }[];
    };
    assert.deepEqual(
      clusters.map(({ name }) => name),
      ['local', 'exported'],
    );
    assert.match(clusters[1]?.cluster.server ?? '', /clustergateways\/exported\/proxy$/);
    await assert.rejects(
      hub.run((session) => exportConfig(session, { selector: 'export=no' })),
      /no cluster found/,
    );
  });

  const otherToken = async (): Promise<string> => {
    await using client = createClient(
      createTransport({ access: member.access, clock: systemClock, random: () => 0.5 }),
    );
    const { status } = (await client.raw({
      method: 'POST',
      path: '/api/v1/namespaces/default/serviceaccounts/default/token',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    })) as { status: { token: string } };
    return status.token;
  };

  const credential = async () => {
    const { authorization = '' } = await member.access.credential.present();
    const encode = (text: string) => Buffer.from(text).toString('base64');
    return {
      endpoint: encode(member.url),
      'ca.crt': encode(member.access.tls.ca ?? ''),
      token: encode(authorization.replace('Bearer ', '')),
    };
  };

  /** As `vela cluster join` writes it. */
  async function joinSecret(name: string): Promise<void> {
    await hub.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name,
        namespace: NAMESPACE,
        labels: { [CREDENTIAL_TYPE_LABEL]: 'ServiceAccountToken' },
      },
      type: 'Opaque',
      data: await credential(),
    });
  }
});

test('detach --force needs no controller', async () => {
  await using hub = await startJoinedHub();
  await using member = await startServer();
  const file = await hub.kubeconfigOf(member, 'west');
  await hub.run((session) => join(session, { file, ...WAIT }));
  await hub.stopControllers();

  const { code, err } = await hub.run((session) =>
    detach(session, { name: 'west', force: true, timeoutMs: 100 }),
  );
  assert.equal(code, 0);
  assert.match(err, /no controller answers; detaching from here/);
  const { items } = await hub.client.list(Secrets, { namespace: NAMESPACE });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name).filter((name) => name === 'west'),
    [],
  );
});

test('detach --orphan --force leaves the cluster in use, although nobody else takes our marks off', async () => {
  await using hub = await startJoinedHub();
  await using member = await startServer();
  const file = await hub.kubeconfigOf(member, 'west');
  await hub.run((session) => join(session, { file, ...WAIT }));
  await hub.stopControllers();
  const place = { namespace: NAMESPACE, name: 'west' };
  const before = await hub.client.get(Secrets, place);
  assert.equal(before.metadata.ownerReferences?.length, 1);

  const { code } = await hub.run((session) =>
    detach(session, { name: 'west', orphan: true, force: true, timeoutMs: 100 }),
  );
  assert.equal(code, 0);
  await eventually(
    () => hub.client.list(ClusterRegistrations),
    ({ items }) => items.length === 0,
  );
  const left = await hub.client.get(Secrets, place);
  assert.deepEqual(left.data, before.data);
  assert.deepEqual(left.metadata.ownerReferences ?? [], []);
  const { labels = {}, annotations = {} } = left.metadata;
  const marks = Object.keys({ ...labels, ...annotations });
  assert.deepEqual(
    marks.filter((mark) => mark.startsWith('multicluster.oam.dev/')),
    [],
  );
  // What it owned goes with it, and this is how to see that the collector has been there.
  await eventually(
    () => hub.client.list(Secrets, { namespace: NAMESPACE }),
    ({ items }) => items.every(({ metadata }) => metadata.name !== 'west-kubeconfig'),
  );
  assert.equal((await hub.client.get(Secrets, place)).metadata.uid, before.metadata.uid);
});

test('convert leaves out what has been converted, also while no controller has seen it', async () => {
  await using hub = await startJoinedHub();
  await using member = await startServer();
  const file = await hub.kubeconfigOf(member, 'west');
  await hub.run((session) => join(session, { file, ...WAIT }));
  await hub.run((session) => detach(session, { name: 'west', orphan: true, ...WAIT }));
  await hub.stopControllers();

  const { out } = await hub.run((session) => convert(session, { all: true }));
  assert.equal(out, 'Converted cluster west: clusterregistration vela-system/west\n');
  const again = await hub.run((session) => convert(session, { all: true }));
  assert.equal(again.err, 'Nothing to convert: every cluster has a registration\n');
  await assert.rejects(
    hub.run((session) => convert(session, { name: 'west' })),
    /Cannot convert cluster "west": it has a registration already/,
  );
});
