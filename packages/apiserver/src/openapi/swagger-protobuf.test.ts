import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitionsMessage } from './swagger-protobuf.ts';

test('a definition is written as the message Go reads', () => {
  const schema = { type: 'object', required: ['a'], properties: { a: { minimum: 1 } } };

  const bytes = definitionsMessage({ W: { ...schema, 'x-y': [1] } });

  assert.equal(
    bytes.toString('hex'),
    [
      '4a39', // Document.definitions
      '0a37', // a NamedSchema
      ...['0a0157', '1232'], // its name, its Schema
      ...['b20108', '0a066f626a656374'], // type
      ...['9a010161'], // required
      ...['ca0110', '0a0e', '0a0161', '1209', '49000000000000f03f'], // properties
      ...['fa010d', '0a03782d79', '1206', '12045b315d0a'], // x-y, in YAML
    ].join(''),
  );
});
