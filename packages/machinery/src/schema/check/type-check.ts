import { typeInvalid } from '../../field-errors.ts';
import { goQuote } from '../../go/quote.ts';
import { isInteger, isIntegral } from './number-check.ts';
import { type Check, fail, fieldOf } from './run.ts';

/** What a schema says about the types of its values. */
export interface TypeRule {
  readonly types: readonly string[];
  readonly format: string;
  readonly isNullable: boolean;
}

/** Checks the type of a value that is not null; counts a match when it fits. */
export function typeCheck({ types, format }: TypeRule): Check {
  const wantsNumber = types.includes('number');
  const wantsInteger = types.includes('integer');
  const wanted = types.join(',');
  const isTextual = format !== '' && !wantsNumber && !wantsInteger;
  return (value, path, run) => {
    const isTextOrList = typeof value === 'string' || Array.isArray(value);
    // A format says the type of texts (and, by upstream's accident, of lists).
    if (isTextual && isTextOrList) {
      run.matches++;
      return;
    }
    const type = jsonType(value);
    const fits =
      types.includes(type) ||
      (wantsInteger && type === 'number' && isIntegral(value as number)) ||
      (wantsNumber && type === 'integer');
    if (fits) {
      run.matches++;
      return;
    }
    if (!isTextOrList && format !== '') {
      const actual = goFormat(type);
      if (actual !== format) {
        const detail = `${path} in body must be of type ${format}: ${goQuote(actual)}`;
        fail(run, () => typeInvalid(fieldOf(run, path), actual, detail));
        return;
      }
    }
    const detail = `${path} in body must be of type ${wanted}: ${goQuote(type)}`;
    fail(run, () => typeInvalid(fieldOf(run, path), type, detail));
  };
}

/** Checks a null. */
export function nullCheck({ types, isNullable }: TypeRule): Check {
  const wanted = types.join(',');
  return (_value, path, run) => {
    if (types.length === 0 || isNullable || types.includes('null')) {
      run.matches++;
      return;
    }
    const detail = `${path} in body must be of type ${wanted}: "null"`;
    fail(run, () => typeInvalid(fieldOf(run, path), 'null', detail));
  };
}

/** The JSON schema type of a value that is not null. */
export function jsonType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
    case 'bigint':
      return isInteger(value) ? 'integer' : 'number';
    default:
      return Array.isArray(value) ? 'array' : 'object';
  }
}

function goFormat(type: string): string {
  if (type === 'integer') return 'int64';
  return type === 'number' ? 'float64' : '';
}
