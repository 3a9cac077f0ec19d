import type { Expr } from '../syntax/ast.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  intType,
  nullType,
  stringType,
  uintType,
} from '../types.ts';
import { CelUint, type CelValue } from '../values/value.ts';

/** A chain of selects as one name with dots; undefined where it is not one. */
export function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}

/** The type of a constant. */
export function literalType(value: CelValue): CelType {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'bigint':
      return intType;
    case 'number':
      return doubleType;
    case 'string':
      return stringType;
    default:
      if (value instanceof CelUint) return uintType;
      return value === null ? nullType : bytesType;
  }
}
