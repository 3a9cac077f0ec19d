import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '../../authn/manual-clock.ts';
import { startInMemory, type TestServer } from '../../testing/start-in-memory.ts';

const CORE = '/api/v1/namespaces/default';
const CLASSES = '/apis/scheduling.k8s.io/v1/priorityclasses';

describe('a pod', () => {
  test('may come before the default account of its namespace, and then waits for it', async () => {
    await using server = await startInMemory();
    const namespace = { metadata: { name: 'fresh' } };
    const [, pod] = await Promise.all([
      server.send('POST /api/v1/namespaces', { body: namespace }),
      server.send('POST /api/v1/namespaces/fresh/pods', { body: podNamed('p') }),
    ]);
    // The namespace itself may come second; what must not happen is a pod refused for its account.
    const { status, body } = pod;
    assert.ok(status === 201 || status === 404, String(body));
    if (status === 404) {
      const again = await server.send('POST /api/v1/namespaces/fresh/pods', {
        body: podNamed('p'),
      });
      assert.equal(again.status, 201);
    }
  });

  test('is refused when no default account appears', async () => {
    const clock = new ManualClock('2026-01-01T00:00:00Z');
    await using server = await startInMemory({ clock, disabledControllers: ['serviceaccount'] });
    await server.send('POST /api/v1/namespaces', { body: { metadata: { name: 'bare' } } });

    const sent = server.send('POST /api/v1/namespaces/bare/pods', { body: podNamed('p') });
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10_000);
    const refused = await sent;

    assert.equal(refused.status, 403);
    assert.equal(
      refused.json().message,
      'pods "p" is forbidden: error looking up service account bare/default: serviceaccount "default" not found',
    );
  });

  test('keeps its priority when it is sent back without it', async () => {
    await using server = await startInMemory();
    const created = await server.send(`POST ${CORE}/pods`, { body: podNamed('p') });
    const { spec, ...rest } = created.json();
    const { priority, preemptionPolicy, ...without } = spec;
    assert.deepEqual([priority, preemptionPolicy], [0, 'PreemptLowerPriority']);

    const updated = await server.send(`PUT ${CORE}/pods/p`, { body: { ...rest, spec: without } });

    assert.equal(updated.status, 200);
    assert.equal(updated.json().spec.priority, 0);
  });
});

describe('priority classes', () => {
  test('have one default at most, whose number new pods get', async () => {
    await using server = await startInMemory();
    await createClass(server, 'first', { value: 10, globalDefault: true });

    const second = await createClass(server, 'second', { value: 5, globalDefault: true });
    assert.equal(
      second.json().message,
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    );
    await createClass(server, 'plain', { value: 7 });
    const { spec } = (await server.send(`POST ${CORE}/pods`, { body: podNamed('p') })).json();
    assert.deepEqual([spec.priorityClassName, spec.priority], ['first', 10]);

    await server.send(`DELETE ${CLASSES}/first`);
    const later = (await server.send(`POST ${CORE}/pods`, { body: podNamed('q') })).json();
    assert.deepEqual([later.spec.priorityClassName, later.spec.priority], [undefined, 0]);
  });
});

describe('limit ranges', () => {
  test('are followed as they change', async () => {
    await using server = await startInMemory();
    const limits = [{ type: 'Container', max: { memory: '1Gi' } }];
    const body = { metadata: { name: 'l' }, spec: { limits } };
    await server.send(`POST ${CORE}/limitranges`, { body });
    const refused = await server.send(`POST ${CORE}/pods`, {
      body: podNamed('p', { limits: { memory: '2Gi' } }),
    });
    assert.equal(refused.status, 403);
    assert.match(
      refused.json().message,
      /maximum memory usage per Container is 1Gi, but limit is 2Gi/,
    );

    await server.send(`DELETE ${CORE}/limitranges/l`);
    const accepted = await server.send(`POST ${CORE}/pods`, {
      body: podNamed('p', { limits: { memory: '2Gi' } }),
    });
    assert.equal(accepted.status, 201);
  });
});

describe('pod security', () => {
  test('is asked again when an image changes, and not for labels', async () => {
    await using server = await startInMemory();
    await server.send(`POST ${CORE}/pods`, { body: podNamed('p') });
    const label = (level: string) =>
      server.send('PATCH /api/v1/namespaces/default', {
        body: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': level } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      });
    await label('restricted');

    const patch = (body: object) =>
      server.send(`PATCH ${CORE}/pods/p`, {
        body,
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
      });
    assert.equal((await patch({ metadata: { labels: { a: 'b' } } })).status, 200);
    const changed = await patch({ spec: { containers: [{ name: 'c', image: 'other' }] } });
    assert.equal(changed.status, 403);
    assert.match(
      changed.json().message,
      /^pods "p" is forbidden: violates PodSecurity "restricted:latest"/,
    );
  });
});

function podNamed(name: string, resources: object = {}): object {
  return { metadata: { name }, spec: { containers: [{ name: 'c', image: 'i', resources }] } };
}

async function createClass(server: TestServer, name: string, rest: object) {
  return server.send(`POST ${CLASSES}`, { body: { metadata: { name }, ...rest } });
}
