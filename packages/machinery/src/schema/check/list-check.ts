import { invalid, tooMany } from '../../field-errors.ts';
import { sortedJson } from '../sorted-json.ts';
import type { JsonSchemaProps } from '../types.ts';
import { type Check, checkPart, fail, fieldOf } from './run.ts';

/** Checks a list: its items, then its length, then that no item comes twice. */
export function listCheck(schema: JsonSchemaProps, items: Check | undefined): Check | undefined {
  const { minItems, maxItems, uniqueItems = false } = schema;
  if (items === undefined && minItems === undefined && maxItems === undefined && !uniqueItems) {
    return undefined;
  }
  return (value, path, run) => {
    const list = value as readonly unknown[];
    if (items !== undefined) {
      for (let index = 0; index < list.length; index++) {
        const itemPath = `${path}[${index}]`;
        if (run.pair === undefined) items(list[index], itemPath, run);
        else {
          const pair = run.pair.index(index);
          checkPart(items, { value: list[index], path: itemPath, pair }, run);
        }
      }
    }
    if (minItems !== undefined && list.length < minItems) {
      const detail = `${path} in body should have at least ${minItems} items`;
      fail(run, () => invalid(fieldOf(run, path), list.length, detail));
    }
    if (maxItems !== undefined && list.length > maxItems) {
      fail(run, () => tooMany(fieldOf(run, path), list.length, Number(maxItems)));
    }
    if (uniqueItems && new Set(list.map(sortedJson)).size < list.length) {
      const detail = `${path} in body shouldn't contain duplicates`;
      fail(run, () => invalid(fieldOf(run, path), '', detail));
    }
  };
}
