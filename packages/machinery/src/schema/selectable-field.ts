import type { Json } from '../object.ts';
import { findResults } from './json-path/find-results.ts';
import { stepsOf } from './printer-columns.ts';
import { goPrint } from './scale.ts';

/** The label of a selectable field (`spec.color` for `.spec.color`) and how to read its text from an object. */
export function selectableField(jsonPath: string): {
  readonly name: string;
  readonly read: (object: Json) => string;
} {
  const steps = stepsOf(jsonPath) ?? [];
  return {
    name: jsonPath.replace(/^\./, ''),
    read(object) {
      const [value] = findResults(steps, object) ?? [];
      return value === null || value === undefined ? '' : goPrint(value);
    },
  };
}
