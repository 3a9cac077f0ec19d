import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeObject,
  prepareObject,
  setResourceVersion,
  stripTypeMeta,
  typeMetaEnd,
} from './encode.ts';
import { findMember } from './json-bytes.ts';
import { typeTables } from './type-tables.ts';

const configMap = typeTables().struct('core/v1.ConfigMap');
const object = {
  data: { k: 'v' },
  metadata: { labels: { a: 'b' }, uid: 'u', name: 'n' },
  apiVersion: 'v1',
  kind: 'ConfigMap',
};

test('an object is stored in the order of Go, with its revision inside', () => {
  assert.equal(
    encodeObject(object, { type: configMap, revision: 7 }).toString(),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"n","uid":"u","resourceVersion":"7","labels":{"a":"b"}},"data":{"k":"v"}}',
  );
  assert.deepEqual(object.metadata, { labels: { a: 'b' }, uid: 'u', name: 'n' });
});

test('without a type kind and apiVersion still come first', () => {
  assert.equal(
    encodeObject(object, { revision: 8 }).toString(),
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"labels":{"a":"b"},"uid":"u","name":"n","resourceVersion":"8"},"data":{"k":"v"}}',
  );
});

test('one prepared object serves whatever revision the store gives', () => {
  const prepared = prepareObject(object, configMap);
  assert.match(prepared.at(1).toString(), /"resourceVersion":"1"/);
  assert.match(prepared.at(123456).toString(), /"resourceVersion":"123456"/);
});

test('integers beyond 2^53 are written in full', () => {
  const revision = typeTables().struct('apps/v1.ControllerRevision');
  const bytes = encodeObject(
    {
      kind: 'ControllerRevision',
      apiVersion: 'apps/v1',
      metadata: {},
      revision: 9007199254740993n,
    },
    { type: revision, revision: 1 },
  );
  assert.match(bytes.toString(), /"revision":9007199254740993/);
});

test('another resourceVersion is spliced into stored bytes, and only there', () => {
  const stored = encodeObject(
    {
      ...object,
      metadata: {
        name: 'n',
        labels: { resourceVersion: '1' },
        annotations: { a: '{"resourceVersion":"1"}\\"' },
      },
    },
    { type: configMap, revision: 9 },
  );
  const spliced = setResourceVersion(stored, 10000);
  assert.equal(
    spliced.toString(),
    stored.toString().replace('"resourceVersion":"9"', '"resourceVersion":"10000"'),
  );
});

test('a resourceVersion is found behind labels of the same name and quotes in texts', () => {
  const bytes = Buffer.from(
    '{"metadata":{"annotations":{"resourceVersion":"x","q":"\\\\\\"}{["},"list":[{"a":1},"]"],"n":-1.5,"t":true,"resourceVersion":"5"},"z":null}',
  );
  const expected = bytes.toString().replace('"resourceVersion":"5"', '"resourceVersion":"6"');
  assert.equal(setResourceVersion(bytes, 6).toString(), expected);
});

test('bytes without a resourceVersion cannot be given one', () => {
  assert.throws(() => setResourceVersion(Buffer.from('{"metadata":{"name":"a"}}'), 1), /have none/);
  assert.throws(() => setResourceVersion(Buffer.from('nonsense'), 1), /have none/);
});

test('members are found without decoding', () => {
  const bytes = Buffer.from('{"a":1,"b":{"a":2},"c\\"":"x","d":[]}');
  const at = (key: string) => {
    const span = findMember(bytes, key);
    return span && bytes.toString('utf8', span.start, span.end);
  };
  assert.deepEqual(['a', 'b', 'c"', 'd', 'e'].map(at), ['1', '{"a":2}', '"x"', '[]', undefined]);
});

test('list items lose kind and apiVersion without being copied', () => {
  const stored = encodeObject(object, { type: configMap, revision: 7 });
  const [open, rest] = stripTypeMeta(stored);
  assert.equal(rest.buffer, stored.buffer);
  assert.deepEqual(JSON.parse(`${open}${rest}`), {
    metadata: { ...object.metadata, resourceVersion: '7' },
    data: { k: 'v' },
  });
  assert.equal(typeMetaEnd(Buffer.from('{"metadata":{}}')), 1);
  const bare = Buffer.from('{"kind":"X","apiVersion":"v1"}');
  assert.equal(stripTypeMeta(bare).join(''), '{}');
});
