import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pods } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually } from '@flotilla/testkit';
import { startBlackHole } from '../testing/black-hole.ts';
import {
  droppingRaw,
  endlessRaw,
  expiringPagesRaw,
  malformedJsonRaw,
  malformedTableRaw,
  neverAnswer,
  podsRaw,
  redirectRaw,
  refusalRaw,
  throttledRaw,
  unauthorizedRaw,
} from '../testing/raw-answers.ts';
import { refusingMember, startRawMember, withWrongCa } from '../testing/raw-member.ts';
import { createFanOut } from './create-fan-out.ts';
import type { Outcome } from './outcome.ts';
import { fleetOf, podNames, routed, settingsOf, statuses, testDeps } from './testing/test-fleet.ts';

const named = <T>(outcomes: readonly Outcome<T>[], name: string) => {
  const found = outcomes.find(({ cluster }) => cluster.name === name);
  assert.ok(found);
  return found;
};

test('outcomes are in the order of the fleet, with what each cluster said', async () => {
  await using a = await startRawMember(podsRaw('x', 'y'));
  await using b = await startRawMember(podsRaw());
  const told: string[] = [];
  const outcomes = await createFanOut(testDeps())(fleetOf({ b: b.access, a: a.access }), podNames, {
    isEmpty: (names) => names.length === 0,
    onOutcome: ({ cluster }) => told.push(cluster.name),
  });
  assert.deepEqual(
    outcomes.map(({ cluster, status, value }) => [cluster.name, status, value]),
    [
      ['b', 'empty', []],
      ['a', 'ok', ['x', 'y']],
    ],
  );
  assert.deepEqual(told.toSorted(), ['a', 'b']);
  assert.deepEqual(a.requests, ['GET /api/v1/pods?limit=500']);
  await eventually(a.openConnections, (open) => open === 0);
});

test('MC-39 one cluster that refuses keeps nine from nothing', async () => {
  await using fine = await startRawMember(podsRaw('x'));
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`c${at}`, fine.access]));
  const outcomes = await createFanOut(testDeps())(
    fleetOf({ ...nine, dead: refusingMember().access }),
    podNames,
  );
  assert.equal(outcomes.filter(({ status }) => status === 'ok').length, 9);
  const { status, failure } = named(outcomes, 'dead');
  assert.equal(status, 'unreachable');
  assert.match(failure?.message ?? '', /^Cannot reach "https:\/\/127.0.0.1:1": connection refused/);
});

test('MC-40 a black hole fails at the connect timeout of 5 s, when others have long answered', async () => {
  await using hole = await startBlackHole();
  await using fine = await startRawMember(podsRaw('x'));
  const told: string[] = [];
  const clock = new ManualClock();
  const running = createFanOut(testDeps({ clock }))(
    fleetOf({ hole: hole.access, fine: fine.access }),
    podNames,
    { onOutcome: ({ cluster }) => told.push(cluster.name) },
  );
  await eventually(() => told.length === 1);
  await clock.advance(4_999);
  assert.deepEqual(told, ['fine']);
  await clock.advance(1);
  const { status, failure, elapsedMs } = named(await running, 'hole');
  assert.deepEqual([status, elapsedMs], ['timeout', 5_000]);
  assert.match(failure?.message ?? '', /no connection within 5 s; check the address/);
});

test('MC-42 a 401 has the credential renewed once and then a hint; a 403 keeps its words', async () => {
  const text = 'pods is forbidden: User "u" cannot list resource "pods" in API group ""';
  await using unknown = await startRawMember(unauthorizedRaw);
  await using forbidding = await startRawMember(refusalRaw(403, 'Forbidden', text));
  let renewed = 0;
  const credential = {
    present: async () => ({ authorization: `Bearer ${renewed}` }),
    refused: async () => {
      renewed += 1;
      return true;
    },
  };
  const route = { command: '/usr/local/bin/aws' };
  const outcomes = await createFanOut(testDeps())(
    {
      clusters: [
        routed('who', { ...unknown.access, credential }, { route }),
        routed('not', forbidding.access),
      ],
    },
    podNames,
  );
  assert.equal(renewed, 1);
  assert.deepEqual(unknown.authorizations, ['Bearer 0', 'Bearer 1']);
  assert.deepEqual(named(outcomes, 'who').failure, {
    reason: 'Unauthorized',
    code: 401,
    message: 'You must be logged in to the server (Unauthorized)',
    hint: 'run: aws sso login',
  });
  const { status, failure } = named(outcomes, 'not');
  assert.deepEqual([status, failure?.message, failure?.code], ['forbidden', text, 403]);
});

test('MC-43 a wrong CA is a failure of TLS that says whose the CA is', async () => {
  await using member = await startRawMember(podsRaw('x'));
  const outcomes = await createFanOut(testDeps())(
    {
      clusters: [routed('c', withWrongCa(member.access), { route: { caSource: 'the profile' } })],
    },
    podNames,
  );
  const { status, failure } = named(outcomes, 'c');
  assert.equal(status, 'tls');
  assert.deepEqual(member.requests, []);
  assert.match(
    failure?.message ?? '',
    /^with the certificate authority of the profile: Cannot trust /,
  );
});

test('MC-46 a server that asks for a second of patience is asked again after it, and that is all', async () => {
  await using busy = await startRawMember(throttledRaw(podsRaw('x'), { seconds: 1 }));
  const clock = new ManualClock();
  const deps = testDeps({ clock });
  const running = createFanOut(deps)(fleetOf({ busy: busy.access }), podNames);
  await eventually(() => busy.requests.length === 1);
  await clock.advance(900);
  assert.equal(busy.requests.length, 1);
  await eventually(async () => {
    await clock.advance(100);
    return busy.requests.length === 2;
  });
  assert.deepEqual(statuses(await running), { busy: 'ok' });
  assert.deepEqual([...deps.notes, ...deps.warnings], []);
});

test('MC-47 a list that expires between its pages has every row once', async () => {
  await using member = await startRawMember(expiringPagesRaw);
  const outcomes = await createFanOut(testDeps())(fleetOf({ c: member.access }), podNames);
  assert.deepEqual(named(outcomes, 'c').value, ['a', 'b', 'c']);
});

test('MC-50 an answer that cannot be read is the failure of its cluster alone', async () => {
  await using json = await startRawMember(malformedJsonRaw);
  await using table = await startRawMember(malformedTableRaw);
  await using elsewhere = await startRawMember(redirectRaw);
  await using fine = await startRawMember(podsRaw('x'));
  const outcomes = await createFanOut(testDeps())(
    fleetOf({
      json: json.access,
      table: table.access,
      elsewhere: elsewhere.access,
      fine: fine.access,
    }),
    async ({ client }) => (await client.table(Pods)).rows.map(({ cells }) => cells.join()),
  );
  assert.deepEqual(statuses(outcomes), {
    json: 'error',
    table: 'error',
    elsewhere: 'error',
    fine: 'ok',
  });
  assert.doesNotMatch(named(outcomes, 'json').failure?.message ?? '', /s3cr3t/);
});

test('a read that the server hung up on is repeated once, and not for ever', async () => {
  await using once = await startRawMember(droppingRaw(podsRaw('x')));
  await using ever = await startRawMember(droppingRaw(podsRaw('x'), 1_000));
  const outcomes = await createFanOut(testDeps())(
    fleetOf({ once: once.access, ever: ever.access }),
    podNames,
  );
  assert.deepEqual(statuses(outcomes), { once: 'ok', ever: 'unreachable' });
  assert.deepEqual([once.requests.length, ever.requests.length], [2, 2]);
});

test('a write that the server hung up on is not repeated', async () => {
  await using member = await startRawMember(droppingRaw(podsRaw()));
  const outcomes = await createFanOut(testDeps())(fleetOf({ c: member.access }), ({ client }) =>
    client.raw({ method: 'POST', path: '/api/v1/pods', body: {} }),
  );
  assert.deepEqual(statuses(outcomes), { c: 'unreachable' });
  assert.equal(member.requests.length, 1);
});

test('what never ends is ended at the limit of a cluster, and nothing stays open', async () => {
  await using silent = await startRawMember(neverAnswer);
  await using endless = await startRawMember(endlessRaw);
  const settings = settingsOf({ timeoutMs: 300 });
  const outcomes = await createFanOut(testDeps({ settings }))(
    fleetOf({ silent: silent.access, endless: endless.access }),
    podNames,
  );
  assert.deepEqual(statuses(outcomes), { silent: 'timeout', endless: 'timeout' });
  assert.equal(named(outcomes, 'silent').failure?.message, `timeout after 300ms (${silent.url})`);
});
