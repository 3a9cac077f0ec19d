import { invalid, required, tooMany } from '../../field-errors.ts';
import type { Json } from '../../object.ts';
import type { JsonSchemaProps } from '../types.ts';
import { type Check, checkPart, fail, fieldOf, type Run } from './run.ts';

/** The checks of an object's members. */
export interface MemberChecks {
  readonly properties: ReadonlyMap<string, Check>;
  readonly additional: Check | undefined;
}

/** Checks an object: how many members, members without a name in the schema, properties, what is required. */
export function objectCheck(schema: JsonSchemaProps, members: MemberChecks): Check | undefined {
  const { minProperties, maxProperties, required: names = [] } = schema;
  const { properties, additional } = members;
  const isClosed = schema.additionalProperties === false;
  const hasLimits = minProperties !== undefined || maxProperties !== undefined;
  if (!isClosed && !hasLimits && properties.size + names.length === 0 && !additional) {
    return undefined;
  }
  return (value, path, run) => {
    const object = value as Json;
    if (hasLimits) {
      const size = Object.keys(object).length;
      if (minProperties !== undefined && size < minProperties) {
        const detail = `${path} in body should have at least ${minProperties} properties`;
        fail(run, () => invalid(fieldOf(run, path), size, detail));
      }
      if (maxProperties !== undefined && size > maxProperties) {
        fail(run, () => tooMany(fieldOf(run, path), size, Number(maxProperties)));
      }
    }
    if (isClosed || additional !== undefined) {
      for (const key of Object.keys(object)) {
        if (properties.has(key)) continue;
        if (additional !== undefined) {
          checkMember(additional, { object, key, path: `${path}.${key}` }, run);
        } else {
          const detail = `${path}.${key} in body is a forbidden property`;
          fail(run, () => invalid(fieldOf(run, path), key, detail));
        }
      }
    }
    if (properties.size > 0) {
      for (const key of Object.keys(object)) {
        const check = properties.get(key);
        if (check === undefined) continue;
        const memberPath = path === '' ? key : `${path}.${key}`;
        if (run.pair === undefined) check(object[key], memberPath, run);
        else checkMember(check, { object, key, path: memberPath }, run);
      }
    }
    for (const name of names) {
      if (!Object.hasOwn(object, name)) {
        fail(run, () => required(fieldOf(run, `${path}.${name}`)));
      }
    }
  };
}

function checkMember(
  check: Check,
  member: { readonly object: Json; readonly key: string; readonly path: string },
  run: Run,
): void {
  const { object, key, path } = member;
  // Both versions of an object were converted to the same type, so a change of it cannot be seen.
  const isTypeMeta = path === key && (key === 'kind' || key === 'apiVersion');
  const pair = isTypeMeta ? undefined : run.pair?.key(key);
  checkPart(check, { value: object[key], path, pair }, run);
}
