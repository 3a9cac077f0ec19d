import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Glob, matchesGlob, parseGlob } from './glob.ts';

function matches(pattern: string, name: string, keepsSlashes = false): boolean {
  const glob = parseGlob(pattern);
  assert.ok(glob !== undefined, pattern);
  return matchesGlob(glob, name, keepsSlashes);
}

const cases: readonly (readonly [
  pattern: string,
  means: readonly string[],
  not: readonly string[],
])[] = [
  ['prod-*', ['prod-', 'prod-us-1'], ['prod', 'xprod-1']],
  ['*-canary', ['a-canary', '-canary'], ['canary', 'a-canary-b']],
  ['*a*b*c*', ['abc', 'xaxbxcx', 'aabbcc'], ['acb', 'ab']],
  ['c?', ['c1', 'cx', 'c💥'], ['c', 'c12']],
  ['c[0-3x]', ['c0', 'c3', 'cx'], ['c4', 'cy', 'c']],
  ['c[!0-3]', ['c4', 'cx'], ['c0', 'c']],
  ['c[^0-3]', ['c4'], ['c0']],
  ['c[]a]', ['c]', 'ca'], ['cb']],
  ['c[a-]', ['ca', 'c-'], ['cb']],
  ['c[', ['c['], ['c']],
  ['{a,b}-{1,2}', ['a-1', 'a-2', 'b-1', 'b-2'], ['a-3', '{a,b}-1']],
  ['{a,{b,c}d}*', ['a', 'bd', 'cdx'], ['b', 'd']],
  ['{,x}y', ['y', 'xy'], ['x']],
  ['{a}', ['{a}'], ['a']],
  ['{a,b', ['{a,b'], ['a']],
  ['a\\*', ['a*'], ['ab', 'a\\*']],
  ['\\{a,b\\}', ['{a,b}'], ['a', 'b']],
  ['', [''], ['a']],
  ['**', ['', 'a'], []],
];

describe('a glob', () => {
  test('means what it would in a shell', () => {
    for (const [pattern, means, not] of cases) {
      for (const name of means) assert.equal(matches(pattern, name), true, `${pattern} ~ ${name}`);
      for (const name of not) assert.equal(matches(pattern, name), false, `${pattern} !~ ${name}`);
    }
  });

  test('keeps to one part of a path when it should', () => {
    assert.equal(matches('prod-*', 'prod-x/edge', true), false);
    assert.equal(matches('prod-*', 'prod-x/edge'), true);
    assert.equal(matches('*/edge', 'a/edge', true), true);
    assert.equal(matches('*/ed*', 'a/b/edge', true), false);
    assert.equal(matches('a?b', 'a/b', true), false);
    assert.equal(matches('a[!x]b', 'a/b', true), false);
    assert.equal(matches('*a*/b*', 'xaya/bb', true), true);
  });

  test('takes no time for names that were made to take some', () => {
    const glob = parseGlob(`${'a*'.repeat(60)}b`) as Glob;

    assert.equal(matchesGlob(glob, 'a'.repeat(4_000)), false);
  });

  test('that stands for too many names is none', () => {
    assert.equal(parseGlob('{a,b}'.repeat(20)), undefined);
    assert.equal(parseGlob(`${'{a,b}'.repeat(9)}`)?.alternatives.length, 512);
  });
});
