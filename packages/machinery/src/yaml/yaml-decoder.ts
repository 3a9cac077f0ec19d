import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';
import { setOwn } from '../values/own-key.ts';
import { formatFloatKey } from './format-number.ts';
import { resolvePlain, resolveTagged } from './resolve-scalar.ts';
import type { MappingNode, ScalarNode, YamlNode } from './yaml-node.ts';

/** Deepest nesting, aliases followed. */
export const MAX_YAML_DEPTH = 1000;

/** Up to this many nodes nearly all may come from aliases, beyond it fewer and fewer: upstream's measure. */
const ALIAS_RANGE_LOW = 400_000;
const ALIAS_RANGE_HIGH = 4_000_000;

/** Turns nodes into JSON data as kubectl does, counting what aliases blow up and noting keys that stand twice. */
export class YamlDecoder {
  /** One line for each key that stands twice, in upstream's words. */
  readonly duplicates: string[] = [];
  readonly #lineOf: (offset: number) => number;
  readonly #following = new Set<YamlNode>();
  #decoded = 0;
  #fromAliases = 0;
  #depth = 0;

  constructor(lineOf: (offset: number) => number) {
    this.#lineOf = lineOf;
  }

  decode(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return decodeScalar(node);
      case 'alias':
        return this.#follow(node, () => this.decode(node.target));
      case 'sequence':
        return this.#nested(() => node.items.map((item) => this.decode(item)));
      case 'mapping':
        return this.#nested(() => {
          const result: Record<string, unknown> = {};
          this.#fill(node, result, new Set());
          return result;
        });
    }
  }

  /** Writes a mapping's pairs into an object; `seen` tells keys apart that only differ in type. */
  #fill(node: MappingNode, result: Record<string, unknown>, seen: Set<string>): void {
    for (let i = 0; i + 1 < node.items.length; i += 2) {
      const key = node.items[i] as YamlNode;
      const value = node.items[i + 1] as YamlNode;
      if (isMergeKey(key)) {
        this.#merge(value, result, seen);
        continue;
      }
      const decodedKey = this.#decodeKey(key);
      const name = String(decodedKey);
      const decoded = this.decode(value);
      const identity = `${typeof decodedKey}:${name}`;
      if (seen.has(identity)) this.#noteDuplicate(decodedKey, key, value);
      seen.add(identity);
      setOwn(result, name, decoded);
    }
  }

  /** Keys of a JSON object are texts; numbers and booleans become what Go prints for them. */
  #decodeKey(node: YamlNode): string | number | bigint | boolean {
    if (node.kind === 'alias') return this.#follow(node, () => this.#decodeKey(node.target));
    if (node.kind === 'scalar' && node.isPlain && node.tag === '') {
      const { kind, value } = resolvePlain(node.text);
      if (kind === '!!float') return formatFloatKey(value as number);
    }
    const key = this.decode(node);
    if (typeof key === 'object') {
      const shown = key === null ? 'of type: %!s(<nil>), key: <nil>' : 'that is a list or a map';
      throw new ParseError(`unsupported map key ${shown}`);
    }
    return key as string | number | bigint | boolean;
  }

  /** `<<: *base`. What stands later wins, whichever way it came in; of several bases the first does. */
  #merge(node: YamlNode, result: Record<string, unknown>, seen: Set<string>): void {
    const bases = node.kind === 'sequence' ? [...node.items].reverse() : [node];
    for (const base of bases) {
      const mapping = base.kind === 'alias' ? base.target : base;
      if (mapping.kind !== 'mapping') {
        throw new ParseError('yaml: map merge requires map or sequence of maps as the value');
      }
      this.#count();
      this.#follow(base, () => this.#nested(() => this.#fill(mapping, result, seen)));
    }
  }

  #follow<T>(node: YamlNode, action: () => T): T {
    if (node.kind !== 'alias') return action();
    if (this.#following.has(node)) {
      throw new ParseError(`yaml: anchor '${node.name}' value contains itself`);
    }
    this.#following.add(node);
    const result = action();
    this.#following.delete(node);
    return result;
  }

  #nested<T>(action: () => T): T {
    if (++this.#depth > MAX_YAML_DEPTH) throw new ParseError('yaml: exceeded max depth');
    const result = action();
    this.#depth--;
    return result;
  }

  #count(): void {
    this.#decoded++;
    if (this.#following.size > 0) this.#fromAliases++;
    if (this.#fromAliases <= 100 || this.#decoded <= 1000) return;
    if (this.#fromAliases / this.#decoded > allowedAliasRatio(this.#decoded)) {
      throw new ParseError('yaml: document contains excessive aliasing');
    }
  }

  #noteDuplicate(decodedKey: unknown, key: YamlNode, value: YamlNode): void {
    if (this.duplicates.length >= 100) return;
    const shown = typeof decodedKey === 'string' ? goQuote(decodedKey) : String(decodedKey);
    // Upstream gives the line of the value, which for a scalar is that of its key.
    const line = this.#lineOf(value.kind === 'scalar' ? key.offset : value.offset);
    this.duplicates.push(`line ${line}: key ${shown} already set in map`);
  }
}

function decodeScalar(node: ScalarNode): unknown {
  if (!node.isPlain && node.tag === '') return node.text;
  const value =
    node.tag === '' ? resolvePlain(node.text).value : resolveTagged(node.text, node.tag);
  // JSON has no such numbers, and Go refuses them when it turns YAML into JSON.
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const shown = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
    throw new ParseError(`json: unsupported value: ${shown}`);
  }
  return value;
}

function isMergeKey(node: YamlNode): boolean {
  if (node.kind !== 'scalar' || node.text !== '<<') return false;
  return node.tag === '!!merge' || (node.isPlain && node.tag === '');
}

function allowedAliasRatio(decoded: number): number {
  if (decoded <= ALIAS_RANGE_LOW) return 0.99;
  if (decoded >= ALIAS_RANGE_HIGH) return 0.1;
  return 0.99 - (0.89 * (decoded - ALIAS_RANGE_LOW)) / (ALIAS_RANGE_HIGH - ALIAS_RANGE_LOW);
}
