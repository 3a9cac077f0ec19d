import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../testing/run.ts';

/** Expressions with what cel-go makes of them, and what that costs: when evaluated, and at most. */
const TABLE: readonly (readonly [expr: string, shown: string, cost: number, max: bigint])[] = [
  ["format.dns1123Label().validate('my-label')", 'none', 9, 33n],
  [
    "format.dns1123Label().validate('My_Label')",
    `optional(["a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"])`,
    9,
    33n,
  ],
  ["format.dns1123Subdomain().validate('a.b')", 'none', 16, 33n],
  [
    "format.dns1035Label().validate('1a')",
    `optional(["a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"])`,
    9,
    33n,
  ],
  ["format.qualifiedName().validate('a/b')", 'none', 16, 33n],
  ["format.dns1123LabelPrefix().validate('my-')", 'none', 9, 33n],
  [
    "format.labelValue().validate('-')",
    `optional(["a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"])`,
    11,
    33n,
  ],
  ["format.uri().validate('http://x')", 'none', 277, 33n],
  [
    "format.uri().validate('x')",
    String.raw`optional(["parse \"x\": invalid URI for request"])`,
    277,
    33n,
  ],
  ["format.uuid().validate('123e4567-e89b-12d3-a456-426614174000')", 'none', 73, 129n],
  ["format.uuid().validate('x')", 'optional(["does not match the UUID format"])', 19, 33n],
  ["format.byte().validate('aGk=')", 'none', 22, 33n],
  ["format.byte().validate('?')", 'optional(["invalid base64"])', 22, 33n],
  ["format.date().validate('2021-01-01')", 'none', 37, 33n],
  ["format.date().validate('2021-13-01')", 'optional(["invalid date"])', 37, 33n],
  ["format.datetime().validate('2021-01-01T00:00:00Z')", 'none', 55, 65n],
  ["format.datetime().validate('2021-01-01')", 'optional(["invalid datetime"])', 37, 33n],
  ["format.named('dns1123Label').value().validate('x').hasValue()", 'false', 11, 35n],
  ["format.named('nope')", 'none', 1, 1n],
  ["format.named('uuid').value() == format.uuid()", 'true', 4, 10n],
];

test('Formats say what is wrong with a text', () => {
  for (const [expr, shown, cost, max] of TABLE) {
    const outcome = run(expr);

    assert.deepEqual([outcome.shown, outcome.cost, outcome.max], [shown, cost, max], expr);
  }
});
