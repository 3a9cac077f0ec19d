// Webhooks, good and bad ones, are called by a real server and by ours with the same requests, and what
// they answer means the same to both.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REAL_OPTIONS } from '../../conformance/index.ts';
import { startWebhook } from '../../packages/apiserver/src/testing/start-webhook.ts';
import { SIDES, startSide } from '../sides.ts';
import { type Played, play } from './play.ts';
import { scenes } from './scenes.ts';

const WEBHOOKS = ['MutatingAdmissionWebhook', 'ValidatingAdmissionWebhook'];

test('webhooks are asked the same and believed the same by both servers', async () => {
  const outcomes: Played[][] = [];
  await using webhook = await startWebhook();
  for (const name of SIDES) {
    const side = await startSide(name, {
      ...REAL_OPTIONS,
      disableAdmissionPlugins: REAL_OPTIONS.disableAdmissionPlugins.filter(
        (plugin) => !WEBHOOKS.includes(plugin),
      ),
    });
    try {
      outcomes.push(await play(side, webhook, scenes));
    } finally {
      await side.stop();
    }
  }
  const [wanted = [], got = []] = outcomes;
  const differing = wanted.flatMap((each, index) => {
    const other = got[index];
    return isSame(each, other) ? [] : [describe(each, other)];
  });
  assert.ok(differing.length === 0, `\n${differing.join('\n')}`);
  assert.ok(wanted.length > 100);
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function describe(wanted: Played, got: Played | undefined): string {
  return [`${wanted.scene}: ${wanted.request}`, ...differences(wanted, got, '')].join('\n');
}

/** The places where two values differ, a line each. */
function differences(wanted: unknown, got: unknown, path: string): string[] {
  if (isSame(wanted, got)) return [];
  if (typeof wanted !== 'object' || typeof got !== 'object' || wanted === null || got === null) {
    return [`  ${path}`, `    real ${JSON.stringify(wanted)}`, `    ours ${JSON.stringify(got)}`];
  }
  const keys = new Set([...Object.keys(wanted), ...Object.keys(got)]);
  const at = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];
  return [...keys].flatMap((key) =>
    differences(at(wanted, key), at(got, key), path === '' ? key : `${path}.${key}`),
  );
}
