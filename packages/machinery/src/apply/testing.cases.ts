import { parseYaml } from '../yaml/parse-yaml.ts';
import { type FieldSet, pathsOf } from './field-set.ts';
import {
  ApplyConflicts,
  applyManaged,
  type Managers,
  type ManagersDeps,
  type OwnedFields,
  updateManagers,
} from './managers.ts';
import { DEDUCED, type MergeSchema } from './merge-schema.ts';
import { pathText } from './path-element.ts';
import { mergeSchemaOfStructural, type StructuralSchema } from './structural-schema.ts';
import { validateTyped } from './validate-typed.ts';

/** A schema from the YAML of its properties. */
export function schemaOf(properties: string): MergeSchema {
  const value = yaml(properties) as Record<string, StructuralSchema>;
  return mergeSchemaOfStructural({ type: 'object', properties: value }, { metadata: DEDUCED });
}

/** A value from YAML. */
export function yaml(text: string): unknown {
  return parseYaml(text).value;
}

/** Paths of a set as people read them, sorted. */
export function paths(set: FieldSet): string[] {
  return pathsOf(set).map(pathText).sort();
}

/** What someone does to the object. */
export interface Step {
  readonly by: string;
  readonly apply?: string;
  readonly update?: string;
  readonly force?: boolean;
  readonly version?: string;
  /** Paths that are in the way. */
  readonly conflicts?: readonly string[];
}

/** An object and its managers after some steps. */
export interface State {
  readonly object: unknown;
  /** By manager: what they own. */
  readonly owners: Readonly<Record<string, readonly string[]>>;
}

/** Takes the steps one by one; throws where a conflict comes that was not told, or does not come. */
export async function run(
  schema: MergeSchema,
  steps: readonly Step[],
  deps: Partial<ManagersDeps> = {},
): Promise<State> {
  let object: unknown = {};
  let managers: Managers = new Map();
  let objectVersion = 'v1';
  const all: ManagersDeps = { convert: () => undefined, ...deps };
  for (const step of steps) {
    const version = step.version ?? 'v1';
    const stored = { value: object, schema, version: objectVersion };
    const live = (version === objectVersion ? undefined : await all.convert(stored, version)) ?? {
      ...stored,
      version,
    };
    objectVersion = version;
    object = live.value;
    if (step.update !== undefined) {
      const next = { value: yaml(step.update), schema, version };
      managers = await updateManagers({ live, next, managers, manager: step.by }, all);
      object = next.value;
      continue;
    }
    const applied = { value: yaml(step.apply ?? ''), schema, version };
    validateTyped(schema, applied.value);
    const { by: manager, force = false } = step;
    try {
      const outcome = await applyManaged({ live, applied, managers, manager, force }, all);
      if (step.conflicts !== undefined) throw new Error(`${manager} meets no conflict`);
      managers = outcome.managers;
      object = outcome.object ?? object;
    } catch (error) {
      if (!(error instanceof ApplyConflicts)) throw error;
      const found = error.conflicts.map((each) => `${each.manager} ${pathText(each.path)}`).sort();
      if (JSON.stringify(found) !== JSON.stringify(step.conflicts)) {
        throw new Error(`${manager} meets ${found.join(', ')}`);
      }
    }
  }
  return { object, owners: Object.fromEntries([...managers].map(ownedPaths)) };
}

function ownedPaths([manager, { fields }]: [string, OwnedFields]): [string, string[]] {
  return [manager, paths(fields)];
}
