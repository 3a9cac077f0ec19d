import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  startInMemory,
  type TestServer,
} from '../../packages/apiserver/src/testing/start-in-memory.ts';
import { HEAVY, type Heavy } from './heavy-objects.ts';

/** While one request is worked on nobody else is; on a machine of its own a fifth of this is enough. */
const MOST_MS = 8_000;
/** Those that took minutes once come first. */
const FIRST = ['pod tolerations', 'pod pull secrets', 'metadata owners', 'pod env'];
const count = Number(process.env['FLOTILLA_HEAVY_OBJECTS'] ?? FIRST.length);
const chosen = [
  ...HEAVY.filter(({ title }) => FIRST.includes(title)),
  ...HEAVY.filter(({ title }) => !FIRST.includes(title)),
].slice(0, count);
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';

test('no object near the largest there may be holds up the server', async (context) => {
  await using server = await startInMemory();
  const slow: string[] = [];
  let worst = { title: '', ms: 0 };
  for (const heavy of chosen) {
    for (const { step, ms } of await life(server, heavy)) {
      const title = `${heavy.title}: ${step} took ${Math.round(ms)} ms`;
      if (ms > MOST_MS) slow.push(title);
      if (ms > worst.ms) worst = { title, ms };
    }
  }
  assert.equal(chosen.length, Math.min(count, HEAVY.length));
  context.diagnostic(`figure: heavy objects: ${chosen.length} kinds, worst ${worst.title}`);
  assert.deepEqual(slow, []);
});

interface Step {
  readonly step: string;
  readonly ms: number;
}

/** Create, read, replace, patch and delete, each with its time. */
async function life(server: TestServer, { path, make }: Heavy): Promise<Step[]> {
  const steps: Step[] = [];
  const one = `${path}/heavy`;
  const send = async (request: string, body?: object, type = 'application/json') => {
    const begun = performance.now();
    const { status } = await server.send(request, {
      ...(body === undefined ? {} : { body }),
      headers: { 'content-type': type, accept: request.startsWith('GET') ? TABLE : '*/*' },
    });
    steps.push({ step: `${request} ${status}`, ms: performance.now() - begun });
  };
  await send(`POST ${path}`, make('a'));
  await send(`GET ${path}`);
  await send(`PUT ${one}`, make('bb'));
  await send(`PATCH ${one}`, make('ccc'), MERGE);
  await send(`PATCH ${one}`, make('dddd'), STRATEGIC);
  await send(`PATCH ${one}`, { metadata: { finalizers: null } }, MERGE);
  await send(`DELETE ${one}?gracePeriodSeconds=0`);
  return steps;
}
