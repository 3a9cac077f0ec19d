import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { jsonAnswer, refusalAnswer } from '../../testing/fleet-server.ts';
import { healthyStatus, offerOf, profileOf } from '../../testing/profiles.ts';
import { runMc } from '../../testing/run-mc.ts';
import { startFleet, type TestFleet } from '../../testing/start-fleet.ts';
import { createWidget } from '../get/testing/objects.ts';

const explain = (fleet: TestFleet, ...argv: string[]) => runMc(['explain', ...argv], fleet);
const asked = (fleet: TestFleet) => fleet.members.map(({ requests }) => requests.length > 0);

describe('kubectl mc explain', () => {
  test('has the first healthy cluster explain a type, and asks no other', async () => {
    await using fleet = await startFleet({
      members: 3,
      profiles: ({ name, server }) => {
        const status = healthyStatus({ accessProviders: [offerOf('test', server.access)] });
        const [healthy] = status.conditions ?? [];
        if (name === 'c1' && healthy !== undefined) {
          status.conditions = [{ ...healthy, status: 'False' }];
        }
        return [profileOf({ name, status })];
      },
    });
    const { code, stdout, stderr } = await explain(fleet, 'pods.spec.containers.image');

    assert.match(stdout, /^KIND: {7}Pod\nVERSION: {4}v1\n\nFIELD: image <string>\n/);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(asked(fleet), [false, true, false]);
  });

  test('--recursive, --api-version, groups and short names mean what they do in kubectl', async () => {
    await using fleet = await startFleet({ members: 1 });
    const out = async (...argv: string[]) => (await explain(fleet, ...argv)).stdout;

    assert.match(
      await out('deploy', '--recursive'),
      /^GROUP: {6}apps\nKIND: {7}Deployment\nVERSION: {4}v1\n[\s\S]*\n {2}spec\t<DeploymentSpec>\n {4}minReadySeconds\t<integer>\n/,
    );
    assert.match(await out('hpa', '--api-version=autoscaling/v1'), /\nVERSION: {4}v1\n/);
    assert.match(await out('hpa'), /\nVERSION: {4}v2\n/);
    assert.equal(await out('deployments.apps.spec'), await out('deploy.spec'));
    assert.equal(await out('pods', '-o', 'plaintext'), await out('po'));
  });

  test('-o plaintext-openapiv2 is the older form, and all that older servers have', async () => {
    await using fleet = await startFleet({ members: 1 });
    const older = await explain(fleet, 'deploy.spec.replicas', '-o', 'plaintext-openapiv2');

    assert.match(
      older.stdout,
      /^KIND: {5}Deployment\nVERSION: {2}apps\/v1\n\nFIELD: {4}replicas <integer>\n\nDESCRIPTION:\n/,
    );
    assert.deepEqual([older.code, older.stderr], [0, '']);
    const missing = await explain(fleet, 'pods.wings', '-o', 'plaintext-openapiv2');
    assert.deepEqual(missing, {
      code: 1,
      stdout: '',
      stderr: 'error: field "wings" does not exist\n',
    });
    const elsewhere = await explain(fleet, 'po', '-o=plaintext-openapiv2', '--api-version=apps/v1');
    assert.equal(elsewhere.stderr, 'error: couldn\'t find resource for "apps/v1, Kind=Pod"\n');

    fleet
      .member('c1')
      .answerWith(async (request, next) =>
        request.path === '/openapi/v3'
          ? refusalAnswer(404, 'NotFound', 'the server could not find the requested resource')
          : await next(request),
      );
    assert.equal((await explain(fleet, 'deploy.spec.replicas')).stdout, older.stdout);
  });

  test('goes on to the others when the first does not answer, or does not know the type', async () => {
    await using fleet = await startFleet({ members: 3 });
    await createWidget(fleet.member('c3').client, 'one', {});
    await fleet.member('c1').server.stop();
    const pods = await explain(fleet, 'pods');

    assert.match(pods.stdout, /^KIND: {7}Pod\n/);
    assert.equal(pods.code, 0);
    const widgets = await explain(fleet, 'widgets');
    assert.match(widgets.stdout, /^GROUP: {6}example\.com\nKIND: {7}Widget\n/);
    assert.equal(widgets.code, 0);
    const named = await explain(fleet, 'pods', '--clusters', 'c2', '-v=1');
    assert.match(named.stderr, /c2: explained it/);
    const down = await explain(fleet, 'pods', '--clusters', 'c1');
    assert.deepEqual([down.code, down.stdout], [1, '']);
    assert.match(down.stderr, /c1: .*connection refused/);
  });

  test('tells once what no cluster has, in the words of kubectl', async () => {
    await using fleet = await startFleet({ members: 2 });
    const refused = async (...argv: string[]) => {
      const { code, stdout, stderr } = await explain(fleet, ...argv);
      assert.equal(code, 1);
      return [stdout, stderr];
    };

    assert.deepEqual(await refused('spaceships'), [
      '',
      'the server doesn\'t have a resource type "spaceships"\n',
    ]);
    assert.deepEqual(await refused('pods.spec.wings'), [
      'KIND:       Pod\nVERSION:    v1\n\n',
      'error: field "wings" does not exist\n',
    ]);
    assert.deepEqual(await refused('pods', '--api-version=v9'), [
      '',
      'error: couldn\'t find resource for "/v9, Resource=pods"\n',
    ]);
    assert.deepEqual(await refused('pods', '--api-version=a/b/c'), [
      '',
      'error: unexpected GroupVersion string: a/b/c\n',
    ]);
    assert.deepEqual(await refused('pods', '-o', 'tree'), [
      '',
      'error: unrecognized format: tree\n',
    ]);
    assert.deepEqual(await refused('pods', 'nodes'), [
      '',
      'error: We accept only this format: explain RESOURCE\n',
    ]);
    assert.match(
      (await refused())[1] ?? '',
      /^error: You must specify the type of resource to explain\./,
    );
  });

  test('a schema that never ends, or leads elsewhere, is an error of its cluster', async () => {
    await using fleet = await startFleet({ members: 1 });
    const gvk = { group: '', version: 'v1', kind: 'Pod' };
    const ref = '#/components/schemas/Pod';
    const answer = (pod: Json, url = '/openapi/v3/api/v1') => {
      fleet.member('c1').answerWith(async (request, next) => {
        if (request.path === '/openapi/v3') {
          return jsonAnswer(200, { paths: { 'api/v1': { serverRelativeURL: url } } });
        }
        if (request.path !== '/openapi/v3/api/v1') return next(request);
        return jsonAnswer(200, {
          paths: { '/api/v1/pods': { get: { 'x-kubernetes-group-version-kind': gvk } } },
          components: { schemas: { Pod: { 'x-kubernetes-group-version-kind': [gvk], ...pod } } },
        });
      });
    };
    answer({ properties: { self: { $ref: ref }, list: { items: { $ref: ref } } } });
    const circular = await explain(fleet, 'pods', '--recursive');

    assert.match(circular.stdout, /FIELDS:\n {2}list\t<\[\]Pod>\n/);
    assert.equal(circular.code, 0);
    answer({ allOf: [{ $ref: ref }] });
    const endless = await explain(fleet, 'pods');
    assert.match(endless.stderr, /c1: .*nested too deep/);
    assert.equal(endless.code, 1);
    answer({}, 'https://evil.example.com/steal');
    const elsewhere = await explain(fleet, 'pods');
    assert.match(elsewhere.stderr, /leads to no path of its own/);
    assert.equal(elsewhere.code, 1);
    answer({ description: 'red \u001b[31mtext' });
    const { stdout } = await runMc(['explain', 'pods'], { ...fleet, terminal: true });
    assert.ok(stdout.includes('red ^[[31mtext'));
  });
});
