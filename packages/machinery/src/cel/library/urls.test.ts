import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  [
    "url('https://user:pw@example.com:80/path%20x/?a=1&b=2&a=3').getHost()",
    '"example.com:80"',
    7,
    7n,
  ],
  ["url('https://example.com:80/').getHostname()", '"example.com"', 4, 4n],
  ["url('https://[::1]:80/').getHostname()", '"::1"', 3, 3n],
  ["url('https://example.com:80/').getPort()", '"80"', 4, 4n],
  ["url('https://example.com/').getPort()", '""', 3, 3n],
  ["url('HTTPS://example.com/').getScheme()", '"https"', 3, 3n],
  ["url('/absolute/path').getScheme()", '""', 3, 3n],
  ["url('https://example.com/with space/').getEscapedPath()", '"/with%20space/"', 5, 5n],
  ["url('https://example.com/a%2Fb').getEscapedPath()", '"/a%2Fb"', 4, 4n],
  [
    "url('https://example.com/?a=1&b=2&a=x%20y+z').getQuery()",
    '{"a": ["1", "x y z"], "b": ["2"]}',
    5,
    5n,
  ],
  ["url('https://example.com/').getQuery()", '{}', 3, 3n],
  ["url('https://a/') == url('https://a/')", 'true', 3, 3n],
  ["url('https://a/') == url('https://b/')", 'false', 3, 3n],
  ["isURL('https://a:80/')", 'true', 1, 1n],
  ["isURL('../relative')", 'false', 1, 1n],
  ["isURL('')", 'false', 1, 1n],
  [
    "url('not a url')",
    'error: URL parse error during conversion from string: parse "not a url": invalid URI for request',
    1,
    1n,
  ],
  [
    "url('https://a:port/')",
    'error: URL parse error during conversion from string: parse "https://a:port/": invalid port ":port" after host',
    2,
    2n,
  ],
  [
    "url('https://[::1/')",
    `error: URL parse error during conversion from string: parse "https://[::1/": missing ']' in host`,
    2,
    2n,
  ],
  [
    "url('https://exa mple.com')",
    'error: URL parse error during conversion from string: parse "https://exa mple.com": invalid character " " in host name',
    2,
    2n,
  ],
  [
    "url('https://a/%zz')",
    'error: URL parse error during conversion from string: parse "https://a/%zz": invalid URL escape "%zz"',
    2,
    2n,
  ],
  [
    "url(':foo')",
    'error: URL parse error during conversion from string: parse ":foo": missing protocol scheme',
    1,
    1n,
  ],
  ["type(url('/a'))", 'type(kubernetes.URL)', 2, 2n],
];

test('URLs are taken apart as Go does', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
