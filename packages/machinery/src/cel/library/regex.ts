import type { RE2JS } from 're2js';
import { intType, listType, stringType } from '../types.ts';
import { ValueList } from '../values/lists.ts';
import { CelFault, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, member } from './function.ts';
import { compilePattern } from './patterns.ts';

function compiled(pattern: string): RE2JS | CelFault {
  const re = compilePattern(pattern);
  return re instanceof CelFault ? new CelFault(`Illegal regex: ${re.message}`) : re;
}

function find(text: string, pattern: string): CelValue {
  const re = compiled(pattern);
  if (re instanceof CelFault) return re;
  const matcher = re.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function findAll(text: string, pattern: string, limit = -1n): CelValue {
  const re = compiled(pattern);
  if (re instanceof CelFault) return re;
  const found: string[] = [];
  const matcher = re.matcher(text);
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) {
    found.push(matcher.group() ?? '');
  }
  return new ValueList(found);
}

/** Kubernetes' regular expression library. */
export const regexFunctions: readonly FunctionDecl[] = [
  define(
    'find',
    member('string_find_string', {
      args: [stringType, stringType],
      result: stringType,
      call: find,
    }),
  ),
  define(
    'findAll',
    member('string_find_all_string', {
      args: [stringType, stringType],
      result: listType(stringType),
      call: findAll,
    }),
    member('string_find_all_string_int', {
      args: [stringType, stringType, intType],
      result: listType(stringType),
      call: findAll,
    }),
  ),
];
