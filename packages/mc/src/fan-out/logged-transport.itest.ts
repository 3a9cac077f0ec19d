import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonRaw, podsRaw } from '../testing/raw-answers.ts';
import { refusingMember, startRawMember } from '../testing/raw-member.ts';
import { createFanOut } from './create-fan-out.ts';
import type { Member } from './member.ts';
import { fleetOf, podNames, settingsOf, testDeps } from './testing/test-fleet.ts';

const depsAt = (verbosity: number) => testDeps({ settings: settingsOf({}, { verbosity }) });

test('at 6 every request is told in a line, with its cluster, status and time', async () => {
  await using member = await startRawMember(podsRaw('x'));
  const quiet = depsAt(5);
  await createFanOut(quiet)(fleetOf({ c1: member.access }), podNames);
  assert.deepEqual(quiet.notes, []);
  const deps = depsAt(6);
  await createFanOut(deps)(fleetOf({ c1: member.access }), podNames);
  const [note = '', ...others] = deps.notes;
  assert.match(
    note,
    /^c1: GET https:\/\/127.0.0.1:\d+\/api\/v1\/pods\?limit=500 200 in \d+ milliseconds$/,
  );
  assert.deepEqual(others, []);
});

test('a request that got no answer is told, too', async () => {
  const deps = depsAt(6);
  await createFanOut(deps)(fleetOf({ dead: refusingMember().access }), podNames);
  assert.equal(deps.notes.length, 2);
  assert.match(deps.notes[0] ?? '', /^dead: GET https:\/\/127.0.0.1:1\/.* unreachable in \d+ /);
});

test('MC-82 at 8 headers are told, with the value of Authorization redacted', async () => {
  await using member = await startRawMember((request, response, count) => {
    response.setHeader('set-cookie', 'session=s3cr3t');
    return podsRaw('x')(request, response, count);
  });
  const impersonate = { user: 'jane', groups: ['dev', 'ops'] };
  const deps = depsAt(8);
  await createFanOut(deps)(fleetOf({ c1: { ...member.access, impersonate } }), podNames);
  const text = deps.notes.join('\n');
  assert.match(text, /\n {2}Request Headers:\n/);
  assert.match(text, /\n {4}Authorization: <redacted>\n/);
  assert.match(text, /\n {4}User-Agent: kubectl-mc\n/);
  assert.match(text, /\n {4}Impersonate-User: jane\n {4}Impersonate-Group: dev\n/);
  assert.match(text, /\n {4}Accept: application\/json\n/);
  assert.match(text, /\n {2}Response Headers:\n(?: {4}.*\n)* {4}Content-Type: application\/json/);
  assert.match(text, /\n {4}Set-Cookie: <redacted>/);
  assert.doesNotMatch(text, /s3cr3t|Body/);
});

test('no Authorization is told where none was sent', async () => {
  await using member = await startRawMember(podsRaw('x'));
  const credential = { present: async () => ({}), refused: async () => false };
  const deps = depsAt(8);
  await createFanOut(deps)(fleetOf({ c1: { ...member.access, credential } }), podNames);
  assert.doesNotMatch(deps.notes.join('\n'), /Authorization/);
});

test('at 9 bodies are told, cut where they are long, and never those that hold credentials', async () => {
  await using member = await startRawMember(jsonRaw({ kind: 'X', data: 'd'.repeat(20_000) }));
  const deps = depsAt(9);
  const ask = async ({ client }: Member) => {
    await client.raw({ method: 'POST', path: '/api/v1/things', body: { asked: true } });
    await client.raw({ path: '/api/v1/namespaces/default/secrets?limit=1' });
    await client.raw({ method: 'POST', path: '/api/v1/serviceaccounts/a/token', body: { a: 1 } });
  };
  await createFanOut(deps)(fleetOf({ c1: member.access }), ask);
  const [open = '', secret = '', token = ''] = deps.notes;
  assert.match(open, /\n {2}Request Body: \{"asked":true\}\n/);
  assert.match(open, /\n {2}Response Body: \{"kind":"X","data":"d+ \[truncated \d+ chars\]$/);
  assert.ok(open.length < 12_000);
  assert.match(secret, /\n {2}Response Body: <\d+ bytes that may hold credentials>$/);
  assert.match(token, /\n {2}Request Body: <7 bytes that may hold credentials>\n/);
});
