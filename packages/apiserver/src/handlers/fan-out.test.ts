import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createFanOut } from './fan-out.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('fan-out', () => {
  test('flushes a watch once, however often it was asked for in a turn', async () => {
    const fanOut = createFanOut();
    let flushes = 0;
    const watch = { flush: () => (flushes += 1) };

    fanOut.enqueue(watch);
    fanOut.enqueue(watch);
    assert.equal(flushes, 0, 'not in the turn of the change itself');
    await turn();

    assert.equal(flushes, 1);
    fanOut.enqueue(watch);
    await turn();
    assert.equal(flushes, 2);
  });

  test('gives other work its turn between slices of many watches', async () => {
    const fanOut = createFanOut();
    let flushes = 0;
    for (let i = 0; i < 300; i += 1) fanOut.enqueue({ flush: () => (flushes += 1) });

    await turn();
    assert.ok(flushes > 0 && flushes < 300, `${flushes} in the first turn`);
    await turn();
    await turn();
    assert.equal(flushes, 300);
  });

  test('goes on with the rest when a watch asks again while it is flushed', async () => {
    const fanOut = createFanOut();
    const order: string[] = [];
    const first = {
      flush: () => {
        order.push('first');
        if (order.length === 1) fanOut.enqueue(first);
      },
    };
    fanOut.enqueue(first);
    fanOut.enqueue({ flush: () => order.push('second') });
    await turn();
    await turn();

    assert.deepEqual(order, ['first', 'second', 'first']);
  });

  test('joins the same frames once for all who lag by them', () => {
    const { join } = createFanOut();
    const [a, b] = [Buffer.from('a\n'), Buffer.from('b\n')];

    const joined = join([a, b]);
    assert.equal(joined.toString(), 'a\nb\n');
    assert.equal(join([a, b]), joined);
    assert.equal(join([b, a]).toString(), 'b\na\n');
    assert.equal(join([a]), a);
    assert.equal(join([a, Buffer.from('b\n')]).toString(), 'a\nb\n');
  });
});
