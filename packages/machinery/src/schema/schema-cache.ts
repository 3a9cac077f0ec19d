import { encodeJson } from '../json/encode-json.ts';
import type { CompiledSchema, JsonSchemaProps } from './types.ts';

/** Texts of all schemas kept, in characters. A large CRD is about half a million; most are a few thousand. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Compiled schemas by their whole text, so that tenants with the same CRDs share them. The text itself is the key:
 * a hash could be made to collide, and then one tenant would decide what another may store.
 */
export class SchemaCache {
  readonly #byText = new Map<string, CompiledSchema>();
  readonly #bySource = new WeakMap<JsonSchemaProps, CompiledSchema>();
  #characters = 0;

  /** The compiled form of `source`, made by `compile` when no equal schema is known. */
  get(
    source: JsonSchemaProps,
    compile: (source: JsonSchemaProps) => CompiledSchema,
  ): CompiledSchema {
    const same = this.#bySource.get(source);
    if (same !== undefined) return same;
    const text = encodeJson(source);
    const equal = this.#byText.get(text);
    if (equal !== undefined) {
      // Moves to the end: the first of the map is then the one not asked for longest.
      this.#byText.delete(text);
      this.#byText.set(text, equal);
      this.#bySource.set(source, equal);
      return equal;
    }
    const compiled = compile(source);
    this.#bySource.set(source, compiled);
    this.#keep(text, compiled);
    return compiled;
  }

  #keep(text: string, compiled: CompiledSchema): void {
    this.#byText.set(text, compiled);
    this.#characters += text.length;
    for (const oldest of this.#byText.keys()) {
      if (this.#characters <= MAX_CHARACTERS || oldest === text) break;
      this.#byText.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
