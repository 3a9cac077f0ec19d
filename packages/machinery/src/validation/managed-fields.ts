import type { FieldError } from '../field-error.ts';
import { invalid, tooLong } from '../field-errors.ts';
import { at, child } from '../field-path.ts';
import { byteLength } from '../go/byte-length.ts';

const FIELD_MANAGER_MAX_BYTES = 128;
const SUBRESOURCE_MAX_BYTES = 256;
/** Nearly all are, and the other expression takes longer to compile than a small program to start. */
const PLAIN = /^[\x20-\x7e]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Checks entries of managedFields as far as upstream does before it reads their field sets. */
export function validateManagedFields(entries: readonly unknown[], path: string): FieldError[] {
  return entries.flatMap((entry, index) =>
    validateEntry((entry ?? {}) as Record<string, unknown>, at(path, index)),
  );
}

/** Checks the name of a field manager: its length, and that it can be printed. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > FIELD_MANAGER_MAX_BYTES) {
    errors.push(tooLong(path, '', FIELD_MANAGER_MAX_BYTES));
  }
  if (PLAIN.test(manager)) return errors;
  let position = 0;
  for (const char of manager) {
    if (!PRINTABLE.test(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(char);
  }
  return errors;
}

function validateEntry(entry: Record<string, unknown>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const operation = text(entry['operation']);
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalid(child(path, 'operation'), operation, 'must be `Apply` or `Update`'));
  }
  const fieldsType = text(entry['fieldsType']);
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(child(path, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(text(entry['manager']), child(path, 'manager')));
  if (byteLength(text(entry['subresource'])) > SUBRESOURCE_MAX_BYTES) {
    errors.push(tooLong(child(path, 'subresource'), '', SUBRESOURCE_MAX_BYTES));
  }
  return errors;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
