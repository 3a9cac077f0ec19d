import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { Secrets } from '@flotilla/client';
import { parseYaml } from '@flotilla/machinery';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { Command } from 'commander';
import { UsageError } from '../usage-error.ts';
import { addClusterCommands } from './command.ts';
import { type JoinedHub, type Ran, startJoinedHub } from './testing/joined-hub.ts';

const NAMESPACE = 'vela-system';

describe('flotilla cluster, as it is typed', () => {
  let hub: JoinedHub;
  let member: TestApiServer;

  before(async () => {
    [hub, member] = await Promise.all([startJoinedHub(), startServer()]);
  });
  after(async () => {
    await hub[Symbol.asyncDispose]();
    await member[Symbol.asyncDispose]();
  });

  /** What the words of a command line do on the hub. */
  const type = async (...words: string[]): Promise<Ran> => {
    const ran = { code: 0, out: '', err: '' };
    const program = new Command('flotilla').exitOverride();
    addClusterCommands(program, {
      io: {
        out: (text) => {
          ran.out += text;
        },
        err: (text) => {
          ran.err += text;
        },
        env: {},
        homeFolder: '/nonexistent',
        signal: AbortSignal.timeout(60_000),
        isTerminal: false,
        ask: async () => undefined,
      },
      random: () => 0.5,
      setExitCode: (code) => {
        ran.code = code;
      },
    });
    quiet(program);
    const at = ['--kubeconfig', hub.kubeconfigFile];
    await program.parseAsync(['node', 'flotilla', 'cluster', ...at, ...words]);
    return ran;
  };
  const registrationOf = (name: string) =>
    hub.client.get(ClusterRegistrations, { namespace: NAMESPACE, name });

  test('every flag of join reaches the registration', async () => {
    const file = await hub.kubeconfigOf(member, 'entry');
    const flags = [
      '--labels',
      'env=prod,tier=gold',
      '--alias',
      'The West',
      '-t',
      'cluster-gateway',
    ];
    const context = ['--member-context', 'entry', '--timeout', '30s'];
    const { code, out, err } = await type(
      ...['join', file, '-n', 'west', '--create-namespace', '', ...flags, ...context],
    );
    assert.equal(code, 0, err);
    assert.equal(out, `Successfully add cluster west, endpoint: ${member.url}.\n`);
    const { spec } = await registrationOf('west');
    assert.equal(spec.clusterName, 'west');
    assert.equal(spec.alias, 'The West');
    assert.deepEqual(spec.labels, { env: 'prod', tier: 'gold' });
    assert.equal(spec.config.createNamespace, '');
    assert.equal(spec.engine, 'cluster-gateway');
  });

  test('join neither waits nor writes where it is told not to', async () => {
    const file = await hub.kubeconfigOf(member, 'loose');
    const printed = await type('join', file, '-o', 'json');
    const { items } = JSON.parse(printed.out) as { items: { kind: string }[] };
    assert.deepEqual(
      items.map(({ kind }) => kind),
      ['Secret', 'ClusterRegistration'],
    );
    assert.match((await type('join', file, '--dry-run')).out, /^Would add cluster loose/);
    assert.match((await type('join', file, '--no-wait')).out, /^Cluster loose is being added/);
    await assert.rejects(type('join', file), /exists already; --yes overwrites it/);
    // The flag of the group stands where people put it.
    assert.equal((await type('join', file, '-y')).code, 0);
    assert.equal((await type('-y', 'join', file)).code, 0);
  });

  test('both spellings of the flag of engine ocm are taken, and an engine that is none refused', async () => {
    const file = await hub.kubeconfigOf(member, 'agent');
    for (const flag of ['--in-cluster-bootstrap', '--in-cluster-boostrap']) {
      const { out } = await type('join', file, '--engine', 'ocm', flag, '-o', 'yaml');
      const [, registration = ''] = out.split('---\n');
      const { spec } = parseYaml(registration).value as { spec: object };
      assert.deepEqual((spec as { config: object }).config, { inClusterBootstrap: true });
    }
    await assert.rejects(type('join', file, '-t', 'helm'), UsageError);
    await assert.rejects(type('join', file, '--timeout', 'soon'), /Cannot read duration "soon"/);
  });

  test('labels are changed in the way of kubectl and in the way of vela', async () => {
    const file = await hub.kubeconfigOf(member, 'marked');
    await type('join', file);
    assert.equal((await type('label', 'marked', 'a=1', 'b=2')).out, 'a=1\nb=2\n');
    assert.equal((await type('label', 'marked', 'a-')).out, 'b=2\n');
    assert.equal((await type('labels', 'add', 'marked', 'c=3,d=4')).out, 'b=2\nc=3\nd=4\n');
    assert.equal((await type('labels', 'remove', 'marked', 'b,c')).out, 'd=4\n');
    assert.deepEqual((await registrationOf('marked')).spec.labels, { d: '4' });
  });

  test('a cluster is listed, shown, probed, renamed, named, rotated, exported and detached', async () => {
    const file = await hub.kubeconfigOf(member, 'old');
    await type('join', file);
    assert.match((await type('ls', '-o', 'name')).out, /^local\n(.*\n)*old\n/);
    assert.match((await type('show', 'old', '-o', 'json')).out, /"ClusterRegistration"/);
    assert.equal((await type('probe', 'old')).out, 'ok\n');
    assert.equal((await type('alias', 'old', 'Old One')).out, 'Alias cluster old as Old One.\n');
    const renamed = await type('rename', 'old', 'new', '--timeout', '30s');
    assert.equal(renamed.out, 'Rename cluster old to new successfully.\n');
    assert.match((await type('rotate', 'new')).out, /has no other credential/);
    assert.match((await type('export-config')).out, /clustergateways\/new\/proxy/);
    assert.equal((await type('detach', 'new')).out, 'Detach cluster new successfully.\n');
    const { items } = await hub.client.list(Secrets, { namespace: NAMESPACE });
    assert.ok(!items.some(({ metadata }) => metadata.name === 'new'));
  });

  test('convert wants a name or --all, and prints for Git', async () => {
    const file = await hub.kubeconfigOf(member, 'given-up');
    await type('join', file);
    assert.equal((await type('detach', 'given-up', '--orphan')).code, 0);
    await assert.rejects(type('convert'), /Give the name of a cluster, or --all/);
    assert.match((await type('convert', 'given-up', '-o', 'yaml')).out, /existingSecret: \{\}/);
    assert.equal((await type('convert', 'given-up')).code, 0);
    await eventually(
      () => registrationOf('given-up'),
      ({ status }) => status?.phase === 'Ready',
    );
  });
});

/** Commander complains to the console by itself. */
function quiet(command: Command): void {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  for (const each of command.commands) quiet(each);
}
