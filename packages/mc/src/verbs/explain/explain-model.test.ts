import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '@flotilla/machinery';
import { explainModel } from './explain-model.ts';
import { wrapParagraphs } from './wrap-paragraphs.ts';

const TOPIC = { kind: 'Thing', apiVersion: 'example.com/v1', fields: [], isRecursive: false };

const explain = (definitions: Record<string, Json>, topic: object = {}) =>
  explainModel(definitions['Thing'] ?? {}, definitions, { ...TOPIC, ...topic });

describe('explainModel', () => {
  const definitions = {
    Thing: {
      description: 'A thing.',
      required: ['name'],
      properties: {
        name: { type: 'string', description: 'What it is called.' },
        parts: { type: 'array', items: { $ref: '#/definitions/Thing' }, description: 'More.' },
        notes: { type: 'object', additionalProperties: { type: 'string' } },
        more: { description: 'Anything.' },
      },
    },
  };

  test('lists fields in their order with type, mark and text', () => {
    assert.equal(
      explain(definitions),
      `KIND:     Thing
VERSION:  example.com/v1

DESCRIPTION:
     A thing.

FIELDS:
   more\t<>
     Anything.

   name\t<string> -required-
     What it is called.

   notes\t<map[string]string>

   parts\t<[]Object>
     More.

`,
    );
  });

  test('what refers to itself is listed once, and the end of a path is kept where it leads no further', () => {
    assert.match(
      explain(definitions, { isRecursive: true }),
      /FIELDS:\n {3}more\t<>\n {3}name\t<string>\n {3}notes\t<map\[string\]string>\n {3}parts\t<\[\]Object>\n {6}more\t<>\n {6}name\t<string>\n {6}notes\t<map\[string\]string>\n {6}parts\t<\[\]Object>\n$/,
    );
    assert.match(
      explain(definitions, { fields: ['parts', 'name', 'first'] }),
      /\nFIELD: {4}first <string>\n\nDESCRIPTION:\n {5}What it is called\.\n$/,
    );
    assert.match(
      explain(definitions, { fields: ['parts'] }),
      /\nRESOURCE: parts <\[\]Object>\n\nDESCRIPTION:\n {5}More\.\n\n {5}A thing\.\n\nFIELDS:\n/,
    );
    assert.throws(
      () => explain(definitions, { fields: ['wings'] }),
      /field "wings" does not exist/,
    );
  });

  test('schemas that never end, and references to nothing, are errors', () => {
    const loop = { type: 'array', items: { $ref: '#/definitions/Thing' } };
    assert.throws(() => explain({ Thing: loop }), /nested too deep/);
    assert.throws(() => explain({ Thing: loop }, { fields: ['a'] }), /nested too deep/);
    assert.throws(
      () => explain({ Thing: { $ref: '#/definitions/None' } }),
      /no definition of None/,
    );
    assert.throws(() => explain({ Thing: { $ref: '#/definitions/toString' } }), /no definition/);
  });
});

test('wrapParagraphs joins lines, and keeps code, lists, empty lines and what follows a colon', () => {
  assert.deepEqual(
    wrapParagraphs('one two\nthree:\nfour\n\n- five\n    code  here\nsix seven', 12),
    ['one two', 'three:', 'four', '', '- five', '    code  here', 'six seven'],
  );
  assert.deepEqual(wrapParagraphs('aaa bbb ccc\nddd', 7), ['aaa bbb', 'ccc ddd']);
  assert.deepEqual(wrapParagraphs('a-very-long-word b', 5), ['a-very-long-word', 'b']);
  // Widths are counted in bytes.
  assert.deepEqual(wrapParagraphs('ää bb', 6), ['ää', 'bb']);
  assert.deepEqual(wrapParagraphs('', 5), []);
});
