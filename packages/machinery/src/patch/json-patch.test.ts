import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '../status-error.ts';
import { anyJson, seeded } from '../testing/seeded.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { jsonPatch, jsonPatchStrictErrors } from './json-patch.ts';

function refusal(document: unknown, patch: unknown): StatusError {
  try {
    jsonPatch(document, patch);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new assert.AssertionError({ message: 'the patch was applied' });
}

test('operations change a copy of the document', () => {
  const document = { a: { list: [1, 2, 3] }, 'x/y': 1, 'm~n': 2, n: null };
  const cases: [object, unknown][] = [
    [
      { op: 'add', path: '/b', value: { c: 1 } },
      { ...document, b: { c: 1 } },
    ],
    [
      { op: 'add', path: '/a/list/1', value: 9 },
      { ...document, a: { list: [1, 9, 2, 3] } },
    ],
    [
      { op: 'add', path: '/a/list/-', value: 9 },
      { ...document, a: { list: [1, 2, 3, 9] } },
    ],
    [
      { op: 'add', path: '/a/list/-1', value: 9 },
      { ...document, a: { list: [1, 2, 3, 9] } },
    ],
    [{ op: 'add', path: '/n' }, document],
    [
      { op: 'remove', path: '/a/list/-1' },
      { ...document, a: { list: [1, 2] } },
    ],
    [
      { op: 'replace', path: '/x~1y', value: 2 },
      { ...document, 'x/y': 2 },
    ],
    [
      { op: 'replace', path: '/m~0n', value: 3 },
      { ...document, 'm~n': 3 },
    ],
    [
      { op: 'replace', path: '/new', value: 1 },
      { ...document, new: 1 },
    ],
    [{ op: 'replace', path: '', value: { z: 1 } }, { z: 1 }],
    [{ op: 'replace', path: '', value: 1 }, document],
    [
      { op: 'move', from: '/a/list/0', path: '/f' },
      { ...document, a: { list: [2, 3] }, f: 1 },
    ],
    [
      { op: 'copy', from: '/a', path: '/b' },
      { ...document, b: document.a },
    ],
    [{ op: 'test', path: '/n', value: null }, document],
    [{ op: 'test', path: '/missing', value: null }, document],
    [{ op: 'test', path: '/a/list', value: [1, 2, 3] }, document],
  ];
  const before = deepCopy(document);
  for (const [operation, expected] of cases) {
    assert.deepEqual(jsonPatch(document, [operation]), expected, JSON.stringify(operation));
    assert.deepEqual(document, before);
  }
  assert.deepEqual(jsonPatch(document, null), document);
});

test('an operation that does not apply is refused with 422, and the cause tells why', () => {
  const document = { a: { list: [1] }, s: 'x' };
  const cases: [object, string][] = [
    [
      { op: 'add', path: '/x/y', value: 1 },
      'add operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      { op: 'add', path: '/s/y', value: 1 },
      'add operation does not apply: doc is missing path: "/s/y": missing value',
    ],
    [
      { op: 'add', path: '/a/list/5', value: 1 },
      "error in add for path: '/a/list/5': Unable to access invalid index: 5: invalid index referenced",
    ],
    [
      { op: 'add', path: '/a/list/x', value: 1 },
      "error in add for path: '/a/list/x': value was not a proper array index: 'x': strconv.Atoi: parsing \"x\": invalid syntax",
    ],
    [
      { op: 'remove', path: '/x' },
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'replace', path: '/a/list/3', value: 1 },
      'replace operation does not apply: doc is missing key: /a/list/3: missing value',
    ],
    [
      { op: 'move', from: '/x', path: '/y' },
      "error in move for path: 'x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      { op: 'copy', path: '/y' },
      'copy operation failed to decode from: operation, missing from field: missing value',
    ],
    [{ op: 'test', path: '/a/list/0', value: 2 }, 'testing value /a/list/0 failed: test failed'],
    [{ op: 'add', value: 1 }, 'add operation failed to decode path: missing value'],
    [
      { op: 'test', value: 1 },
      'test operation failed to decode path: operation missing path field: missing value',
    ],
    [{ op: 'frob', path: '/a' }, 'Unexpected kind: frob'],
    [{ path: '/a' }, 'Unexpected kind: unknown'],
  ];
  for (const [operation, text] of cases) {
    const error = refusal(document, [operation]);
    assert.deepEqual(
      [error.code, error.reason, error.message, error.details],
      [422, 'Invalid', 'the server rejected our request due to an error in our request', {}],
    );
    assert.equal((error.cause as Error).message, text);
  }
});

test('null, the empty list and the empty object are different to a test', () => {
  const document = { n: null, l: [], o: {} };
  for (const [path, value] of [
    ['/n', []],
    ['/l', null],
    ['/o', []],
    ['/l', {}],
  ] as const) {
    assert.equal(refusal(document, [{ op: 'test', path, value }]).code, 422);
  }
});

test('what is no patch is refused with 400', () => {
  const cases: [unknown, string][] = [
    [{}, 'json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp'],
    ['x', 'json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    [[1], 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    [
      [{ op: 1 }],
      'json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
  ];
  for (const [patch, text] of cases) {
    const error = refusal({}, patch);
    assert.equal(error.code, 400);
    assert.equal(error.message, `error decoding patch: ${text}`);
  }
});

test('ten thousand operations are allowed, not one more', () => {
  const operation = { op: 'test', path: '/a', value: 1 };
  assert.deepEqual(
    jsonPatch(
      { a: 1 },
      Array.from({ length: 10_000 }, () => operation),
    ),
    { a: 1 },
  );
  const error = refusal(
    { a: 1 },
    Array.from({ length: 10_001 }, () => operation),
  );
  assert.equal(error.code, 413);
  assert.equal(
    error.message,
    'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001',
  );
});

test('copies may not double a document without end', () => {
  const document = { a: { x: 'y'.repeat(1000) } };
  const patch = Array.from({ length: 100 }, (_, i) => ({
    op: 'copy',
    from: '/a',
    path: `/a/c${i}`,
  }));
  assert.match(
    (refusal(document, patch).cause as Error).message,
    /^Unable to complete the copy, the accumulated size increase of copy is \d+, exceeding the limit 3145728$/,
  );
});

test('a patch cannot reach a prototype', () => {
  const patched = jsonPatch({}, [
    { op: 'add', path: '/__proto__', value: {} },
    { op: 'add', path: '/__proto__/polluted', value: 1 },
  ]);
  assert.deepEqual(Object.keys(patched), ['__proto__']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(refusal({}, [{ op: 'add', path: '/constructor/x', value: 1 }]).code, 422);
});

test('applying one patch twice gives the same twice', () => {
  const patch = [
    { op: 'add', path: '/a', value: { list: [] } },
    { op: 'add', path: '/a/list/-', value: 2n ** 60n },
  ];
  const expected = { a: { list: [2n ** 60n] } };
  assert.deepEqual(jsonPatch({}, patch), expected);
  assert.deepEqual(jsonPatch({}, patch), expected);
});

test('members of operations that mean nothing are named', () => {
  assert.deepEqual(jsonPatchStrictErrors([{ op: 'add', path: '/a', value: 1, note: 'x' }]), [
    'json patch unknown field "[0].note"',
  ]);
});

test('adding and then removing gives the document back, and a test of what is there holds', () => {
  const random = seeded(21);
  for (let round = 0; round < 1000; round++) {
    const document = { root: anyJson(random), list: random.some(4, () => anyJson(random)) };
    const index = random.below(document.list.length + 1);
    const value = anyJson(random);
    const path = random.pick(['/new', `/list/${index}`]);
    const patched = jsonPatch(document, [
      { op: 'add', path, value },
      { op: 'test', path, value },
      { op: 'test', path: '/root', value: document.root },
      { op: 'move', from: path, path: '/elsewhere' },
      { op: 'test', path: '/elsewhere', value },
      { op: 'remove', path: '/elsewhere' },
    ]);
    assert.deepEqual(patched, document);
  }
});
