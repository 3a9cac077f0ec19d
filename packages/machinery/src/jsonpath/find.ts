import { ComparisonError } from './compare.ts';
import type { TemplatePart } from './node.ts';
import { JsonPathError, walkSteps } from './walk.ts';

/** How missing things are taken. */
export interface FindOptions {
  /** kubectl's `--allow-missing-template-keys`. @default true */
  readonly allowMissingKeys?: boolean | undefined;
}

/**
 * The values of each part of a template, in order; the parts of a range once for each of its values.
 * Throws JsonPathError with kubectl's text.
 */
export function findValues(
  parts: readonly TemplatePart[],
  data: unknown,
  options: FindOptions = {},
): (readonly unknown[])[] {
  try {
    return new Finder(parts, options.allowMissingKeys ?? true).find(0, data);
  } catch (error) {
    if (error instanceof ComparisonError) throw new JsonPathError(error.message, { cause: error });
    throw error;
  }
}

/**
 * Runs a template. Ranges are not a tree to upstream but marks in a row of parts, and a range without an end runs
 * to the end of the row and then once more outside; so this keeps upstream's three counters.
 */
class Finder {
  readonly #parts: readonly TemplatePart[];
  readonly #allowMissingKeys: boolean;
  #begun = 0;
  #inside = 0;
  #ended = 0;
  #lastEnd = -1;

  constructor(parts: readonly TemplatePart[], allowMissingKeys: boolean) {
    this.#parts = parts;
    this.#allowMissingKeys = allowMissingKeys;
  }

  find(start: number, data: unknown): (readonly unknown[])[] {
    const found: (readonly unknown[])[] = [];
    for (let at = start; at < this.#parts.length; at++) {
      const values = this.#valuesOf(at, data);
      if (this.#ended > 0 && this.#ended <= this.#inside) {
        this.#ended--;
        this.#lastEnd = at;
        break;
      }
      if (this.#begun === 0) {
        found.push(values);
        continue;
      }
      this.#begun--;
      this.#inside++;
      for (const value of values) for (const one of this.find(at + 1, value)) found.push(one);
      // Nothing to go through: only to learn where the range ends.
      if (values.length === 0) this.find(at + 1, undefined);
      this.#inside--;
      at = Math.max(at, this.#lastEnd);
    }
    return found;
  }

  #valuesOf(at: number, data: unknown): readonly unknown[] {
    const part = this.#parts[at];
    if (part === undefined) return [];
    if (part.kind === 'text') return [part.text];
    return walkSteps(part.steps, [data], {
      allowMissingKeys: this.#allowMissingKeys,
      onWord: (name, values) => this.#onWord(name, values),
    });
  }

  #onWord(name: string, values: readonly unknown[]): readonly unknown[] {
    if (name === 'range') {
      this.#begun++;
      return values;
    }
    if (name !== 'end') throw new JsonPathError(`unrecognized identifier ${name}`);
    if (this.#inside === 0) throw new JsonPathError('not in range, nothing to end');
    this.#ended++;
    return [];
  }
}
