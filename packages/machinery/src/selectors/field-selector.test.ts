import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as selectors from './field-selector.ts';

test('field selectors are read and printed as upstream does', () => {
  const cases: [string, string][] = [
    ['', ''],
    ['metadata.name=a', 'metadata.name=a'],
    ['b==1,a!=2', 'a!=2,b=1'],
    ['a=b\\,c\\=d\\\\', 'a=b\\,c\\=d\\\\'],
    [',,a=b,', 'a=b'],
    ['a=', 'a='],
    ['=', ''],
  ];
  for (const [text, canonical] of cases) {
    assert.equal(selectors.formatFieldSelector(selectors.parseFieldSelector(text)), canonical);
  }
});

test('what cannot be read is refused with the words of upstream', () => {
  const cases: [string, string][] = [
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\x', 'invalid field selector: invalid escape sequence: \\x'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => selectors.parseFieldSelector(text), { name: 'ParseError', message });
  }
});

test('all terms must hold', () => {
  const selector = selectors.parseFieldSelector('metadata.name=a,status.phase!=Failed');
  const read = (fields: Record<string, string>) => (field: string) => fields[field] ?? '';
  assert.equal(selectors.matchesFields(selector, read({ 'metadata.name': 'a' })), true);
  assert.equal(selectors.matchesFields(selector, read({ 'metadata.name': 'b' })), false);
  const failed = { 'metadata.name': 'a', 'status.phase': 'Failed' };
  assert.equal(selectors.matchesFields(selector, read(failed)), false);
});

test('a term that asks for one value is found', () => {
  const selector = selectors.parseFieldSelector('metadata.name=a,metadata.namespace!=b');
  assert.equal(selectors.requiredFieldValue(selector, 'metadata.name'), 'a');
  assert.equal(selectors.requiredFieldValue(selector, 'metadata.namespace'), undefined);
});
