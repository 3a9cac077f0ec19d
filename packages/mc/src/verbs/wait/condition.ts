import { goQuote, isJsonObject, type Json } from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';
import { jsonPathCheck } from './json-path-check.ts';

/** What is waited for on every object. */
export type Condition =
  | { readonly kind: 'create' | 'delete' }
  | { readonly kind: 'state'; readonly isMet: (object: Json) => boolean };

/**
 * Reads what `--for` was given. Several are waited for one after the other, creation first, as kubectl does from 1.36
 * on; before that it forgot all but the last. Throws kubectl's words for what is none.
 */
export function parseConditions(texts: readonly string[]): Condition[] {
  const conditions = (texts.length === 0 ? [''] : texts).map(parseCondition);
  const rest = conditions.filter(({ kind }) => kind !== 'create');
  return rest.length === conditions.length ? rest : [{ kind: 'create' }, ...rest];
}

function parseCondition(text: string): Condition {
  const lower = text.toLowerCase();
  if (lower === 'create' || lower === 'delete') return { kind: lower };
  if (text.startsWith('condition=')) {
    const [, name = '', value = 'true'] = /^condition=([^=]*)(?:=([\s\S]*))?$/.exec(text) ?? [];
    return { kind: 'state', isMet: (object) => hasCondition(object, name, value) };
  }
  if (text.startsWith('jsonpath=')) {
    return { kind: 'state', isMet: jsonPathCheck(text.slice('jsonpath='.length)) };
  }
  throw new UsageError(`unrecognized condition: ${goQuote(text)}`);
}

/** Whether an object has a condition with a value; one that is about an older generation says nothing yet. */
export function hasCondition(object: Json, name: string, value: string): boolean {
  const status = fieldsOf(object['status']);
  const conditions = status['conditions'];
  if (!Array.isArray(conditions)) return false;
  for (const each of conditions as unknown[]) {
    const condition = fieldsOf(each);
    const { type, status: found } = condition;
    if (typeof type !== 'string' || typeof found !== 'string' || !isSame(type, name)) continue;
    const generation = integerOf(fieldsOf(object['metadata'])['generation']);
    const observed =
      integerOf(condition['observedGeneration']) ?? integerOf(status['observedGeneration']);
    if (generation !== undefined && observed !== undefined && observed < generation) return false;
    return isSame(found, value);
  }
  return false;
}

function fieldsOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

/** Whether letters differ at most in their case; letters that are several in another case are not the same. */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  return a.toLowerCase() === b.toLowerCase() || a.toUpperCase() === b.toUpperCase();
}
