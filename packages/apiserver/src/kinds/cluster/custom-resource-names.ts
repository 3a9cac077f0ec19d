import { at, child, type FieldError, invalid, isDNS1035Label, required } from '@flotilla/machinery';
import type { CrdNames } from '../../custom/crd.ts';

/** Names that are there must be sound; the spec's must be there, too. */
export function validateNames(names: CrdNames, path: string): FieldError[] {
  const { plural, singular = '', kind, listKind = '', shortNames = [], categories = [] } = names;
  const errors: FieldError[] = [];
  for (const [field, value] of [
    ['plural', plural],
    ['singular', singular],
  ] as const) {
    errors.push(...(value === '' ? [] : labelErrors(value, child(path, field))));
  }
  for (const [field, value] of [
    ['kind', kind],
    ['listKind', listKind],
  ] as const) {
    const messages = value === '' ? [] : isDNS1035Label(value.toLowerCase());
    if (messages.length > 0) {
      const detail = `may have mixed case, but should otherwise match: ${messages.join(',')}`;
      errors.push(invalid(child(path, field), value, detail));
    }
  }
  for (const [index, name] of shortNames.entries()) {
    errors.push(...labelErrors(name, at(child(path, 'shortNames'), index)));
  }
  if (kind !== '' && kind === listKind) {
    const detail = 'kind and listKind may not be the same';
    errors.push(invalid(child(path, 'listKind'), listKind, detail));
  }
  for (const [index, name] of categories.entries()) {
    errors.push(...labelErrors(name, at(child(path, 'categories'), index)));
  }
  return errors;
}

/** The names without which a kind cannot be served. */
export function requireNames(names: CrdNames, path: string): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((field) => (names[field] ?? '') === '')
    .map((field) => required(child(path, field)));
}

function labelErrors(value: string, path: string): FieldError[] {
  const messages = isDNS1035Label(value);
  return messages.length === 0 ? [] : [invalid(path, value, messages.join(','))];
}
