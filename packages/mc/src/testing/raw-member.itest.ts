import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createClient, createTransport, Pods, type TransportFault } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startBlackHole } from './black-hole.ts';
import {
  endlessRaw,
  expiringPagesRaw,
  malformedJsonRaw,
  neverAnswer,
  podsRaw,
  redirectRaw,
  slowRaw,
  unauthorizedRaw,
} from './raw-answers.ts';
import {
  type RawMember,
  refusingMember,
  startMuteMember,
  startRawMember,
  withWrongCa,
} from './raw-member.ts';

function clientOf({ access }: Pick<RawMember, 'access'>, connectMs = 5_000) {
  const transport = createTransport({
    access,
    clock: systemClock,
    random: () => 0,
    limits: { connectMs },
  });
  return createClient(transport);
}

async function faultOf(member: Pick<RawMember, 'access'>, connectMs?: number): Promise<string> {
  await using client = clientOf(member, connectMs);
  try {
    await client.list(Pods, { signal: AbortSignal.timeout(10_000) });
    return 'none';
  } catch (error) {
    return (error as { fault?: TransportFault }).fault ?? (error as Error).name;
  }
}

test('a black hole answers no attempt to connect', async () => {
  await using member = await startBlackHole();
  const socket = connect(Number(new URL(member.url).port), '127.0.0.1');
  const connected = new Promise<string>((resolve) => {
    socket.once('connect', () => resolve('connected'));
    socket.once('error', () => resolve('refused'));
  });
  const patience = new Promise<string>((resolve) => setTimeout(resolve, 300, 'silence'));
  assert.equal(await Promise.race([connected, patience]), 'silence');
  socket.destroy();
  assert.equal(await faultOf(member, 50), 'timeout');
});

test('members fail in the ways they are made for', async () => {
  await using mute = await startMuteMember();
  await using malformed = await startRawMember(malformedJsonRaw);
  await using redirect = await startRawMember(redirectRaw);
  await using fine = await startRawMember(slowRaw(5, podsRaw('a')));
  assert.equal(await faultOf(refusingMember()), 'unreachable');
  assert.equal(await faultOf(mute, 50), 'timeout');
  assert.equal(await faultOf(malformed), 'malformed');
  assert.equal(await faultOf(redirect), 'redirect');
  assert.equal(await faultOf({ access: withWrongCa(fine.access) }), 'tls');
  assert.equal(await faultOf(fine), 'none');
  assert.deepEqual(fine.requests, ['GET /api/v1/pods?limit=500']);
  assert.deepEqual(fine.authorizations, ['Bearer s3cr3t-t0ken']);
});

test('what never ends is ended by who asks', async () => {
  for (const answer of [neverAnswer, endlessRaw]) {
    await using member = await startRawMember(answer);
    await using client = clientOf(member);
    await assert.rejects(client.list(Pods, { timeoutMs: 100 }), { fault: 'timeout' });
  }
});

test('refusals are refusals, and a list that expires can be had whole', async () => {
  await using unknown = await startRawMember(unauthorizedRaw);
  await using client = clientOf(unknown);
  await assert.rejects(client.list(Pods), { code: 401 });
  await using expiring = await startRawMember(expiringPagesRaw);
  await using other = clientOf(expiring);
  const { items } = await other.list(Pods);
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['a', 'b', 'c'],
  );
});
