import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../testing/seeded.ts';
import { canonicalQuantity, formatQuantity } from './format-quantity.ts';
import { parseQuantity } from './parse-quantity.ts';
import * as quantity from './quantity.ts';

test('quantities become what upstream stores', () => {
  const cases: [string, string][] = [
    ['0', '0'],
    ['0Mi', '0'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['0.1', '100m'],
    ['.5', '500m'],
    ['.', '0'],
    ['k', '0'],
    ['1.234', '1.234'],
    ['1.2340', '1234m'],
    ['+5', '+5'],
    ['-1500m', '-1500m'],
    ['-0.5', '-500m'],
    ['12000', '12k'],
    ['12e6', '12e6'],
    ['1200e4', '12e6'],
    ['12E', '12E'],
    ['1E3', '1E3'],
    ['1e-3', '1e-3'],
    ['1024', '1024'],
    ['1024Ki', '1Mi'],
    ['1024Mi', '1Gi'],
    ['1500Mi', '1500Mi'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['0.0001Ki', '102400u'],
    ['1.1Ki', '1126400m'],
    ['100Ti', '100Ti'],
    ['8Ei', '9223372036854775807'],
    ['0.0000000001', '1n'],
    ['1e-12', '1e-9'],
    ['123456789012345678901', '123456789012345678901'],
    ['1e2147483647', '10e2147483646'],
  ];
  for (const [text, canonical] of cases) assert.equal(canonicalQuantity(text), canonical, text);
});

test('what is no quantity is refused with the words of upstream', () => {
  const format =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const cases: [string, string][] = [
    ['', format],
    ['abc', format],
    ['1 ', format],
    ['1e5m', format],
    ['1.2.3', format],
    ['1mm', suffix],
    ['1Kii', suffix],
    ['1e', suffix],
    ['1ki', suffix],
    ['1e99999999999999999999', suffix],
    ['1'.repeat(5000), 'unable to parse numeric part of quantity'],
    ['.Ei', 'unable to parse numeric part of quantity'],
    ['.e-12', 'unable to parse numeric part of quantity'],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseQuantity(text), { name: 'ParseError', message }, text);
  }
});

test('amounts are compared by value, not by how they are written', () => {
  const compare = (a: string, b: string) =>
    quantity.compareQuantities(parseQuantity(a), parseQuantity(b));
  assert.equal(compare('1', '1000m'), 0);
  assert.equal(compare('1Gi', '1G'), 1);
  assert.equal(compare('-1', '1n'), -1);
  assert.equal(compare('-2', '-1'), -1);
  assert.equal(compare('0', '-0'), 0);
  assert.equal(compare('1e2147483647', '1E'), 1);
  assert.equal(compare('0e2147483647', '1'), -1);
});

test('sums keep the format of the first that is not zero', () => {
  const sum = (a: string, b: string) =>
    formatQuantity(quantity.addQuantities(parseQuantity(a), parseQuantity(b)));
  assert.equal(sum('100m', '900m'), '1');
  assert.equal(sum('1Gi', '1Gi'), '2Gi');
  assert.equal(sum('0', '1Gi'), '1Gi');
  assert.equal(sum('1Gi', '1M'), '1074741824');
  assert.equal(sum('1Mi', '1m'), '1048576001m');
  const rest = quantity.subtractQuantities(parseQuantity('1'), parseQuantity('300m'));
  assert.equal(formatQuantity(rest), '700m');
  assert.equal(formatQuantity(quantity.multiplyQuantity(parseQuantity('250m'), 4n)), '1');
});

test('values are rounded away from zero and stay within an int64', () => {
  const value = (text: string) => quantity.quantityValue(parseQuantity(text));
  assert.equal(value('1.1'), 2n);
  assert.equal(value('-1.1'), -2n);
  assert.equal(value('1Ki'), 1024n);
  assert.equal(value('1n'), 1n);
  assert.equal(value('1e2147483647'), 2n ** 63n - 1n);
  assert.equal(quantity.quantityMilliValue(parseQuantity('1.5')), 1500n);
  assert.equal(quantity.isFractionalQuantity(parseQuantity('1.5')), true);
  assert.equal(quantity.isFractionalQuantity(parseQuantity('1500m')), true);
  assert.equal(quantity.isFractionalQuantity(parseQuantity('2000m')), false);
  assert.equal(quantity.quantityToNumber(parseQuantity('1.5Ki')), 1536);
});

test('canonical texts are stable, and order and sums are consistent', () => {
  const random = seeded(5);
  const any = () => {
    const digits = random.some(14, () => String(random.below(10))).join('');
    const fraction = random.below(3) === 0 ? `.${random.below(1000)}` : '';
    const suffix = random.pick(['', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'n', 'u', 'e3', 'e-2']);
    return parseQuantity(`${random.pick(['', '-'])}${digits || '0'}${fraction}${suffix}`);
  };
  for (let round = 0; round < 3000; round++) {
    const [a, b] = [any(), any()];
    const canonical = formatQuantity(a);
    assert.equal(canonicalQuantity(canonical), canonical);
    assert.equal(quantity.compareQuantities(parseQuantity(canonical), a), 0, canonical);
    assert.equal(quantity.compareQuantities(a, b), -quantity.compareQuantities(b, a) || 0);
    const sum = quantity.addQuantities(a, b);
    assert.equal(quantity.compareQuantities(quantity.subtractQuantities(sum, b), a), 0);
    assert.equal(quantity.compareQuantities(sum, a), quantity.quantitySign(b));
  }
});
