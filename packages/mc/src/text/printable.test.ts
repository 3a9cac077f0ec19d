import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printableCell, printableLine, printableText } from './printable.ts';

test('MC-27 a cell is cut at its first line break and shows escapes, as in kubectl', () => {
  assert.equal(printableCell('two\nlines'), 'two...');
  assert.equal(printableCell('a\rb'), 'a...');
  assert.equal(printableCell('a\fb'), 'a...');
  assert.equal(printableCell('\u001b[31mred\u001b[0m'), '^[[31mred^[[0m');
  assert.equal(printableCell('\u001b[31m\nnext'), '^[[31m...');
  assert.equal(printableCell('\n'), '...');
});

test('a cell shows every other control that a terminal would obey', () => {
  assert.equal(printableCell('a\u0007b\u0008c\u007fd'), 'a^Gb^Hc^?d');
  assert.equal(printableCell('\u009b31m'), '\\u009b31m');
  assert.equal(printableCell('\u202egnp.exe'), '\\u202egnp.exe');
  assert.equal(printableCell('a\0b\u000bc'), 'a^@b^Kc');
});

test('a cell keeps what is only text: tabs, joined emoji, other scripts', () => {
  for (const text of ['', '1/1', 'a\tb', '👩‍💻', 'שלום', 'ü', 'x\u00a0y']) {
    assert.equal(printableCell(text), text);
  }
});

test('half a surrogate pair becomes the replacement character, a whole one stays', () => {
  assert.equal(printableCell('a\ud83d!'), 'a\ufffd!');
  assert.equal(printableLine('\udc00'), '\ufffd');
  assert.equal(printableLine('😀'), '😀');
});

test('a line has no line break, no control and nothing invisible', () => {
  assert.equal(printableLine('plain: "text"'), 'plain: "text"');
  assert.equal(printableLine('a\nc2: ok\r\n\tb'), 'a\\nc2: ok\\r\\n\\tb');
  assert.equal(printableLine('\u001b]0;title\u0007'), '^[]0;title^G');
  assert.equal(printableLine('zero\u200bwidth\u2066x\u2069'), 'zero\\u200bwidth\\u2066x\\u2069');
  assert.equal(printableLine('\ufeffmark\u2028'), '\\ufeffmark\\u2028');
  assert.equal(printableLine('\u{e0041}tag'), '\\u{e0041}tag');
});

test('text of several lines keeps its lines', () => {
  assert.equal(printableText('one\r\ntwo\n\tthree'), 'one\ntwo\n\tthree');
  assert.equal(printableText('a\rb\u001b[2J'), 'a\\rb^[[2J');
});

test('whatever comes in, nothing that steers a terminal comes out', () => {
  const everything = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
  for (const char of everything) {
    const text = `x${char}y`;
    for (const safe of [printableCell(text), printableLine(text)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
      assert.doesNotMatch(safe, /[\0-\x08\n-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    }
  }
});
