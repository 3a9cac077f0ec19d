// Kubernetes' own examples of every kind, in all three encodings, read from the module cache.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeJson, parseJson, parseYaml } from '@flotilla/machinery';
import { canonicalize } from '../packages/apiserver/src/codec/canonical.ts';
import type { StructType } from '../packages/apiserver/src/codec/go-type.ts';
import {
  decodeProtobuf,
  encodeProtobuf,
  openEnvelope,
} from '../packages/apiserver/src/codec/protobuf.ts';
import { typeTables } from '../packages/apiserver/src/codec/type-tables.ts';
import { moduleFolder } from '../tools/real-kubernetes/go.ts';
import { realGet } from '../tools/real-kubernetes/real-get.ts';
import { startReal } from '../tools/real-kubernetes/start-real.ts';

/** One object in every encoding. */
interface Example {
  readonly json: Buffer;
  readonly yaml: Buffer;
  readonly protobuf: Buffer;
}

interface GroupVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly { kind: string; group?: string; version?: string }[];
}

const FOLDERS = [
  join(moduleFolder('k8s.io/api'), 'testdata'),
  join(moduleFolder('k8s.io/apiextensions-apiserver'), 'pkg/apis/testdata'),
];
// Upstream has no fixture of this kind; a running server gives examples instead.
const WITHOUT_FIXTURE = 'apiregistration.k8s.io.v1.APIService';

/** The fixtures of a folder of releases; a name is `group.version.Kind`. */
function fixturesIn(folder: string) {
  const releases = readdirSync(folder, { withFileTypes: true }).filter((at) => at.isDirectory());
  return releases.flatMap(({ name: release }) =>
    readdirSync(join(folder, release))
      .filter((file) => /^.+\.v\w+\.\w+\.json$/.test(file))
      .map((file) => file.slice(0, -'.json'.length))
      .map((name) => ({ release, name, path: join(folder, release, name) })),
  );
}

function structOf(name: string): StructType | undefined {
  const [, group = '', version = '', kind = ''] = /^(.+)\.(v\w+)\.(\w+)$/.exec(name) ?? [];
  return typeTables().kind({ group: group === 'core' ? '' : group, version, kind });
}

/** All encodings give the same object, which is written again as Go writes it. */
function assertOneObject(type: StructType, example: Example): Record<string, unknown> {
  const { json, yaml, protobuf } = example;
  const written = parseJson(json).value;
  const fromJson = canonicalize(type, written);
  assert.deepStrictEqual(canonicalize(type, parseYaml(yaml).value), fromJson);
  const { kind, apiVersion, raw } = openEnvelope(protobuf);
  const message = decodeProtobuf(type, raw);
  assert.deepStrictEqual(canonicalize(type, { ...message, kind, apiVersion }), fromJson);
  assert.equal(encodeJson(fromJson), encodeJson(written));
  return fromJson;
}

const fixtures = FOLDERS.flatMap(fixturesIn).flatMap((fixture) => {
  const type = structOf(fixture.name);
  return type === undefined ? [] : [{ ...fixture, type }];
});

test('every served kind but one has a fixture', () => {
  const file = join(FLOTILLA_DATA, 'resources.json');
  const served: GroupVersion[] = JSON.parse(readFileSync(file, 'utf8'));
  const kinds = served.flatMap((all) =>
    all.resources.map(({ group = all.group, version = all.version, kind }) => {
      return `${group === '' ? 'core' : group}.${version}.${kind}`;
    }),
  );
  const current = fixtures.filter(({ release }) => release === 'HEAD').map(({ name }) => name);
  const missing = new Set(kinds.filter((kind) => !current.includes(kind)));
  assert.deepEqual([...missing], [WITHOUT_FIXTURE]);
});

for (const { release, name, path, type } of fixtures) {
  test(`${release} ${name} decodes to one object from JSON, YAML and protobuf`, () => {
    const [json, yaml, protobuf] = ['json', 'yaml', 'pb'].map((ending) => {
      return readFileSync(`${path}.${ending}`);
    }) as [Buffer, Buffer, Buffer];
    const object = assertOneObject(type, { json, yaml, protobuf });
    // Older releases wrote fewer fields, which is still read but no longer written.
    if (release === 'HEAD') assert.deepEqual(encodeProtobuf(type, object), protobuf);
  });
}

test('a list of a running server decodes to one object from JSON, YAML and protobuf', async () => {
  const type = structOf(`${WITHOUT_FIXTURE}List`);
  assert.ok(type !== undefined);
  const real = await startReal();
  try {
    const list = '/apis/apiregistration.k8s.io/v1/apiservices';
    const { metadata } = JSON.parse((await realGet(real, list)).toString());
    // A new server goes on writing; all three answers are of one moment.
    const path = `${list}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    assertOneObject(type, {
      json: await realGet(real, path),
      yaml: await realGet(real, path, 'application/yaml'),
      protobuf: await realGet(real, path, 'application/vnd.kubernetes.protobuf'),
    });
  } finally {
    await real.stop();
  }
});
