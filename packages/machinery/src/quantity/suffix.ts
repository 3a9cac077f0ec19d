import { parseInt64 } from '../go/parse-int.ts';
import type { QuantityFormat } from './quantity.ts';

/** What a suffix multiplies by. */
export interface Multiplier {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const decimal = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const decimalByExponent = new Map([...decimal].map(([suffix, exponent]) => [exponent, suffix]));

/** What a suffix means; undefined when there is no such suffix. */
export function readSuffix(suffix: string): Multiplier | undefined {
  const exponent = decimal.get(suffix);
  if (exponent !== undefined) return { base: 10, exponent, format: 'DecimalSI' };
  const power = binary.indexOf(suffix);
  if (power >= 0) return { base: 2, exponent: (power + 1) * 10, format: 'BinarySI' };
  if (!/^[eE]./.test(suffix)) return undefined;
  const written = parseInt64(suffix.slice(1));
  if (written === undefined) return undefined;
  // Upstream keeps 32 bits of the exponent.
  return { base: 10, exponent: Number(BigInt.asIntN(32, written)), format: 'DecimalExponent' };
}

/** The suffix for a power of ten; '' also where there is none, as upstream. */
export function decimalSuffix(exponent: number, format: 'DecimalSI' | 'DecimalExponent'): string {
  if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
  return decimalByExponent.get(exponent) ?? '';
}

/** The suffix for a power of 1024. */
export function binarySuffix(power: number): string {
  return power === 0 ? '' : (binary[power - 1] ?? '');
}
