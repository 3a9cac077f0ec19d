import { goQuote } from '../go/quote.ts';

/** Go's `%v` of upstream's wrapper around an applied value: `&{abc}`. */
export function goPrint(value: unknown): string {
  return `&{${plain(value)}}`;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(plain).join(' ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${members.map(([key, member]) => `${key}:${plain(member)}`).join(' ')}]`;
  }
  return typeof value === 'number' ? floatText(value) : String(value);
}

/** Go's `%#v` of the same wrapper. */
export function goPrintSharp(value: unknown): string {
  return `&value.valueUnstructured{Value:${sharp(value)}}`;
}

function sharp(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (Array.isArray(value)) return `[]interface {}{${value.map(sharp).join(', ')}}`;
  if (typeof value === 'object') {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    const texts = members.map(([key, member]) => `${goQuote(key)}:${sharp(member)}`);
    return `map[string]interface {}{${texts.join(', ')}}`;
  }
  if (typeof value === 'string') return goQuote(value);
  return typeof value === 'number' ? floatText(value) : String(value);
}

/** The Go type of an applied value; every number is a float there. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'object':
      return 'map[string]interface {}';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
      return 'float64';
  }
}

/** Go's `%v` of a float64, which is what numbers in stored sets are to upstream: 1000000 is `1e+06`. */
export function floatText(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
