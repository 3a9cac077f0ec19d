import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { flagTable } from '../../flags/flag-table.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import type { Io } from '../../io.ts';
import { manifestFlags } from '../../manifests/manifest-flags.ts';
import { targetsOfFiles } from './file-targets.ts';

const { flags } = parseFlags(['-f', '-'], flagTable(manifestFlags));

function targets(stdin: string, namespaces: readonly string[] = []) {
  const { signal } = new AbortController();
  const io = { cwd: '/', env: {}, signal, stdin: Readable.from([Buffer.from(stdin)]) };
  return targetsOfFiles(flags, io as unknown as Io, namespaces);
}

const object = (kind: string, name: string, namespace?: string) =>
  JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, namespace } });

test('neighbours of one type are asked for together', async () => {
  const text = [
    object('Pod', 'a'),
    object('Pod', 'b', 'other'),
    JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'c' } }),
    object('Pod', 'd'),
  ].join('\n---\n');

  assert.deepEqual(await targets(text), [
    { type: 'Pod.v1.', name: 'a', namespace: undefined, segment: 0 },
    { type: 'Pod.v1.', name: 'b', namespace: 'other', segment: 0 },
    { type: 'Deployment.v1.apps', name: 'c', namespace: undefined, segment: 1 },
    { type: 'Pod.v1.', name: 'd', namespace: undefined, segment: 2 },
  ]);
});

test('objects are in a namespace that was asked for, or say nothing', async () => {
  const text = object('Pod', 'a', 'one');

  assert.equal((await targets(text, ['two', 'one'])).length, 1);
  await assert.rejects(targets(text, ['two']), {
    name: 'UsageError',
    message:
      'the namespace from the provided object "one" does not match the namespace "two". You must pass \'--namespace=one\' to perform this operation.',
  });
});

test('files without objects are refused', async () => {
  await assert.rejects(targets('# nothing\n---\n'), { message: 'no objects passed to get' });
});
