// Reads the case files. A file is a topic: a mapping from case id to `title` and `steps`; a step is
// a mapping whose verb (`GET: /api/v1/...`) names the request and whose other keys are of Step.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { load } from 'js-yaml';
import { type Case, type Step, VERBS } from './case.ts';

const STEP_KEYS = new Set([
  'body',
  'text',
  'bytes',
  'protobuf',
  'type',
  'accept',
  'auth',
  'headers',
  'is',
  'eventually',
  'save',
  'look',
  'pick',
  'drop',
  'unordered',
  'until',
  'during',
]);
// Namespaces are named after the case and must stay DNS labels, with room for a run's suffix.
const LONGEST_ID = 45;

/** Every case of the folder, by file and then in written order. */
export function loadCases(folder: string): Case[] {
  const cases = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) =>
      parseCases(readFileSync(join(folder, file), 'utf8'), basename(file, '.yaml')),
    );
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new Error(`Cannot load case "${id}": it is written twice`);
    seen.add(id);
  }
  return cases;
}

/** The cases of one topic's YAML text. */
export function parseCases(text: string, topic: string): Case[] {
  const file = mapping(load(text), topic);
  return Object.entries(file).map(([id, value]) => {
    if (!/^[a-z][a-z0-9-]*[a-z0-9]$/.test(id) || id.length > LONGEST_ID) {
      throw new Error(`Cannot load case "${id}": an id is a DNS label of at most ${LONGEST_ID}`);
    }
    const { title, steps } = mapping(value, id);
    if (typeof title !== 'string') throw new Error(`Cannot load case "${id}": it has no title`);
    return { id, topic, title, steps: parseSteps(steps, id) };
  });
}

function parseSteps(value: unknown, id: string): Step[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new Error(`Cannot load case "${id}": it has no steps`);
  }
  return value.map((entry) => parseStep(mapping(entry, id), id));
}

function parseStep(entry: Record<string, unknown>, id: string): Step {
  const verb = VERBS.find((name) => typeof entry[name] === 'string');
  if (verb === undefined) {
    throw new Error(`Cannot load case "${id}": a step names none of ${VERBS.join(', ')}`);
  }
  const { [verb]: path, during, ...rest } = entry;
  for (const key of Object.keys(rest)) {
    if (!STEP_KEYS.has(key)) throw new Error(`Cannot load case "${id}": unknown key "${key}"`);
  }
  const step = { ...rest, verb, path: String(path) } as Step;
  return during === undefined ? step : { ...step, during: parseSteps(during, id) };
}

function mapping(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`Cannot load "${where}": expected a mapping`);
  }
  return value as Record<string, unknown>;
}
