import { ParseError } from '../../parse-error.ts';
import { parseQuantity } from '../../quantity/parse-quantity.ts';
import {
  addQuantities,
  compareQuantities,
  type Quantity,
  quantityOf,
  quantitySign,
  quantityToNumber,
  subtractQuantities,
} from '../../quantity/quantity.ts';
import { boolType, doubleType, intType, stringType } from '../types.ts';
import { CelFault, CelOpaque, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import { quantityType } from './opaque-types.ts';

/** A quantity such as `100m` or `1.5Gi`. */
export class CelQuantity extends CelOpaque {
  readonly typeName = 'kubernetes.Quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelQuantity && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

function read(text: string): CelQuantity | CelFault {
  try {
    return new CelQuantity(parseQuantity(text));
  } catch (err) {
    if (!(err instanceof ParseError)) throw err;
    return new CelFault(err.message);
  }
}

const MAX_INT = 2n ** 63n - 1n;

/** The amount as a whole number; undefined where it has a fraction or is too large. */
function asInteger({ quantity: { unscaled, scale } }: CelQuantity): bigint | undefined {
  if (scale < 0 || scale > 18) return unscaled === 0n ? 0n : undefined;
  const value = unscaled * 10n ** BigInt(scale);
  return value > MAX_INT || value < -MAX_INT - 1n ? undefined : value;
}

const compare = (a: CelQuantity, b: CelQuantity): number =>
  compareQuantities(a.quantity, b.quantity);

type Combine = (a: Quantity, b: Quantity) => Quantity;

const arithmetic = (name: string, combine: Combine): FunctionDecl =>
  define(
    name,
    member(`quantity_${name}`, {
      args: [quantityType, quantityType],
      result: quantityType,
      call: (a: CelQuantity, b: CelQuantity) => new CelQuantity(combine(a.quantity, b.quantity)),
    }),
    member(`quantity_${name}_int`, {
      args: [quantityType, intType],
      result: quantityType,
      call: (a: CelQuantity, b: bigint) =>
        new CelQuantity(combine(a.quantity, quantityOf(b, 'DecimalExponent'))),
    }),
  );

const pair = [quantityType, quantityType];

/** Kubernetes' quantity library. */
export const quantityFunctions: readonly FunctionDecl[] = [
  define(
    'quantity',
    global('string_to_quantity', { args: [stringType], result: quantityType, call: read }),
  ),
  define(
    'isQuantity',
    global('is_quantity_string', {
      args: [stringType],
      result: boolType,
      call: (text: string) => read(text) instanceof CelQuantity,
    }),
  ),
  define(
    'sign',
    global('quantity_sign', {
      args: [quantityType],
      result: intType,
      call: (value: CelQuantity) => BigInt(quantitySign(value.quantity)),
    }),
  ),
  define(
    'isGreaterThan',
    member('quantity_is_greater_than', {
      args: pair,
      result: boolType,
      call: (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0,
    }),
  ),
  define(
    'isLessThan',
    member('quantity_is_less_than', {
      args: pair,
      result: boolType,
      call: (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0,
    }),
  ),
  define(
    'compareTo',
    member('quantity_compare_to', {
      args: pair,
      result: intType,
      call: (a: CelQuantity, b: CelQuantity) => BigInt(compare(a, b)),
    }),
  ),
  define(
    'asApproximateFloat',
    member('quantity_get_float', {
      args: [quantityType],
      result: doubleType,
      call: (value: CelQuantity) => quantityToNumber(value.quantity),
    }),
  ),
  define(
    'asInteger',
    member('quantity_get_int', {
      args: [quantityType],
      result: intType,
      call: (value: CelQuantity): CelValue =>
        asInteger(value) ?? new CelFault('cannot convert value to integer'),
    }),
  ),
  define(
    'isInteger',
    member('quantity_is_integer', {
      args: [quantityType],
      result: boolType,
      call: (value: CelQuantity) => asInteger(value) !== undefined,
    }),
  ),
  arithmetic('add', addQuantities),
  arithmetic('sub', subtractQuantities),
];
