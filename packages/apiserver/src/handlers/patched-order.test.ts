import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderJsonPatched, orderMerged } from './patched-order.ts';

const result = {
  z: { b: 1, a: { d: 1, c: 2 } },
  a: [{ y: 1, x: { n: 1, m: 2 } }],
  k: { q: 1, p: 2 },
};

describe('the order of the keys of what was patched', () => {
  test('is kept where no operation of a JSON patch leads', () => {
    const ordered = (...paths: string[]) =>
      JSON.stringify(
        orderJsonPatched(
          result,
          paths.map((path) => ({ op: 'test', path })),
        ),
      );

    assert.equal(
      ordered('/k', '/nowhere/at/all', '/toString/x'),
      '{"a":[{"y":1,"x":{"n":1,"m":2}}],"k":{"q":1,"p":2},"z":{"b":1,"a":{"d":1,"c":2}}}',
    );
    assert.equal(
      ordered('/a/0/y', '/z/a/d'),
      '{"a":[{"x":{"n":1,"m":2},"y":1}],"k":{"q":1,"p":2},"z":{"a":{"c":2,"d":1},"b":1}}',
    );
  });

  test('follows where something is copied from', () => {
    const operations = [{ op: 'copy', from: '/k~1/x', path: '/a' }];
    assert.equal(
      JSON.stringify(orderJsonPatched({ 'k/': { x: 1, b: 2 }, a: 1 }, operations)),
      '{"a":1,"k/":{"b":2,"x":1}}',
    );
  });

  test('is kept where a merge patch says nothing', () => {
    assert.equal(
      JSON.stringify(orderMerged(result, { z: { b: 1 }, a: [{ x: {} }] })),
      '{"a":[{"x":{"m":2,"n":1},"y":1}],"k":{"q":1,"p":2},"z":{"a":{"d":1,"c":2},"b":1}}',
    );
  });

  test('leaves what is no map as it is', () => {
    assert.equal(orderJsonPatched('text', [{ op: 'replace', path: '' }, null, 1]), 'text');
    assert.equal(orderMerged(1, { a: 1 }), 1);
    assert.equal(orderJsonPatched(null, {}), null);
  });
});
