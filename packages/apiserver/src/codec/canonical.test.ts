import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJson, parseJson } from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import { randomValue, seeded } from './random-object.cases.ts';
import { typeTables } from './type-tables.ts';

const struct = (name: string) => typeTables().struct(name);
const text = (type: string, raw: unknown) => encodeJson(canonicalize(struct(type), raw));

function refusal(type: string, raw: unknown): string {
  try {
    canonicalize(struct(type), raw);
  } catch (error) {
    return (error as Error).message;
  }
  return 'accepted';
}

function strict(type: string, json: string): string[] {
  const found: string[] = [];
  const { value, duplicates } = parseJson(json);
  canonicalize(struct(type), value, { onStrict: (message) => found.push(message), duplicates });
  return found;
}

test('fields come out in the order of Go, whatever order they came in', () => {
  const ordered = text('core/v1.EnvVar', { valueFrom: null, value: 'v', name: 'n' });
  assert.equal(ordered, '{"name":"n","value":"v"}');
});

test('zero values are written exactly where Go writes them', () => {
  assert.equal(
    text('core/v1.Pod', { spec: {} }),
    '{"metadata":{},"spec":{"containers":null},"status":{}}',
  );
  assert.equal(
    text('core/v1.Pod', { spec: { containers: [null] }, status: { conditions: [{}] } }),
    '{"metadata":{},"spec":{"containers":[{"name":"","resources":{}}]},' +
      '"status":{"conditions":[{"type":"","status":"","lastProbeTime":null,"lastTransitionTime":null}]}}',
  );
  assert.equal(text('core/v1.ServicePort', { port: 80 }), '{"port":80,"targetPort":0}');
  assert.equal(text('apps/v1.ControllerRevision', {}), '{"metadata":{},"data":null,"revision":0}');
  assert.equal(text('core/v1.List', { items: [] }), '{"metadata":{},"items":[]}');
});

test('a pointer keeps its zero value, anything else omitted when empty loses it', () => {
  assert.equal(
    text('apps/v1.ReplicaSetSpec', { replicas: 0, minReadySeconds: 0, selector: null }),
    '{"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}}}',
  );
  assert.equal(
    text('core/v1.ConfigMap', { data: {}, immutable: false }),
    '{"metadata":{},"immutable":false}',
  );
});

test('keys of a map are sorted, and __proto__ is a key like any other', () => {
  const { value } = parseJson('{"data":{"b":"2","__proto__":"x","a":"1"}}');
  const out = canonicalize(struct('core/v1.ConfigMap'), value);
  assert.equal(encodeJson(out), '{"metadata":{},"data":{"__proto__":"x","a":"1","b":"2"}}');
  assert.equal(Object.getPrototypeOf(out['data']), Object.prototype);
});

test('unknown fields are dropped and reported in document order, with indexes', () => {
  assert.deepEqual(
    strict(
      'core/v1.Pod',
      '{"zzz":1,"spec":{"containers":[{"name":"a"},{"foo":{},"Name":"b"}]},"__proto__":{}}',
    ),
    [
      'unknown field "zzz"',
      'unknown field "spec.containers[1].foo"',
      'unknown field "spec.containers[1].Name"',
      'unknown field "__proto__"',
    ],
  );
});

test('a field given twice is reported where it is known, and not inside unknown fields', () => {
  assert.deepEqual(
    strict(
      'core/v1.Pod',
      '{"metadata":{"name":"a","name":"b","labels":{"x":"1","x":"2"}},"zzz":{"a":1,"a":2}}',
    ),
    [
      'duplicate field "metadata.name"',
      'duplicate field "metadata.labels.x"',
      'unknown field "zzz"',
    ],
  );
});

test('a value of the wrong type is refused in the words of Go', () => {
  const cases: [string, unknown, string][] = [
    [
      'core/v1.Pod',
      { spec: { containers: 'x' } },
      'json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
    ],
    [
      'core/v1.Pod',
      { spec: { containers: [{ ports: 1 }] } },
      'json: cannot unmarshal number into Go struct field Container.spec.containers.ports of type []v1.ContainerPort',
    ],
    [
      'core/v1.Pod',
      { metadata: { labels: { a: 1 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'core/v1.Pod',
      { spec: { volumes: [{ hostPath: [] }] } },
      'json: cannot unmarshal array into Go struct field Volume.spec.volumes.hostPath of type v1.HostPathVolumeSource',
    ],
    ['core/v1.Pod', [], 'json: cannot unmarshal array into Go value of type v1.Pod'],
    [
      'core/v1.Container',
      { imagePullPolicy: true },
      'json: cannot unmarshal bool into Go struct field Container.imagePullPolicy of type v1.PullPolicy',
    ],
    [
      'core/v1.ResourceRequirements',
      { limits: 'x' },
      'json: cannot unmarshal string into Go struct field ResourceRequirements.limits of type v1.ResourceList',
    ],
    [
      'apps/v1.Deployment',
      { spec: { replicas: '3' } },
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'apps/v1.Deployment',
      { spec: { replicas: 2147483648 } },
      'json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'apps/v1.Deployment',
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'core/v1.PodSpec',
      { activeDeadlineSeconds: 9223372036854775808n },
      'json: cannot unmarshal number 9223372036854775808 into Go struct field PodSpec.activeDeadlineSeconds of type int64',
    ],
    [
      'core/v1.ServicePort',
      { targetPort: 1.5 },
      'json: cannot unmarshal number 1.5 into Go struct field ServicePort.targetPort of type int32',
    ],
    [
      'core/v1.ServicePort',
      { targetPort: {} },
      'json: cannot unmarshal object into Go struct field ServicePort.targetPort of type int32',
    ],
    [
      'core/v1.Pod',
      { metadata: { creationTimestamp: 1 } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    ],
    ['core/v1.Secret', { data: { a: '!' } }, 'illegal base64 data at input byte 0'],
    [
      'core/v1.ResourceRequirements',
      { limits: { cpu: 'x' } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [
      'core/v1.Pod',
      { metadata: { creationTimestamp: 'x' } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    [
      'apiextensions/v1.JSONSchemaProps',
      { additionalProperties: 1 },
      'boolean or JSON schema expected',
    ],
    [
      'apiextensions/v1.JSONSchemaProps',
      { items: { properties: { a: { type: 1 } } } },
      'json: cannot unmarshal number into Go struct field JSONSchemaProps.items of type string',
    ],
  ];
  for (const [type, raw, message] of cases) assert.equal(refusal(type, raw), message);
});

test('of several errors the first in the document counts, unless a reader of its own gives up', () => {
  const types = { metadata: { name: 1 }, spec: { containers: 'x' } };
  assert.match(refusal('core/v1.Pod', types), /ObjectMeta\.metadata\.name/);
  const fatal = { metadata: { name: 1, creationTimestamp: 'x' } };
  assert.match(refusal('core/v1.Pod', fatal), /^parsing time/);
});

test('null is the zero value of whatever it stands for', () => {
  assert.equal(
    text('core/v1.Container', {
      name: null,
      ports: null,
      resources: null,
      stdin: null,
      securityContext: null,
    }),
    '{"name":"","resources":{}}',
  );
  assert.equal(
    text('core/v1.ResourceRequirements', { limits: { cpu: null } }),
    '{"limits":{"cpu":"0"}}',
  );
  assert.equal(text('core/v1.ConfigMap', null), '{"metadata":{}}');
});

test('texts with more than one form leave in the form Go writes', () => {
  assert.equal(
    text('core/v1.ResourceRequirements', { limits: { a: '1000m', b: 0.5, c: ' 1Gi ', d: 2 } }),
    '{"limits":{"a":"1","b":"500m","c":"1Gi","d":"2"}}',
  );
  const time = (creationTimestamp: string) =>
    (canonicalize(struct('meta/v1.ObjectMeta'), { creationTimestamp }) as Record<string, unknown>)[
      'creationTimestamp'
    ];
  assert.equal(time('2024-03-01T01:30:00.999+02:00'), '2024-02-29T23:30:00Z');
  assert.equal(time('0001-01-01T00:00:00Z'), undefined);
  assert.equal(
    text('coordination/v1.LeaseSpec', { renewTime: '2024-01-01T00:00:00.123456+01:00' }),
    '{"renewTime":"2023-12-31T23:00:00.123456Z"}',
  );
  assert.equal(
    text('core/v1.Secret', { data: { a: 'Zh\n==', b: [1, 2] } }),
    '{"metadata":{},"data":{"a":"Zg==","b":"AQI="}}',
  );
});

test('integers beyond 2^53 stay exact, also in free-form JSON', () => {
  const { value } = parseJson('{"data":{"n":9007199254740993},"revision":9223372036854775807}');
  assert.equal(
    text('apps/v1.ControllerRevision', value),
    '{"metadata":{},"data":{"n":9007199254740993},"revision":9223372036854775807}',
  );
});

test('schemas that may be a bool, a list or a schema are read as what they are', () => {
  const schema = {
    items: [{ type: 'string' }],
    additionalProperties: false,
    dependencies: { a: ['b'], c: { type: 'x' } },
    default: null,
  };
  assert.equal(
    text('apiextensions/v1.JSONSchemaProps', schema),
    '{"items":[{"type":"string"}],"additionalProperties":false,"dependencies":{"a":["b"],"c":{"type":"x"}}}',
  );
});

test('nesting deeper than any real schema is refused, not a crash', () => {
  let schema: Record<string, unknown> = {};
  for (let i = 0; i < 5000; i += 1) schema = { not: schema };
  assert.equal(refusal('apiextensions/v1.JSONSchemaProps', schema), 'exceeded max depth');
  for (let i = 0; i < 5000; i += 1) schema = { items: schema };
  assert.equal(refusal('apiextensions/v1.JSONSchemaProps', schema), 'exceeded max depth');
});

test('canonical form is its own canonical form', () => {
  const random = seeded(7);
  for (const name of [
    'core/v1.Pod',
    'core/v1.Service',
    'apps/v1.Deployment',
    'core/v1.Node',
    'apiextensions/v1.CustomResourceDefinition',
  ]) {
    for (let i = 0; i < 20; i += 1) {
      const once = canonicalize(struct(name), randomValue(struct(name), random));
      assert.equal(encodeJson(canonicalize(struct(name), once)), encodeJson(once));
    }
  }
});
