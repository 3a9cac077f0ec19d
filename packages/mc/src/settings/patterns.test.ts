import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitPatterns } from './patterns.ts';

test('commas between patterns separate, those inside belong to them', () => {
  const cases: readonly [string, string[]][] = [
    ['a', ['a']],
    ['a,b*, c ', ['a', 'b*', 'c']],
    ['{a,b}-x,c', ['{a,b}-x', 'c']],
    ['{a,{b,c}}-x,d', ['{a,{b,c}}-x', 'd']],
    ['{a,b', ['{a', 'b']],
    ['/^a{1,2}$/,b', ['/^a{1,2}$/', 'b']],
    ['/a,b\\/c/', ['/a,b\\/c/']],
    ['ns/a,ns/b', ['ns/a', 'ns/b']],
    ['', []],
    [',a,,', ['a']],
    ['a\\,b', ['a\\,b']],
  ];
  for (const [text, pieces] of cases) assert.deepEqual(splitPatterns(text), pieces, text);
});
