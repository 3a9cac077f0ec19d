import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParseError } from '../parse-error.ts';
import { seeded } from '../testing/seeded.ts';
import { parseLabelSelector } from './parse-label-selector.ts';
import { formatSelector, matchesLabels } from './selector.ts';

test('selectors are put into canonical form', () => {
  const cases: [string, string][] = [
    ['', ''],
    [' a = b ', 'a=b'],
    ['b==1,a!=2', 'a!=2,b==1'],
    ['z in (c,a , b,a)', 'z in (a,b,c)'],
    ['z notin ()', 'z notin ()'],
    ['z in (,a,)', 'z in (,a)'],
    ['a,!b', 'a,!b'],
    ['a>5,b<3', 'a>5,b<3'],
    ['in in (notin,in)', 'in in (in,notin)'],
    ['a=', 'a='],
    ['example.com/a in (b)', 'example.com/a in (b)'],
  ];
  for (const [text, canonical] of cases) {
    assert.equal(formatSelector(parseLabelSelector(text)), canonical, text);
  }
});

test('what cannot be read is refused with the words of upstream', () => {
  const cases: [string, string | RegExp][] = [
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a=(', "unable to parse requirement: found '(', expected: identifier"],
    [
      'a>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['-a', /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist/],
    ['a=-', /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-": a valid label/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseLabelSelector(text), { name: 'ParseError', message }, text);
  }
});

test('labels match as upstream matches them', () => {
  const labels = { a: 'x', n: '7', empty: '' };
  const cases: [string, boolean][] = [
    ['', true],
    ['a', true],
    ['!a', false],
    ['missing', false],
    ['!missing', true],
    ['a=x', true],
    ['a==y', false],
    ['a!=y', true],
    ['missing!=y', true],
    ['a in (y,x)', true],
    ['missing in (x)', false],
    ['missing notin (x)', true],
    ['empty=', true],
    ['empty', true],
    ['n>6,n<8', true],
    ['n>7', false],
    ['a>1', false],
    ['missing>1', false],
    ['toString', false],
    ['valueOf', false],
  ];
  for (const [text, expected] of cases) {
    assert.equal(matchesLabels(parseLabelSelector(text), labels), expected, text);
  }
  assert.equal(matchesLabels(parseLabelSelector('!a'), undefined), true);
});

test('any text is either refused or means the same after formatting', () => {
  const random = seeded(11);
  const pieces = [
    'a',
    'b',
    'in',
    'notin',
    '(',
    ')',
    ',',
    '=',
    '==',
    '!=',
    '!',
    '>',
    '<',
    ' ',
    '5',
    '.',
  ];
  let accepted = 0;
  for (let round = 0; round < 5000; round++) {
    const text = random.some(8, () => random.pick(pieces)).join('');
    try {
      const selector = parseLabelSelector(text);
      const again = parseLabelSelector(formatSelector(selector));
      assert.equal(formatSelector(again), formatSelector(selector), text);
      for (const labels of [{}, { a: '' }, { a: '5', b: 'a' }, { b: 'b', in: 'in' }]) {
        assert.equal(matchesLabels(again, labels), matchesLabels(selector, labels), text);
      }
      accepted++;
    } catch (error) {
      assert.ok(error instanceof ParseError, text);
    }
  }
  assert.ok(accepted > 500, `only ${accepted} were selectors`);
});
