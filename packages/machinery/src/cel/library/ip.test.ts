import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["ip('192.168.0.1').family()", '4', 3, 3n],
  ["ip('2001:db8::1').family()", '6', 3, 3n],
  ["ip('127.0.0.1').isLoopback()", 'true', 2, 2n],
  ["ip('::1').isLoopback()", 'true', 2, 2n],
  ["ip('0.0.0.0').isUnspecified()", 'true', 2, 2n],
  ["ip('224.0.0.1').isLinkLocalMulticast()", 'true', 2, 2n],
  ["ip('ff02::1').isLinkLocalMulticast()", 'true', 2, 2n],
  ["ip('169.254.169.254').isLinkLocalUnicast()", 'true', 3, 3n],
  ["ip('fe80::1').isLinkLocalUnicast()", 'true', 2, 2n],
  ["ip('192.168.0.1').isGlobalUnicast()", 'true', 3, 3n],
  ["ip('255.255.255.255').isGlobalUnicast()", 'false', 3, 3n],
  ["ip('1.2.3.4') == ip('1.2.3.4')", 'true', 3, 3n],
  ["string(ip('2001:DB8::0:1'))", '"2001:db8::1"', 3, 3n],
  ["ip.isCanonical('2001:db8::1')", 'true', 3, 3n],
  ["ip.isCanonical('2001:DB8::1')", 'false', 3, 3n],
  ["isIP('1.2.3.4')", 'true', 1, 1n],
  ["isIP('::ffff:1.2.3.4')", 'false', 2, 2n],
  ["isIP('fe80::1%eth0')", 'false', 2, 2n],
  ["isIP('01.2.3.4')", 'false', 1, 1n],
  [
    "ip('1.2.3')",
    'error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    1,
    1n,
  ],
  [
    "ip('1.2.3.256')",
    'error: IP Address "1.2.3.256" parse error during conversion from string: ParseAddr("1.2.3.256"): IPv4 field has value >255',
    1,
    1n,
  ],
  [
    "ip('1.2.3.a')",
    'error: IP Address "1.2.3.a" parse error during conversion from string: ParseAddr("1.2.3.a"): unexpected character (at "a")',
    1,
    1n,
  ],
  [
    "ip('1::2::3')",
    'error: IP Address "1::2::3" parse error during conversion from string: ParseAddr("1::2::3"): multiple :: in address (at ":3")',
    1,
    1n,
  ],
  [
    "ip('12345::')",
    'error: IP Address "12345::" parse error during conversion from string: ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")',
    1,
    1n,
  ],
  [
    "ip('::ffff:1.2.3.4')",
    'error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed',
    2,
    2n,
  ],
  ["ip('fe80::1%eth0')", 'error: IP address "fe80::1%eth0" with zone value is not allowed', 2, 2n],
  ["cidr('192.168.0.0/24').containsIP('192.168.0.1')", 'true', 5, 8n],
  ["cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))", 'false', 5, 8n],
  ["cidr('192.168.0.0/24').containsCIDR('192.168.0.0/25')", 'true', 7, 11n],
  ["cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/23'))", 'false', 7, 11n],
  ["cidr('2001:db8::/32').containsIP('2001:db8::1')", 'true', 5, 8n],
  ["cidr('192.168.0.0/24').containsIP('x')", 'error: no such overload', 4, 7n],
  ["string(cidr('192.168.0.7/24').masked())", '"192.168.0.0/24"', 4, 4n],
  ["cidr('192.168.0.7/24').ip().family()", '4', 4, 4n],
  ["cidr('192.168.0.0/24').prefixLength()", '24', 3, 3n],
  ["cidr('1.2.3.0/24') == cidr('1.2.3.0/24')", 'true', 3, 3n],
  ["isCIDR('1.2.3.0/24')", 'true', 1, 1n],
  ["isCIDR('1.2.3.0')", 'false', 1, 1n],
  [
    "cidr('1.2.3.0/024')",
    'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.0/024"): bad bits after slash: "024"',
    2,
    2n,
  ],
  [
    "cidr('1.2.3.0')",
    `error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.0"): no '/'`,
    1,
    1n,
  ],
  ["type(ip('1.1.1.1')) == net.IP", 'true', 3, 1844674407370955267n],
];

test('Addresses and ranges are read strictly', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
