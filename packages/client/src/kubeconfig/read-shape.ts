import { getOwn, goJsonKind, isJsonObject } from '@flotilla/machinery';
import { decodeBase64 } from './base64.ts';
import { goType, type Shape } from './kubeconfig-shape.ts';

/** Where the reader is: the names down to here, and the struct they are in. */
interface Place {
  readonly struct: string;
  readonly path: readonly string[];
}

/**
 * Takes from JSON data what a shape knows, and leaves out what is null or empty. The first error counts, in the order in
 * which kubectl meets it: keys sorted, because it goes through sorted JSON.
 */
export function readShape(value: unknown, shape: Shape): { value: unknown; error?: string } {
  const reader = new ShapeReader();
  const read = reader.read(value, shape, { struct: '', path: [] });
  return reader.error === undefined ? { value: read } : { value: read, error: reader.error };
}

class ShapeReader {
  error: string | undefined;

  read(value: unknown, shape: Shape, place: Place): unknown {
    if (value === null || value === undefined) return undefined;
    switch (shape.kind) {
      case 'any':
        return value;
      case 'string':
        return typeof value === 'string' ? value || undefined : this.#mismatch(value, shape, place);
      case 'bool':
        return typeof value === 'boolean'
          ? value || undefined
          : this.#mismatch(value, shape, place);
      case 'bytes':
        return typeof value === 'string' ? this.#bytes(value) : this.#mismatch(value, shape, place);
      case 'list':
        return Array.isArray(value)
          ? value.map((item) => this.read(item, shape.of, place) ?? emptyOf(shape.of))
          : this.#mismatch(value, shape, place);
      case 'map':
        if (!isJsonObject(value)) return this.#mismatch(value, shape, place);
        return Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, this.read(value[key], shape.of, place) ?? emptyOf(shape.of)]),
        );
      case 'struct':
        return isJsonObject(value)
          ? this.#struct(value, shape, place)
          : this.#mismatch(value, shape, place);
    }
  }

  #struct(
    value: Record<string, unknown>,
    shape: Shape & { kind: 'struct' },
    place: Place,
  ): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value).sort()) {
      const field = getOwn(shape.fields, key) as Shape | undefined;
      if (field === undefined) continue;
      const inner = { struct: shape.go, path: [...place.path, key] };
      const read = this.read(value[key], field, inner);
      if (read !== undefined) result[key] = read;
    }
    return result;
  }

  #bytes(text: string): Buffer | undefined {
    const decoded = decodeBase64(text);
    if (typeof decoded === 'number') {
      this.error ??= `illegal base64 data at input byte ${decoded}`;
      return undefined;
    }
    return decoded.length === 0 ? undefined : decoded;
  }

  #mismatch(value: unknown, shape: Shape, { struct, path }: Place): undefined {
    const where = path.length === 0 ? 'value' : `struct field ${struct}.${path.join('.')}`;
    this.error ??= `json: cannot unmarshal ${goJsonKind(value)} into Go ${where} of type ${goType(shape)}`;
    return undefined;
  }
}

function emptyOf(shape: Shape): unknown {
  if (shape.kind === 'string') return '';
  if (shape.kind === 'list') return [];
  return shape.kind === 'struct' ? {} : undefined;
}
