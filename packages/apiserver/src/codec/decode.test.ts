import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@flotilla/machinery';
import {
  type DecodedBody,
  decodeBody,
  decodeDeleteOptions,
  type FieldValidation,
} from './decode.ts';
import { encodeProtobuf } from './protobuf.ts';
import { seeded } from './random-object.cases.ts';
import { typeTables } from './type-tables.ts';

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const POD = { group: '', version: 'v1', kind: 'Pod' };
const CONFIG_MAP = { group: '', version: 'v1', kind: 'ConfigMap' };
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' };

interface Sent {
  readonly type?: string | undefined;
  readonly expected?: typeof POD;
  readonly fieldValidation?: FieldValidation;
}

function decode(body: string | Buffer, sent: Sent = {}): DecodedBody {
  const { type = JSON_TYPE, expected = CONFIG_MAP, fieldValidation = 'Warn' } = sent;
  return decodeBody({ contentType: type, body: Buffer.from(body), expected, fieldValidation });
}

function refusal(action: () => unknown): [number, string] {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return [error.code, error.message];
  }
  return [200, ''];
}

test('JSON, YAML and protobuf give one and the same object', () => {
  const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };
  const protobuf = encodeProtobuf(typeTables().struct('core/v1.ConfigMap'), object);
  const bodies: [string, string | Buffer][] = [
    [JSON_TYPE, JSON.stringify(object)],
    [YAML_TYPE, 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  k: v\n'],
    [PROTOBUF_TYPE, protobuf],
  ];
  for (const [type, body] of bodies) {
    const decoded = decode(body, { type });
    assert.deepEqual(decoded, { object, warnings: [] });
    assert.deepEqual(Object.keys(decoded.object), ['kind', 'apiVersion', 'metadata', 'data']);
  }
});

test('kind and apiVersion may be left out', () => {
  const { object } = decode('{"spec":{},"metadata":{"name":"a"}}', { expected: DEPLOYMENT });
  assert.deepEqual([object.kind, object.apiVersion], ['Deployment', 'apps/v1']);
  assert.deepEqual(Object.keys(object).slice(0, 2), ['kind', 'apiVersion']);
});

test('the media type may carry parameters and be missing, but not be unknown', () => {
  for (const type of ['application/json; charset=utf-8', 'Application/JSON', undefined, '']) {
    const { object } = decodeBody({
      contentType: type,
      body: Buffer.from('{}'),
      expected: CONFIG_MAP,
    });
    assert.equal(object.kind, 'ConfigMap');
  }
  for (const type of ['text/plain', 'application/xml; charset=utf-8', 'json']) {
    assert.deepEqual(
      refusal(() => decode('{}', { type })),
      [
        415,
        'the body of the request was in an unknown format - accepted media types include: ' +
          'application/json, application/yaml, application/vnd.kubernetes.protobuf',
      ],
    );
  }
});

test('a body that is no object at all is refused with what can be said of it', () => {
  const unrecognized = (reason: string, shown: string) =>
    `the object provided is unrecognized (must be of type Pod): ${reason} (${shown})`;
  const parse = "couldn't get version/kind; json parse error: ";
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const cases: [string, string][] = [
    ['', unrecognized(`${parse}unexpected end of JSON input`, '<empty>')],
    ['xyz', unrecognized(`${parse}invalid character 'x' looking for beginning of value`, '78797a')],
    ['{"kind":"Pod"', unrecognized(`${parse}unexpected end of JSON input`, '{"kind":"Pod"')],
    [
      '[]',
      unrecognized(`${parse}json: cannot unmarshal array into Go value of type ${struct}`, '5b5d'),
    ],
    [
      '{"kind":1}',
      unrecognized(
        `${parse}json: cannot unmarshal number into Go struct field .kind of type string`,
        '{"kind":1}',
      ),
    ],
    [
      '{"apiVersion":"a/b/c","kind":"Pod"}',
      unrecognized('unexpected GroupVersion string: a/b/c', '{"apiVersion":"a/b/c","kind":" ...'),
    ],
  ];
  for (const [body, message] of cases) {
    assert.deepEqual(
      refusal(() => decode(body, { expected: POD })),
      [400, message],
    );
  }
});

test('a body of another kind or version is refused as upstream refuses it', () => {
  const cases: [string, typeof POD, string][] = [
    [
      '{"apiVersion":"v1","kind":"Foo"}',
      POD,
      'Foo in version "v1" cannot be handled as a Pod: no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      '{"apiVersion":"foo.io/v1","kind":"Pod"}',
      POD,
      'Pod in version "v1" cannot be handled as a Pod: no kind "Pod" is registered for version "foo.io/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    [
      '{"apiVersion":"foo/","kind":"Pod"}',
      POD,
      'Pod in version "" cannot be handled as a Pod: Object \'apiVersion\' is missing in \'{"apiVersion":"foo/","kind":"Pod"}\'',
    ],
    [
      '{"apiVersion":"v1","kind":"Service"}',
      POD,
      'Service in version "v1" cannot be handled as a Pod: converting (v1.Service) to (core.Pod): unknown conversion',
    ],
    [
      '{"apiVersion":"apps/v1beta1","kind":"Deployment"}',
      DEPLOYMENT,
      'the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)',
    ],
    [
      '{"apiVersion":"events.k8s.io/v1","kind":"Event"}',
      { group: '', version: 'v1', kind: 'Event' },
      'the API version in the data (events.k8s.io/v1) does not match the expected API version (v1)',
    ],
  ];
  for (const [body, expected, message] of cases) {
    assert.deepEqual(
      refusal(() => decode(body, { expected })),
      [400, message],
    );
  }
});

test('unknown and duplicate fields warn, fail or pass as the client asked', () => {
  const body = '{"metadata":{"name":"a","foo":1},"zzz":{},"data":{"a":"1","a":"2"}}';
  const texts = ['unknown field "metadata.foo"', 'unknown field "zzz"', 'duplicate field "data.a"'];
  assert.deepEqual(decode(body).warnings, texts);
  assert.deepEqual(decode(body, { fieldValidation: 'Ignore' }).warnings, []);
  assert.deepEqual(decode(body).object['data'], { a: '2' });
  assert.deepEqual(
    refusal(() => decode(body, { fieldValidation: 'Strict' })),
    [
      400,
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${texts.join(', ')}`,
    ],
  );
});

test('keys that stand twice in YAML are told apart by their lines', () => {
  const body = 'metadata:\n  name: a\ndata:\n  a: "1"\n  a: "2"\nfoo: 1\nbar: 1\n';
  assert.deepEqual(decode(body, { type: YAML_TYPE }).warnings, [
    'line 5: key "a" already set in map',
    'unknown field "bar"',
    'unknown field "foo"',
  ]);
});

test('a field of the wrong type is refused for the kind it belongs to', () => {
  const body = '{"spec":{"replicas":"3"}}';
  assert.deepEqual(
    refusal(() => decode(body, { expected: DEPLOYMENT })),
    [
      400,
      'Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal string into ' +
        'Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
  );
});

test('kind and apiVersion are found whatever their case, but are unknown fields then', () => {
  const { warnings } = decode('{"Kind":"ConfigMap","APIVERSION":"v1"}');
  assert.deepEqual(warnings, ['unknown field "Kind"', 'unknown field "APIVERSION"']);
});

test('delete options come in any group version', () => {
  for (const body of [
    '{"gracePeriodSeconds":0}',
    '{"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"foo":1}',
    '{"kind":"DeleteOptions","apiVersion":"policy/v1","gracePeriodSeconds":0}',
    '{"kind":"DeleteOptions","apiVersion":"meta.k8s.io/v1","gracePeriodSeconds":0}',
  ]) {
    const options = decodeDeleteOptions({ contentType: JSON_TYPE, body: Buffer.from(body) });
    assert.equal(options['gracePeriodSeconds'], 0);
  }
  const type = typeTables().struct('meta/v1.DeleteOptions');
  const protobuf = encodeProtobuf(type, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: 'Background',
  });
  assert.equal(
    decodeDeleteOptions({ contentType: PROTOBUF_TYPE, body: protobuf })['propagationPolicy'],
    'Background',
  );
  assert.deepEqual(
    refusal(() => decodeDeleteOptions({ contentType: JSON_TYPE, body: Buffer.from('{') })),
    [500, "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  );
});

test('mutated JSON and YAML are read or refused with a Status, and nothing else', () => {
  const random = seeded(5);
  const int = (below: number) => Math.floor(random() * below);
  const text = JSON.stringify({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a', labels: { a: 'b' }, creationTimestamp: '2024-01-01T00:00:00Z' },
    spec: {
      containers: [
        { name: 'c', resources: { limits: { cpu: '1' } }, ports: [{ containerPort: 1 }] },
      ],
    },
  });
  for (let i = 0; i < 1500; i += 1) {
    const bytes = Buffer.from(text);
    for (let changes = 1 + int(3); changes > 0; changes -= 1) bytes[int(bytes.length)] = int(256);
    const type = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE][int(3)];
    const [code] = refusal(() => decode(bytes, { expected: POD, type }));
    assert.ok([200, 400].includes(code));
  }
});

test('a million brackets are refused, not a crash', () => {
  const deep = `{"data":${'['.repeat(1_000_000)}`;
  assert.equal(refusal(() => decode(deep))[0], 400);
  assert.equal(refusal(() => decode(deep, { type: YAML_TYPE }))[0], 400);
});
