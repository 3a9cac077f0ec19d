import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { notFound } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { eventually, type Patience } from './eventually.ts';

describe('eventually', () => {
  test('looks again until it holds, and gives back what it saw', async () => {
    let looks = 0;
    const { result } = await waited(() => ++looks, { holds: (seen) => seen === 3 });

    assert.equal(result, 3);
  });

  test('tells what it saw last when it never holds', async () => {
    const { error } = await waited(() => ({ phase: 'Pending' }), { holds: () => false });

    assert.match(String(error), /Cannot wait any longer than 1000 ms: .*\{ phase: 'Pending' \}/);
  });

  test('takes an assertion that fails for not yet', async () => {
    let looks = 0;
    const { result } = await waited(() => {
      looks += 1;
      assert.ok(looks > 2, 'too soon');
      return looks;
    });
    const { error } = await waited(() => assert.fail('never'));

    assert.equal(result, 3);
    assert.match(String(error), /last seen was AssertionError.*never/);
  });

  test('fails at once on an error of a client, unless that is tolerated', async () => {
    const refusal = notFound({ group: '', resource: 'pods' }, 'web');
    let looks = 0;
    const look = (): number => {
      looks += 1;
      if (looks < 3) throw refusal;
      return looks;
    };

    assert.equal((await waited(look)).error, refusal);
    assert.equal(looks, 1);
    assert.equal((await waited(look, { tolerates: (error) => error === refusal })).result, 3);
  });
});

async function waited<T>(
  look: () => T,
  { holds, ...patience }: Patience & { holds?: (seen: T) => boolean } = {},
): Promise<{ result?: T; error?: unknown }> {
  const clock = new ManualClock();
  const looking = eventually(look, holds, { withinMs: 1_000, clock, ...patience }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  await clock.advance(2_000);
  return looking;
}
