import { join } from 'node:path';
import type { Step } from '../../conformance/case.ts';
import { loadCases } from '../../conformance/load-cases.ts';
import { randomValue } from '../../packages/apiserver/src/codec/random-object.cases.ts';
import { typeTables } from '../../packages/apiserver/src/codec/type-tables.ts';
import type { ResourceDef } from '../../packages/apiserver/src/resources/resource.ts';
import { anyJson, type Seeded } from '../../packages/machinery/src/testing/seeded.ts';

/** A request of the conformance cases that carries an object, ready to be spoiled. */
export interface Sample {
  readonly verb: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

/** Every body of the conformance cases, sent to the default namespace. */
export function conformanceSamples(): Sample[] {
  const samples: Sample[] = [];
  const visit = ({ verb, path, type, body, during = [] }: Step): void => {
    if ((verb === 'POST' || verb === 'PUT' || verb === 'PATCH') && body !== undefined) {
      const plain = path.replaceAll(/\{[^}]*\}/g, 'default').replaceAll(' ', '%20');
      samples.push({ verb, path: plain, type, body: inDefault(body) });
    }
    for (const step of during) visit(step);
  };
  for (const { steps } of loadCases(join(FLOTILLA_ROOT, 'conformance', 'cases'))) {
    for (const step of steps) visit(step);
  }
  return samples;
}

function inDefault(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll('{ns}', 'default'));
}

/** An object of a kind with every field's type right and its content mostly wrong. */
export function randomObject(def: ResourceDef, random: Seeded): Record<string, unknown> {
  const type = typeTables().kind({ group: def.group, version: def.version, kind: def.kind });
  if (type === undefined) throw new Error(`Cannot make a "${def.kind}": it has no type`);
  const value = randomValue(type, () => random.below(2 ** 31) / 2 ** 31) as Record<string, unknown>;
  const { apiVersion, kind, namespaced } = def;
  // What is checked before anything else is right, so that the rest is looked at.
  const metadata = {
    ...(random.below(3) === 0 ? (value['metadata'] as object) : {}),
    name: 'random',
    ...(namespaced ? { namespace: 'default' } : {}),
    resourceVersion: undefined,
    uid: undefined,
  };
  return { ...value, apiVersion, kind, metadata };
}

/** A copy with up to three of its values replaced, moved to an odd key, or taken away. */
export function spoil(value: unknown, random: Seeded): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(value, bigintAsNumber));
  const places = placesOf(copy);
  for (let left = 1 + random.below(3); left > 0 && places.length > 0; left--) {
    const { holder, key } = random.pick(places);
    const choice = random.below(5);
    if (choice === 0) delete holder[key];
    else if (choice === 1) holder[key] = null;
    else if (choice === 2) holder[key] = random.pick<unknown>(ODD);
    else if (choice === 3) holder[key] = plain(anyJson(random));
    else holder[random.pick(INHERITED)] = holder[key];
  }
  return copy;
}

const ODD: readonly unknown[] = [
  '',
  0,
  -1,
  1e300,
  [],
  {},
  [null],
  [[]],
  [{}],
  { '': null },
  '\u0000',
  'x'.repeat(300),
  '*',
  '0x1',
  '-',
  '/',
  '[::',
  '%',
  '9999999999999999999999',
];

/** Keys every object seems to have; Kubernetes knows nothing of them. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty'];

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...placesOf(holder[key])]);
}

const bigintAsNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : value;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value, bigintAsNumber));
