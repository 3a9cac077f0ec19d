import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import { runAsProgram } from '../../access/testing/run-as-program.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';

// This file is also the program that the kubeconfigs of its tests name.
const self = [process.execPath, fileURLToPath(import.meta.url)];
if (process.argv[2] === 'credential') await runAsProgram(process.argv.slice(2));
else defineTests();

function defineTests(): void {
  test('the kubeconfig has a context for each cluster, nothing secret, and works', async () => {
    await using fleet = await startFleet({ members: 2 });
    const file = join(fleet.homeFolder, 'fleet.yaml');

    const { code, stdout, stderr } = await runMc(['kubeconfig', '-o', 'fleet.yaml'], {
      homeFolder: fleet.homeFolder,
      env: { PATH: '/usr/bin:/bin' },
      self,
    });

    assert.deepEqual([code, stdout, stderr], [0, '', `Wrote 2 contexts to ${file}\n`]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /token|admin/);
    for (const { requests } of fleet.members) assert.equal(requests.length, 0);
    for (const name of ['c1', 'c2']) {
      const access = await openContext(file, name, fleet);
      await using client = createClient(
        createTransport({ access, clock: systemClock, random: () => 0.5 }),
      );
      assert.ok((await client.list(Namespaces)).items.length > 0);
      assert.equal(fleet.member(name).requests.length, 1);
    }
  });

  test('it is printed where no file is named, and only for the clusters that are chosen', async () => {
    await using fleet = await startFleet({ members: 3 });

    const { code, stdout } = await runMc(
      ['kubeconfig', '--clusters=c2', '-n', 'team-a', '--as=me'],
      { homeFolder: fleet.homeFolder, env: { PATH: '/usr/bin:/bin' } },
    );

    assert.equal(code, 0);
    const file = join(fleet.homeFolder, 'printed.yaml');
    writeFileSync(file, stdout);
    const { contexts, users, currentContext } = await loadKubeconfig({
      env: {},
      home: fleet.homeFolder,
      path: file,
    });
    assert.equal(currentContext, 'c2');
    assert.deepEqual([...contexts.keys()], ['c2']);
    assert.equal(contexts.get('c2')?.namespace, 'team-a');
    const { exec, as } = users.get('c2') ?? {};
    assert.equal(as, 'me');
    assert.deepEqual(exec, {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'kubectl-mc',
      args: ['credential', '--cluster', 'c2', '--hub-context=hub'],
      env: [{ name: 'KUBECONFIG', value: fleet.kubeconfigFile }],
      interactiveMode: 'IfAvailable',
    });
  });

  test('what cannot be reached is left out and told', async () => {
    await using fleet = await startFleet({ members: 2 });
    writeFileSync(
      fleet.mappingFile,
      readFileSync(fleet.mappingFile, 'utf8').replace('context: c2', 'context: gone'),
    );

    const { code, stdout, stderr } = await runMc(['kubeconfig'], { homeFolder: fleet.homeFolder });

    assert.equal(code, 3);
    assert.match(stdout, /name: c1/);
    assert.doesNotMatch(stdout, /name: c2$/m);
    assert.match(stderr, /c2: noaccess: .*kubectl-mc-clusters\.yaml maps "c2" to context "gone"/);
  });

  test("the user's own kubeconfig is not written over", async () => {
    await using fleet = await startFleet({ members: 1 });
    const before = readFileSync(fleet.kubeconfigFile, 'utf8');

    const { code, stderr } = await runMc(['kubeconfig', '-o', '.kube/config'], {
      homeFolder: fleet.homeFolder,
    });

    assert.equal(code, 1);
    assert.match(stderr, /^error: Cannot write to "\.kube\/config": it is your own kubeconfig/);
    assert.equal(readFileSync(fleet.kubeconfigFile, 'utf8'), before);
  });
}

/** As another program would, with KUBECONFIG set to the new file. */
async function openContext(path: string, context: string, { homeFolder }: TestFleet) {
  const kubeconfig = await loadKubeconfig({ env: {}, home: '/nowhere', path });
  return await resolveAccess(kubeconfig, {
    context,
    env: { PATH: '/usr/bin:/bin', HOME: homeFolder, KUBECONFIG: path },
  });
}
