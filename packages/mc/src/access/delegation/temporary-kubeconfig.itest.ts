import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createClient,
  createTransport,
  loadKubeconfig,
  Namespaces,
  resolveAccess,
} from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startServer, type TestApiServer } from '@flotilla/testkit';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { routeClusters } from '../route-clusters.ts';
import {
  offering,
  printsToken,
  profiled,
  routeIn,
  routingIn,
  type TestHome,
  testHome,
} from '../testing/routing.ts';
import { runAsProgram } from '../testing/run-as-program.ts';
import { temporaryKubeconfig } from './temporary-kubeconfig.ts';

// This file is also the program that the kubeconfigs of its tests name.
const self = [process.execPath, fileURLToPath(import.meta.url)];
if (process.argv[2] === 'credential') await runAsProgram(process.argv.slice(2));
else defineTests();

function defineTests(): void {
  test('other programs reach the clusters, and no helper runs twice', async () => {
    using home = testHome();
    await using server = await startServer();
    home.script('bin/login', printsToken('admin'));

    const clusters = ['one', 'two'].map((name) => clusterAt(name, server));
    await using kubeconfig = await kubeconfigFor(clusters, home);
    for (const name of ['one', 'two']) {
      await using client = await openContext(kubeconfig.path, name);
      assert.ok((await client.list(Namespaces)).items.length > 0);
    }

    assert.deepEqual(readFileSync(home.callsFile, 'utf8'), 'login get-token\n');
  });

  test('nothing secret is written, and nothing is left behind', async () => {
    using home = testHome();
    await using server = await startServer();
    home.script('bin/login', printsToken('admin'));
    const kubeconfig = await kubeconfigFor([clusterAt('fleet/one', server)], home);
    const { path } = kubeconfig;
    {
      await using client = await openContext(path, 'fleet/one');
      await client.list(Namespaces);
    }
    const text = readFileSync(path, 'utf8');

    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(path)).mode & 0o777, 0o700);
    assert.doesNotMatch(text, /admin|token/);
    assert.match(text, /certificate-authority-data/);
    await kubeconfig[Symbol.asyncDispose]();
    assert.equal(existsSync(dirname(path)), false);
    await assert.rejects(
      async () => {
        await using client = await openContext(path, 'fleet/one');
        await client.list(Namespaces);
      },
      { message: /no such file/ },
    );
  });

  test('a cluster that cannot be opened is left out and named', async () => {
    using home = testHome();
    await using server = await startServer();
    const broken = clusterAt('broken', server, { ca: 'nonsense' });

    await using kubeconfig = await kubeconfigFor([clusterAt('one', server), broken], home);

    const { contexts } = await loadKubeconfig({
      env: {},
      home: home.folder,
      path: kubeconfig.path,
    });
    assert.deepEqual([...contexts.keys()], ['one']);
    assert.match(String(kubeconfig.failures.get('broken')), /certificate authority/);
  });

  test('a file of its own leads to one cluster and to no other', async () => {
    using home = testHome();
    await using server = await startServer();
    home.script('bin/login', printsToken('admin'));
    const mapped = { name: 'two', defaultNamespace: 'team-a' };
    const clusters = [clusterAt('one', server), { ...clusterAt('two', server), mapping: mapped }];

    await using kubeconfig = await kubeconfigFor(clusters, home);
    const [path, again] = await Promise.all([kubeconfig.fileOf('two'), kubeconfig.fileOf('two')]);

    assert.equal(path, again);
    assert.equal(statSync(path ?? '').mode & 0o777, 0o600);
    const options = { env: {}, home: home.folder, path: path ?? '' };
    const { contexts, currentContext } = await loadKubeconfig(options);
    assert.deepEqual([...contexts.keys()], ['two']);
    assert.equal(currentContext, 'two');
    assert.equal(contexts.get('two')?.namespace, 'team-a');
    await using client = await openContext(path ?? '', 'two');
    assert.ok((await client.list(Namespaces)).items.length > 0);
    assert.equal(await kubeconfig.fileOf('three'), undefined);
  });

  test('a failing helper is told to whoever asked', async () => {
    using home = testHome();
    await using server = await startServer();
    home.script('bin/login', 'exit 3');
    const said: string[] = [];

    await using kubeconfig = await kubeconfigFor([clusterAt('one', server)], home);
    await using client = await openContext(kubeconfig.path, 'one', (chunk) => said.push(chunk));

    await assert.rejects(client.list(Namespaces), { message: /failed with exit code 1/ });
    assert.match(
      said.join(''),
      /Cannot get a credential for "one": getting credentials: exec: executable login failed with exit code 3/,
    );
  });

  test("the user's list of allowed plugins does not stand in kubectl's way, but in the helper's", async () => {
    using home = testHome();
    await using server = await startServer();
    home.file('.kube/kuberc', 'credentialPluginPolicy: DenyAll');
    home.script('bin/login', printsToken('admin'));

    await using kubeconfig = await kubeconfigFor([clusterAt('one', server)], home);
    await using client = await openContext(kubeconfig.path, 'one');

    assert.deepEqual(kubeconfig.env, { KUBERC: 'off' });
    await assert.rejects(client.list(Namespaces));
    assert.equal(existsSync(home.callsFile), false);
  });
}

function clusterAt(name: string, { access }: TestApiServer, changes = {}): FleetCluster {
  const { ca } = access.tls;
  return profiled(name, {
    offers: [offering(access.server, { ...(ca === undefined ? {} : { ca }), ...changes })],
    properties: { 'auth.exec.command': 'login', 'auth.exec.args': 'get-token' },
  });
}

async function kubeconfigFor(clusters: readonly FleetCluster[], home: TestHome) {
  const deps = routingIn(home, { access: { allowedCommands: [{ command: 'login' }] } });
  const routings = await routeClusters(clusters, deps);
  return await temporaryKubeconfig(
    clusters.map((cluster, at) => ({ cluster, route: routeIn(routings[at]) })),
    { ...deps.io, self },
  );
}

/** As another program would: with nothing but the file. */
async function openContext(path: string, context: string, stderr?: (text: string) => void) {
  const kubeconfig = await loadKubeconfig({ env: {}, home: '/nowhere', path });
  const access = await resolveAccess(kubeconfig, {
    context,
    env: { PATH: '/usr/bin:/bin', HOME: '/nowhere' },
    exec: { stderr: (chunk) => stderr?.(chunk.toString()) },
  });
  return createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
}
