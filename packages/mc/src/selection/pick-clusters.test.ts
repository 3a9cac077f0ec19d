import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterOfContext } from '../inventory/from-kubeconfig.ts';
import { pickClusters } from './pick-clusters.ts';

async function pick(answers: readonly string[], names = ['dev', 'prod-eu', 'prod-us', 'test']) {
  const left = [...answers];
  let shown = '';
  const picked = await pickClusters(names.map(clusterOfContext), {
    terminal: { in: true, out: true, err: true },
    err: (text) => {
      shown += text;
    },
    ask: async () => await Promise.resolve(left.shift()),
  });
  return { names: picked.map(({ name }) => name), shown };
}

describe('picking clusters', () => {
  test('takes numbers and ranges', async () => {
    const { names, shown } = await pick(['1, 3-4']);

    assert.deepEqual(names, ['dev', 'prod-us', 'test']);
    assert.equal(shown, '  1  dev\n  2  prod-eu\n  3  prod-us\n  4  test\n');
  });

  test('shortens the list by part of a name or a pattern, and takes all of it with a star', async () => {
    assert.deepEqual((await pick(['PROD', '*'])).names, ['prod-eu', 'prod-us']);
    assert.deepEqual((await pick(['*us', '1'])).names, ['prod-us']);
  });

  test('says what is wrong with numbers and asks again', async () => {
    const { names, shown } = await pick(['0', '2-9', '3-2', 'zzz', '2']);

    assert.deepEqual(names, ['prod-eu']);
    assert.match(shown, /"0" is none of 1 to 4\.\n/);
    assert.match(shown, /"2-9" is none of 1 to 4\.\n/);
    assert.match(shown, /"3-2" is none of 1 to 4\.\n/);
    assert.match(shown, /No name has "zzz" in it\.\n/);
  });

  test('shows names as they are, not as they would like to be, and no more than fit', async () => {
    const many = Array.from({ length: 60 }, (_, at) => `c${at}`);

    assert.match((await pick(['1'], ['\u001b[2Jx'])).shown, /\^\[\[2Jx/);
    assert.match((await pick(['60'], many)).shown, /… and 20 more/);
  });

  test('ends with nothing when nobody answers, and needs a terminal', async () => {
    await assert.rejects(pick(['']), { name: 'UsageError', message: 'No cluster was picked' });
    await assert.rejects(pick([]), { message: 'No cluster was picked' });
    await assert.rejects(
      pickClusters([], {
        terminal: { in: false, out: true, err: true },
        err: () => {},
        ask: async () => await Promise.resolve(undefined),
      }),
      /needs a terminal/,
    );
  });
});
