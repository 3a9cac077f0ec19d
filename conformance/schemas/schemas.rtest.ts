// Gives random schemas and objects to upstream's own packages and to ours, and compares what they say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepCopy, formatFieldError, type Json } from '@flotilla/machinery';
import {
  compileSchema,
  type JsonSchemaProps,
  openApiListSchema,
  openApiSchemaV2,
  openApiSchemaV3,
  validateDefinition,
} from '@flotilla/machinery/schema';
import { seeded } from '../../packages/machinery/src/testing/seeded.ts';
import { runGo } from '../../tools/real-kubernetes/go.ts';
import { brokenSchema } from './break-schema.ts';
import { changed, type Draft, randomSchema, randomValue } from './random-schema.ts';

const SEED = Number(process.env['FLOTILLA_SEED'] ?? 20_260_102);
const COUNT = Number(process.env['FLOTILLA_CASES'] ?? 1500);

interface Case {
  readonly schema: Draft;
  readonly object: Json;
  readonly old?: Json;
}

interface Answer {
  readonly problem?: string;
  readonly problems?: readonly string[];
  readonly unknown?: readonly string[];
  readonly object?: Json;
  readonly errors?: readonly string[];
}

test(`objects are read and judged as upstream does (seed ${SEED})`, () => {
  const random = seeded(SEED);
  const cases: Case[] = Array.from({ length: COUNT }, () => {
    const schema = randomSchema(random);
    const object = {
      ...(randomMembersOf(schema) as Json),
      ...{ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } },
    };
    if (random.below(100) >= 40) return { schema, object };
    return { schema, object, old: changed(random, deepCopy(object)) as Json };
  });
  function randomMembersOf(schema: Draft): unknown {
    const value = randomValue(random, schema, 5);
    return typeof value === 'object' && !Array.isArray(value) ? value : {};
  }

  const answers = ask(cases) as Answer[];

  for (const [index, each] of cases.entries()) {
    const wanted = answers[index] ?? {};
    // Where upstream itself fails there is nothing to compare with.
    if (wanted.problem === undefined) {
      assert.deepEqual(sortedAnswer(ourAnswer(each)), sortedAnswer(wanted), JSON.stringify(each));
    }
  }
});

test(`definitions are refused as upstream does (seed ${SEED})`, () => {
  const random = seeded(SEED);
  const schemas = Array.from({ length: COUNT }, () => brokenSchema(random, randomSchema(random)));

  const answers = ask(schemas.map((schema) => ({ crd: definition(schema) }))) as Answer[];

  for (const [index, schema] of schemas.entries()) {
    const wanted = answers[index] ?? {};
    if (wanted.problem !== undefined) continue;
    const options = { path: 'spec.validation', hasStatus: false };
    const errors = validateDefinition(schema as JsonSchemaProps, options).map(formatFieldError);
    const ours = sortedAnswer({ errors });
    assert.deepEqual(
      ours,
      sortedAnswer({ errors: wanted.errors?.map(namedAlike) ?? [] }),
      JSON.stringify(schema),
    );
  }
});

test(`kinds are published as upstream does (seed ${SEED})`, () => {
  const random = seeded(SEED);
  const schemas = Array.from({ length: Math.ceil(COUNT / 10) }, () => randomSchema(random));

  const answers = ask(schemas.map((schema) => ({ publish: definition(schema) }))) as Json[];

  for (const [index, schema] of schemas.entries()) {
    const published = {
      ...{ group: 'example.com', version: 'v1', kind: 'Widget', listKind: 'WidgetList' },
      schema: schema as JsonSchemaProps,
    };
    const list = (form: 'v2' | 'v3') => openApiListSchema(published, 'com.example.v1.Widget', form);
    const ours = {
      v2: { kind: openApiSchemaV2(published), list: list('v2') },
      v3: { kind: openApiSchemaV3(published), list: list('v3') },
    };
    assert.deepEqual(ours, withoutDescriptions(answers[index]), JSON.stringify(schema));
  }
});

/** Upstream gives the type of rules another name every time. */
function namedAlike(text: string): string {
  return text.replace(/selfType\d+/g, 'selfType');
}

function ask(requests: readonly unknown[]): unknown[] {
  const input = `${requests.map((request) => JSON.stringify(request)).join('\n')}\n`;
  const lines = runGo(['run', './schemas'], { input }).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

function ourAnswer({ schema, object: sent, old }: Case): Answer {
  const compiled = compileSchema(schema as JsonSchemaProps);
  const problems = compiled.problems.map(formatFieldError);
  if (problems.length > 0) return { problems };
  const object = deepCopy(sent);
  const { unknown } = compiled.prune(object);
  compiled.defaults(object);
  const errors =
    old === undefined ? compiled.validate(object) : compiled.validateUpdate(object, old);
  return { problems, unknown, object, errors: errors.map(formatFieldError) };
}

/** Errors of members come in the order of Go's maps, which is none. */
function sortedAnswer(answer: Answer): Answer {
  return answer.errors === undefined ? answer : { ...answer, errors: [...answer.errors].sort() };
}

function definition(schema: Draft): Json {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** The schemas have no descriptions, so all there are come from upstream. */
function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => key !== 'description' || typeof member !== 'string')
      .map(([key, member]) => [key, withoutDescriptions(member)]),
  );
}
