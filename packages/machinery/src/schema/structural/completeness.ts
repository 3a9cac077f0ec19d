import type { FieldError } from '../../field-error.ts';
import { required } from '../../field-errors.ts';
import { at, child, keyed } from '../../field-path.ts';
import { itemsOf, propertiesOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';

/** What is said inside allOf and the like about fields that the schema proper does not have. */
export function completenessProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  return combined(schema, { schema, path }, path);
}

/** The schema proper at the same place. */
interface Spine {
  readonly schema: JsonSchemaProps;
  readonly path: string;
}

function combined(part: JsonSchemaProps, spine: Spine, path: string): FieldError[] {
  const { not, allOf = [], anyOf = [], oneOf = [] } = part;
  const list = (name: string, parts: readonly JsonSchemaProps[]) =>
    parts.flatMap((nested, index) => nestedParts(nested, spine, at(child(path, name), index)));
  return [
    ...(not === undefined ? [] : nestedParts(not, spine, child(path, 'not'))),
    ...list('allOf', allOf),
    ...list('anyOf', anyOf),
    ...list('oneOf', oneOf),
  ];
}

function nestedParts(part: JsonSchemaProps, spine: Spine, path: string): FieldError[] {
  const errors = combined(part, spine, path);
  const items = itemsOf(part);
  if (items !== undefined) {
    const schema = itemsOf(spine.schema);
    errors.push(
      ...below(items, { schema, path: child(spine.path, 'items') }, child(path, 'items')),
    );
  }
  const properties = new Map(propertiesOf(spine.schema));
  for (const [name, property] of propertiesOf(part)) {
    const target = {
      schema: properties.get(name),
      path: keyed(child(spine.path, 'properties'), name),
    };
    errors.push(...below(property, target, keyed(child(path, 'properties'), name)));
  }
  return errors;
}

function below(
  part: JsonSchemaProps,
  target: { readonly schema: JsonSchemaProps | undefined; readonly path: string },
  path: string,
): FieldError[] {
  const { schema } = target;
  if (schema === undefined) return [required(target.path, `because it is defined in ${path}`)];
  return nestedParts(part, { schema, path: target.path }, path);
}
