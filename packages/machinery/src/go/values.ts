import { isJsonObject } from '../values/json-kind.ts';
import { goQuote } from './quote.ts';

/**
 * A number whose Go type cannot be told from its value: the literal `5.0` is a float although it is whole, a count or
 * a literal `5` an int where those of objects are int64, a character of a text a byte.
 */
export class GoNumber {
  readonly type: 'float64' | 'int' | 'uint8';
  readonly value: number;

  constructor(type: GoNumber['type'], value: number) {
    this.type = type;
    this.value = value;
  }
}

/** The number itself where a value is one of a special type. */
export function plainValue(value: unknown): unknown {
  return value instanceof GoNumber ? value.value : value;
}

/** JSON data as Go's `%v` prints it: `map[a:1 b:[x y]]`, `<nil>`. */
export function goSprint(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goSprint).join(' ')}]`;
  if (value instanceof GoNumber) return goNumberText(value);
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort();
    return `map[${members.map((key) => `${key}:${goSprint(value[key])}`).join(' ')}]`;
  }
  return numberText(value);
}

/** JSON data as Go's `%#v` prints it, which is what kubectl shows of an object a template failed on. */
export function goSyntax(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (value instanceof GoNumber) return goNumberText(value);
  if (isJsonObject(value)) {
    const members = Object.keys(value).sort();
    const texts = members.map((key) => `${goQuote(key)}:${goSyntax(value[key])}`);
    return `map[string]interface {}{${texts.join(', ')}}`;
  }
  return numberText(value);
}

/** The type that Go's decoder gives JSON data of objects: integers are int64, other numbers float64. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return value instanceof GoNumber ? value.type : 'map[string]interface {}';
  }
}

function goNumberText({ type, value }: GoNumber): string {
  return type === 'float64' ? floatText(value) : String(value);
}

function numberText(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value) ? floatText(value) : String(value);
}

/** A float64 as Go's `%v` and `%g` print it: an exponent below 1e-4 and from 1e6 on. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (value === 0 || (power >= -4 && power < 6)) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
