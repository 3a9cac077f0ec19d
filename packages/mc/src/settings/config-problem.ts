import { nearNames } from '../flags/suggest.ts';
import { oneLine } from './one-line.ts';

/** A thing that is wrong in a file, and where. */
export interface ConfigProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A value that is not allowed. */
export function wrong(path: ConfigProblem['path'], value: unknown, allowed: string): ConfigProblem {
  return { path, message: `${path.join('.')} is ${oneLine(value)}: must be ${allowed}` };
}

/** A key that nobody knows. */
export function unknownKey(path: ConfigProblem['path'], known: readonly string[]): ConfigProblem {
  const [near] = nearNames(path.join('.'), known);
  const hint = near === undefined ? '' : `, did you mean "${near}"?`;
  return { path, message: `unknown key "${path.join('.')}" is ignored${hint}` };
}
