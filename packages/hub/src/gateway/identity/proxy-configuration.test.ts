import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseProxyConfiguration } from './proxy-configuration.ts';

describe('a proxy configuration', () => {
  test('may be empty', () => {
    for (const text of [
      '',
      '{}',
      'spec: {}',
      'spec: { clientIdentityExchanger: { rules: null } }',
    ]) {
      assert.deepEqual(parseProxyConfiguration(text), { rules: [] }, text);
    }
  });

  for (const [title, text, message] of [
    ['is no YAML', 'a: [', /it is not YAML/],
    ['is a list', '[]', /the configuration is no object/],
    ['has rules that are none', exchanger('7'), /its rules are no list/],
    ['has a rule that is none', exchanger('[7]'), /rule 0 is no object/],
    [
      'has a name that is none',
      exchanger('[{ source: { user: 7 } }]'),
      /user of rule 0 is no text/,
    ],
    ['has groups that are none', exchanger('[{ target: { groups: [7] } }]'), /groups of rule 0/],
    [
      'has a pattern that is none',
      exchanger("[{ source: { groupPattern: '(' } }]"),
      /groupPattern of rule 0 is no pattern/,
    ],
    [
      'has a pattern that no one can read',
      exchanger(`[{ source: { userPattern: ${'a'.repeat(1001)} } }]`),
      /it is too long/,
    ],
    [
      'has more rules than anyone needs',
      exchanger(JSON.stringify(Array.from({ length: 1001 }, () => ({})))),
      /more than 1000 rules/,
    ],
  ] as const) {
    test(`is refused when it ${title}`, () => {
      assert.throws(() => parseProxyConfiguration(text), {
        name: 'ProxyConfigurationError',
        message,
      });
    });
  }

  test('has patterns that take no longer than their text is', () => {
    const { rules } = parseProxyConfiguration(
      exchanger("[{ source: { userPattern: '^(a+)+$' } }]"),
    );
    const pattern = rules[0]?.source?.userPattern;
    // With backtracking this would take longer than anyone lives.
    assert.equal(pattern?.(`${'a'.repeat(1500)}!`), false);
    assert.equal(pattern?.('aaa'), true);
    assert.equal(pattern?.('a'.repeat(3000)), false);
  });
});

function exchanger(rules: string): string {
  return `spec: { clientIdentityExchanger: { rules: ${rules} } }`;
}
