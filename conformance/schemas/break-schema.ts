import type { Seeded } from '../../packages/machinery/src/testing/seeded.ts';
import type { Draft } from './random-schema.ts';

/** Things to say at a wrong place, or that are wrong anywhere. */
const additions: readonly Draft[] = [
  { type: '' },
  { type: 'odd' },
  { description: 'x' },
  { title: 'x' },
  { nullable: true },
  { default: {} },
  { pattern: 'a(' },
  { uniqueItems: true },
  { id: 'x' },
  { $ref: '#/x' },
  { definitions: { x: { type: 'string' } } },
  { dependencies: { a: ['b'] } },
  { additionalProperties: { type: 'string' } },
  { items: { type: 'string' } },
  { properties: { metadata: { type: 'object' }, z: {} } },
  { 'x-kubernetes-preserve-unknown-fields': true },
  { 'x-kubernetes-embedded-resource': true },
  { 'x-kubernetes-int-or-string': true },
  { 'x-kubernetes-list-type': 'set' },
  { 'x-kubernetes-list-type': 'odd' },
  { 'x-kubernetes-list-map-keys': ['a'] },
  { 'x-kubernetes-map-type': 'atomic' },
];

const rules = [
  ...['true', '', '1', 'self', 'self == self', 'self.nope', 'self >= oldSelf', 'self.size() > 0'],
  ...['self.all(x, x == x)', 'self.all(x, self.all(y, x == y))', 'has(self.a)', 'self.a == 1'],
];

/** The schema with a few such things at random places, and with rules. */
export function brokenSchema(random: Seeded, schema: Draft): Draft {
  const broken: Draft = { ...schema };
  for (const name of ['items', 'additionalProperties', 'not'] as const) {
    const part = schema[name];
    if (typeof part === 'object' && part !== null)
      broken[name] = brokenSchema(random, part as Draft);
  }
  if (schema['properties'] !== undefined) {
    broken['properties'] = Object.fromEntries(
      Object.entries(schema['properties'] as Record<string, Draft>).map(([name, property]) => [
        name,
        brokenSchema(random, property),
      ]),
    );
  }
  if (random.below(100) < 4) Object.assign(broken, random.pick(additions));
  if (random.below(100) < 8) broken['x-kubernetes-validations'] = [randomRule(random)];
  return broken;
}

function randomRule(random: Seeded): Draft {
  const rule: Draft = { rule: random.pick(rules) };
  const sometimes = (name: string, choices: readonly unknown[]) => {
    if (random.below(100) < 15) rule[name] = random.pick(choices);
  };
  sometimes('message', ['m', ' ', 'a\nb']);
  sometimes('messageExpression', ['"x"', '1', ' ', 'self.nope']);
  sometimes('reason', ['FieldValueForbidden', 'Odd']);
  sometimes('fieldPath', ['.a', '.zz', ' ', "['a']"]);
  sometimes('optionalOldSelf', [true, false]);
  return rule;
}
