import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["semver('1.2.3').major()", '1', 2, 2n],
  ["semver('1.2.3').minor()", '2', 2, 2n],
  ["semver('1.2.3').patch()", '3', 2, 2n],
  ["semver('1.2.3').compareTo(semver('1.2.4'))", '-1', 3, 3n],
  ["semver('1.2.3').isLessThan(semver('1.10.0'))", 'true', 3, 3n],
  ["semver('1.2.3-alpha.1').isLessThan(semver('1.2.3'))", 'true', 4, 4n],
  ["semver('1.2.3-alpha.2').isGreaterThan(semver('1.2.3-alpha.beta'))", 'false', 5, 5n],
  ["semver('1.2.3-1').compareTo(semver('1.2.3-1.0'))", '-1', 3, 3n],
  ["semver('1.2.3+a') == semver('1.2.3+b')", 'true', 3, 3n],
  ["semver('v1.2', true) == semver('1.2.0')", 'true', 3, 3n],
  ["semver('01.02.03', true).minor()", '2', 2, 2n],
  ["isSemver('1.2.3')", 'true', 1, 1n],
  ["isSemver('v1.2.3')", 'false', 1, 1n],
  ["isSemver('v1.2.3', true)", 'true', 1, 1n],
  ["isSemver('1.2', true)", 'true', 1, 1n],
  ["semver('1.2')", 'error: No Major.Minor.Patch elements found', 1, 1n],
  ["semver('')", 'error: Version string empty', 0, 0n],
  ["semver('a.2.3')", 'error: Invalid character(s) found in major number "a"', 1, 1n],
  ["semver('01.2.3')", 'error: Major number must not contain leading zeroes "01"', 1, 1n],
  ["semver('1.2.3-')", 'error: Prerelease is empty', 1, 1n],
  [
    "semver('1.2.3-01')",
    'error: Numeric PreRelease version must not contain leading zeroes "01"',
    1,
    1n,
  ],
  ["semver('1.2.3+')", 'error: Build meta data is empty', 1, 1n],
  [
    "semver('1.2-x', true)",
    'error: short version cannot contain PreRelease/Build meta data',
    1,
    1n,
  ],
];

test('Versions are compared by semantic versioning', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
