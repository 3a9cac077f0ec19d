// The CRDs of well-known projects on a real server and on ours: all become Established, and objects of
// their kinds - found in the modules, made from the schemas, and changed at random from a seed - are
// accepted and refused alike.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { mutate } from '../../conformance/index.ts';
import { seeded } from '../../packages/machinery/src/testing/seeded.ts';
import { type Api, apiOf, type Json } from '../api.ts';
import { BUILT_IN, SIDES, startSide } from '../sides.ts';
import { type Attempt, compareAttempts } from './compare-attempts.ts';
import { anyOf } from './generate-object.ts';
import { MODULES } from './modules.ts';
import {
  keyOf,
  NAMESPACE,
  readCrds,
  type ServedKind,
  samplesIn,
  servedKinds,
} from './read-crds.ts';

const SAMPLES = 3;
const GENERATED = 2;
const MUTATIONS = 2;
const MOST_EXAMPLES = 20;
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const ESTABLISHED_MS = 60_000;
const scale = Number(process.env['FLOTILLA_CRD_OBJECTS'] ?? 1);
const seed = Number(process.env['FLOTILLA_SEED'] ?? 4);

const sides = await Promise.all(SIDES.map((name) => startSide(name, { controllers: BUILT_IN })));
after(() => Promise.all(sides.map((side) => side.stop())));
const apis = sides.map(apiOf);
after(() => {
  for (const api of apis) api[Symbol.dispose]();
});
for (const api of apis) {
  await api.create('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
}

for (const source of MODULES) {
  describe(source.project, () => {
    const crds = readCrds(source);
    const kinds = crds.flatMap((crd) => servedKinds(source.project, crd));

    test(`its ${crds.length} CRDs become Established`, async () => {
      assert.ok(crds.length > 0);
      await Promise.all(apis.map((api) => install(api, crds)));
    });

    test(`objects of its ${kinds.length} kinds are accepted and refused alike`, async (t) => {
      const attempts = attemptsOf(kinds, samplesIn(source, kinds));
      const { accepted, refused, different, examples } = await compareAttempts(attempts, apis);
      t.diagnostic(
        `figure: ${source.project}: ${crds.length} CRDs, ${attempts.length} objects from seed ${seed}: ` +
          `${accepted} accepted, ${refused} refused, ${different} answered differently`,
      );
      assert.ok(different === 0, examples.slice(0, MOST_EXAMPLES).join('\n\n'));
    });
  });
}

async function install(api: Api, crds: readonly Json[]): Promise<void> {
  for (const crd of crds) await api.create(CRDS, crd);
  for (const { metadata } of crds) {
    await api.until(`${CRDS}/${metadata.name}`, isEstablished, ESTABLISHED_MS);
  }
}

function isEstablished({ body }: Json): boolean {
  const isTrue = (type: string) =>
    body.status?.conditions?.some((each: Json) => each.type === type && each.status === 'True');
  return isTrue('Established') && isTrue('NamesAccepted');
}

function attemptsOf(kinds: readonly ServedKind[], samples: ReadonlyMap<string, Json[]>): Attempt[] {
  const random = seeded(seed);
  return kinds.flatMap((kind) => {
    const found = (samples.get(keyOf(kind)) ?? []).slice(0, SAMPLES * scale);
    const made = Array.from({ length: GENERATED * scale }, () => anyOf(kind.schema, random));
    const objects = [
      ...found.map((object, index) => ({ how: `sample ${index}`, object })),
      ...made.map((object, index) => ({ how: `generated ${index}`, object })),
    ];
    const changed = objects.flatMap(({ how, object }) =>
      Array.from({ length: MUTATIONS * scale }, () => {
        const mutation = mutate(object, random);
        return { how: `${how}, ${mutation.how}`, object: mutation.object };
      }),
    );
    return [...objects, ...changed].map(({ how, object }, index) => ({
      kind,
      how,
      // Kinds whose unknown fields are an error, a warning, or nothing to speak of.
      validation: (['Strict', 'Warn', 'Ignore'] as const)[index % 3] ?? 'Strict',
      object: identified(kind, object, index),
    }));
  });
}

/** The object with a name of its own, in the namespace of the judge. */
function identified({ apiVersion, kind, path }: ServedKind, object: Json, index: number): Json {
  const { name: _, namespace: __, generateName: ___, ...metadata } = object.metadata ?? {};
  const space = path.includes('/namespaces/') ? { namespace: NAMESPACE } : {};
  return { ...object, apiVersion, kind, metadata: { ...metadata, ...space, name: `o-${index}` } };
}
