import { defaultFormatCheck, formatCheck } from '../formats/formats.ts';
import { additionalOf, itemsOf, propertiesOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';
import { combinationCheck } from './combination-check.ts';
import { enumCheck } from './enum-check.ts';
import { listCheck } from './list-check.ts';
import { numberCheck } from './number-check.ts';
import { objectCheck } from './object-check.ts';
import type { Check } from './run.ts';
import { textCheck, textFormatCheck } from './text-check.ts';
import { nullCheck, type TypeRule, typeCheck } from './type-check.ts';

/**
 * How upstream makes a validator of a schema: from the schema as written for objects ('object'), from its structural
 * form for defaults ('default'), which keeps unknown formats and does not know the types of int-or-string.
 */
export type CheckMode = 'object' | 'default';

/** Makes a function that validates values by `schema`, in upstream's order of checks and with its match counts. */
export function compileCheck(schema: JsonSchemaProps, mode: CheckMode): Check {
  const rule = typeRule(schema, mode);
  const isTyped = rule.types.length > 0 || rule.format !== '';
  const type = typeCheck(rule);
  const ofNull = nullCheck(rule);
  const combination = combinationOf(schema, mode);
  const text = textCheck(schema);
  const format = textFormatCheck(
    rule.format,
    mode === 'default' ? defaultFormatCheck(rule.format) : formatCheck(rule.format),
  );
  const number = numberCheck(schema);
  const items = itemsOf(schema);
  const list = listCheck(schema, items === undefined ? undefined : compileCheck(items, mode));
  const choice =
    schema.enum === undefined || schema.enum.length === 0 ? undefined : enumCheck(schema.enum);
  const object = objectOf(schema, mode);

  return (value, path, run) => {
    if (value === null || value === undefined) {
      ofNull(null, path, run);
      choice?.(null, path, run);
      return;
    }
    if (isTyped) {
      run.matches++;
      type(value, path, run);
    }
    run.matches += 2;
    combination?.(value, path, run);
    const kind = typeof value;
    if (kind === 'string') {
      run.matches++;
      text?.(value, path, run);
      if (format !== undefined) {
        run.matches++;
        format(value, path, run);
      }
    } else if (kind === 'number' || kind === 'bigint') {
      run.matches += 2;
      number?.(value, path, run);
    } else if (Array.isArray(value)) {
      run.matches += 2;
      list?.(value, path, run);
    }
    run.matches += 2;
    choice?.(value, path, run);
    if (kind === 'object' && !Array.isArray(value)) {
      run.matches++;
      object?.(value, path, run);
    }
  };
}

function typeRule(schema: JsonSchemaProps, mode: CheckMode): TypeRule {
  const { type = '', format = '', nullable: isNullable = false } = schema;
  if (mode === 'default') return { types: type === '' ? [] : [type], format, isNullable };
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const types = isIntOrString ? ['integer', 'string'] : type === '' ? [] : [type];
  // Formats that this version does not know, among them those of numbers, are ignored.
  return { types, format: formatCheck(format) === undefined ? '' : format, isNullable };
}

function combinationOf(schema: JsonSchemaProps, mode: CheckMode): Check | undefined {
  const all = (parts: readonly JsonSchemaProps[] = []) =>
    parts.map((part) => compileCheck(part, mode));
  return combinationCheck({
    anyOf: all(schema.anyOf),
    oneOf: all(schema.oneOf),
    allOf: all(schema.allOf),
    not: schema.not === undefined ? undefined : compileCheck(schema.not, mode),
  });
}

function objectOf(schema: JsonSchemaProps, mode: CheckMode): Check | undefined {
  const additional = additionalOf(schema);
  return objectCheck(schema, {
    properties: new Map(
      propertiesOf(schema).map(([name, property]) => [name, compileCheck(property, mode)]),
    ),
    additional: additional === undefined ? undefined : compileCheck(additional, mode),
  });
}
