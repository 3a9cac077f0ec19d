import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Namespaces } from '@flotilla/client';
import { parseYaml, toYaml } from '@flotilla/machinery';
import { readMapping } from '../../settings/mapping-file.ts';
import type { FleetServer } from '../../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf } from '../../testing/profiles.ts';
import { runMc } from '../../testing/run-mc.ts';
import { kubeconfigOf, startFleet, type TestFleet } from '../../testing/start-fleet.ts';

const NOBODY = { server: 'https://127.0.0.1:1', tls: {} };

/** Profiles that say nothing of where their cluster is. */
const bareProfiles = ({ name }: FleetServer) => [profileOf({ name })];

/** Renames contexts in the user's kubeconfig; servers stay what they are. */
function renameContexts(fleet: TestFleet, names: Readonly<Record<string, string>>): void {
  const text = kubeconfigOf([fleet.hub, ...fleet.members]);
  const document = parseYaml(text).value as { contexts: { name: string }[] };
  for (const context of document.contexts) context.name = names[context.name] ?? context.name;
  writeFileSync(fleet.kubeconfigFile, toYaml(document), { mode: 0o600 });
}

const contextsOf = async (fleet: TestFleet) =>
  (await readMapping(fleet.mappingFile)).clusters.map(({ name, context }) => [name, context]);

test('MC-74 contexts that lead to the servers of all profiles are mapped without a question', async () => {
  await using fleet = await startFleet({ members: 3, mapping: false });
  renameContexts(fleet, { c1: 'eks-west', c2: 'on-prem', c3: 'x' });

  const { code, stdout, stderr } = await runMc(['setup'], { ...fleet, terminal: true });

  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^CLUSTER +CONTEXT +RESULT +DETAIL\nc1 +eks-west +mapped +same server\n/);
  assert.deepEqual(await contextsOf(fleet), [
    ['c1', 'eks-west'],
    ['c2', 'on-prem'],
    ['c3', 'x'],
  ]);
  assert.equal(statSync(fleet.mappingFile).mode & 0o777, 0o600);
  assert.equal(fleet.members.flatMap(({ requests }) => requests).length, 0);

  const before = readFileSync(fleet.mappingFile, 'utf8');
  const again = await runMc(['setup'], fleet);
  assert.match(again.stdout, /c1 +eks-west +kept +already mapped/);
  assert.equal(readFileSync(fleet.mappingFile, 'utf8'), before);
});

test('setup asks the hub itself and forgets afterwards what it said', async () => {
  await using fleet = await startFleet({ members: 1, mapping: false });
  const folder = join(fleet.homeFolder, '.kube/cache/kubectl-mc/inventory');
  await runMc(['clusters'], fleet);
  assert.equal(readdirSync(folder).length, 1);
  fleet.forgetRequests();

  await runMc(['setup', '--dry-run'], fleet);
  assert.equal(readdirSync(folder).length, 1);
  assert.equal(existsSync(fleet.mappingFile), false);

  await runMc(['setup'], fleet);
  assert.equal(fleet.hub.requests.length, 2);
  assert.deepEqual(readdirSync(folder), []);
});

test('a context that is named after a cluster is taken when no server says more', async () => {
  await using fleet = await startFleet({ members: 3, mapping: false, profiles: bareProfiles });
  renameContexts(fleet, { c2: 'kind-c2', c3: 'gke_my-project_us-central1_c3' });

  const { code, stdout } = await runMc(['setup', '--provider', 'none'], fleet);

  assert.equal(code, 0);
  assert.match(stdout, /c3 +gke_my-project_us-central1_c3 +mapped +by its name/);
  assert.deepEqual(await contextsOf(fleet), [
    ['c1', 'c1'],
    ['c2', 'kind-c2'],
    ['c3', 'gke_my-project_us-central1_c3'],
  ]);
});

test('the hub that was named is remembered where the mapping names none', async () => {
  await using fleet = await startFleet({ members: 1, mapping: false });
  await runMc(['setup', '--hub-context', 'hub'], fleet);
  assert.equal((await readMapping(fleet.mappingFile)).hubContext, 'hub');

  await using other = await startFleet({ members: 1, mapping: false });
  await runMc(['setup'], other);
  assert.equal((await readMapping(other.mappingFile)).hubContext, undefined);
});

test('what is left is asked about: numbers, parts of names, skipping, and each answer is kept', async () => {
  await using fleet = await startFleet({ members: 4, mapping: false, profiles: bareProfiles });
  renameContexts(fleet, { c1: 'prod-west', c2: 'prod-east', c3: 'staging', c4: 'lab' });
  const argv = ['setup', '--provider=none'];
  const answers = ['prod-west', 'pdest', '1', '', 'xyz', '99', 'stag', '1'];

  const { code, stdout, stderr } = await runMc(argv, { ...fleet, terminal: true, answers });

  assert.equal(code, 0);
  assert.match(stderr, /c1 has no context\.\n(?: +\d {2}\S+ +https:\S+(?: +\(is \S+\))?\n){5}/);
  assert.match(stderr, /Context of c1 \(number, part of a name, Enter to skip, q to stop\): /);
  assert.match(stderr, /No context has "xyz" in it\./);
  assert.match(stderr, /99 is none of 1 to 5\./);
  assert.match(stderr, /prod-west +https:\S+ +\(is c1\)/);
  assert.deepEqual(await contextsOf(fleet), [
    ['c1', 'prod-west'],
    ['c2', 'prod-east'],
    ['c4', 'staging'],
  ]);
  assert.match(stdout, /c3 +<none> +skipped/);
});

test('stopping leaves the rest as it is, and what was answered is written', async () => {
  await using fleet = await startFleet({ members: 3, mapping: false, profiles: bareProfiles });
  renameContexts(fleet, { c1: 'one', c2: 'two', c3: 'three' });

  const argv = ['setup', '--provider=none'];
  const { code, stdout } = await runMc(argv, { ...fleet, terminal: true, answers: ['one', 'q'] });

  assert.equal(code, 3);
  assert.match(stdout, /c2 +<none> +skipped *\nc3 +<none> +unmapped/);
  assert.deepEqual(await contextsOf(fleet), [['c1', 'one']]);
});

test('without a terminal nothing is asked, and clusters that are left make it partial', async () => {
  await using fleet = await startFleet({ members: 2, mapping: false, profiles: bareProfiles });
  renameContexts(fleet, { c2: 'two' });
  for (const options of [
    { argv: ['setup'], terminal: false },
    { argv: ['setup', '--non-interactive'], terminal: true },
  ]) {
    const { argv, terminal } = options;
    const { code, stdout, stderr } = await runMc(argv, { ...fleet, terminal, answers: ['1', '1'] });
    assert.equal(code, 3);
    assert.match(stdout, /c1 +c1 +(mapped|kept)/);
    assert.match(stdout, /c2 +<none> +unmapped +run kubectl mc setup on a terminal/);
    assert.doesNotMatch(stderr, /Context of/);
  }
  assert.equal((await runMc(['setup', '--allow-partial'], fleet)).code, 0);
});

test('a mapping that is broken is mended, and what else it says stays', async () => {
  await using fleet = await startFleet({ members: 1, mapping: false });
  writeFileSync(
    fleet.mappingFile,
    `# mine\nclusters:\n- {name: c1, context: gone, aliases: [west], color: red}\n- {name: other, context: o}\n`,
  );

  const { code, stdout } = await runMc(['setup'], fleet);

  assert.equal(code, 0);
  assert.match(stdout, /c1 +c1 +mapped +same server/);
  const text = readFileSync(fleet.mappingFile, 'utf8');
  assert.ok(text.startsWith('# mine\n'));
  assert.deepEqual((parseYaml(text).value as { clusters: unknown }).clusters, [
    { name: 'c1', context: 'c1', aliases: ['west'], color: 'red' },
    { name: 'other', context: 'o' },
  ]);
});

test('only a person may change what a mapping pins', async () => {
  await using fleet = await startFleet({ members: 1, mapping: false });
  const pinned = `clusters:\n- {name: c1, context: c1, server: "https://10.0.0.1", caSha256: "${'0'.repeat(64)}"}\n`;
  writeFileSync(fleet.mappingFile, pinned);

  const alone = await runMc(['setup'], fleet);
  assert.equal(alone.code, 3);
  assert.match(
    alone.stdout,
    /c1 +<none> +unmapped +context c1: .*pins "c1" to https:\/\/10\.0\.0\.1/,
  );
  assert.equal(readFileSync(fleet.mappingFile, 'utf8'), pinned);

  const asked = await runMc(['setup'], { ...fleet, terminal: true, answers: ['c1'] });
  assert.equal(asked.code, 0);
  const [entry] = (await readMapping(fleet.mappingFile)).clusters;
  assert.equal(entry?.server, fleet.member('c1').server.url);
  assert.match(entry?.caSha256 ?? '', /^(?!0+$)[0-9a-f]{64}$/);
  assert.match((await runMc(['setup'], fleet)).stdout, /c1 +c1 +kept/);
});

test('--verify asks each cluster who it is, and pins what it has proved', async () => {
  const ids = new Map<string, string>();
  await using fleet = await startFleet({ members: ['same', 'other', 'unsaid'], mapping: false });
  for (const { name, client } of fleet.members) {
    const { metadata } = await client.get(Namespaces, { name: 'kube-system' });
    ids.set(name, metadata.uid ?? '');
  }
  const { ClusterProfiles } = await import('@flotilla/api');
  const setProfile = async (name: string, id: string | undefined) => {
    const key = { namespace: 'fleet', name };
    const profile = await fleet.hub.client.get(ClusterProfiles, key);
    const properties = id === undefined ? [] : [{ name: 'cluster.clusterset.k8s.io', value: id }];
    const accessProviders = [offerOf('elsewhere', NOBODY)];
    const status = healthyStatus({ properties, accessProviders });
    await fleet.hub.client.replace(
      ClusterProfiles,
      { ...profile, status },
      { subresource: 'status' },
    );
  };
  await setProfile('same', ids.get('same'));
  await setProfile('other', ids.get('same'));
  await setProfile('unsaid', undefined);

  const { code, stdout, stderr } = await runMc(['setup', '--verify', '--provider=none'], fleet);

  assert.equal(code, 3);
  assert.match(stdout, /^CLUSTER +CONTEXT +RESULT +VERIFIED +DETAIL\n/);
  assert.match(stdout, /same +same +mapped +v1\.\S+ as \S+ +by its name/);
  assert.match(stdout, /other +<none> +unmapped +<none> +context other leads to another cluster/);
  assert.match(
    stderr,
    /WARN: unsaid: its profile says https:\/\/127\.0\.0\.1:1, context unsaid says/,
  );
  assert.doesNotMatch(stderr, /WARN: same/);
  assert.deepEqual((await readMapping(fleet.mappingFile)).clusters, [
    {
      name: 'same',
      context: 'same',
      server: fleet.member('same').server.url,
      clusterId: ids.get('same'),
    },
    { name: 'unsaid', context: 'unsaid' },
  ]);
});

test('--verify tells of clusters that do not answer, and keeps what is mapped', async () => {
  await using fleet = await startFleet({ members: 2 });
  fleet.member('c2').answerWith(async () => ({ status: 500, headers: {}, body: Buffer.from('') }));

  const { code, stdout } = await runMc(['setup', '--verify'], fleet);

  assert.equal(code, 3);
  assert.match(stdout, /c1 +c1 +kept +v1\.\S+ as \S+ +already mapped/);
  assert.match(stdout, /c2 +c2 +kept +failed: .+ already mapped/);
});

test('a dry run writes nothing and says what would be', async () => {
  await using fleet = await startFleet({ members: 2, mapping: false });
  renameContexts(fleet, { c1: 'one' });
  const { ClusterProfiles } = await import('@flotilla/api');
  await fleet.hub.client.delete(ClusterProfiles, { namespace: 'fleet', name: 'c2' });
  const { storeProfiles } = await import('../../testing/profiles.ts');
  await storeProfiles(fleet.hub.client, [profileOf({ name: 'lone' })]);

  const asked = await runMc(['setup', '--dry-run'], { ...fleet, terminal: true, answers: ['1'] });
  assert.equal(asked.code, 0);
  assert.match(
    asked.stdout,
    /c1 +one +would map +same server\nlone +<none> +unmapped +you would be asked/,
  );
  assert.equal((await runMc(['setup', '--dry-run'], fleet)).code, 3);
  assert.equal(existsSync(fleet.mappingFile), false);
});

test('clusters that are contexts need no mapping', async () => {
  await using fleet = await startFleet({ members: 1, mapping: false });
  const { code, stdout } = await runMc(['setup', '--inventory', 'kubeconfig'], fleet);
  assert.equal(code, 0);
  assert.match(stdout, /c1 +c1 +kept +it is a context itself/);
});

test('a cluster that is reached in another way is not asked about', async () => {
  await using fleet = await startFleet({
    members: 1,
    mapping: false,
    profiles: ({ name }) => [
      profileOf({
        name: `far-${name}`,
        status: healthyStatus({
          accessProviders: [offerOf('mine', NOBODY)],
          properties: [{ name: 'auth.exec.command', value: 'gke-gcloud-auth-plugin' }],
        }),
      }),
    ],
  });
  const { code, stdout, stderr } = await runMc(['setup', '--provider=none'], {
    ...fleet,
    terminal: true,
  });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /far-c1 +<none> +reachable +reached by properties \(gke-gcloud-auth-plugin\)/,
  );
});
