import type { FieldError, FieldErrorType } from './field-error.ts';
import { formatFloat } from './go/format-float.ts';
import { goQuote } from './go/quote.ts';
import { encodeJson } from './json/encode-json.ts';

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

/** The detail upstream gives for every negative number that must not be. */
export const negativeDetail = 'must be greater than or equal to 0';

/** The detail upstream gives for a field that may not change once set. */
export const immutableDetail = 'field is immutable';

/** A value that must be there and is not (or is empty). */
export function required(path: string, detail = ''): FieldError {
  return fieldError('FieldValueRequired', path, { detail });
}

/** A value that breaks a rule; the value is shown as Go would print it. */
export function invalid(path: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueInvalid', path, { value, detail });
}

/** A value outside a closed set; `supported` is listed in the order given. */
export function notSupported(
  path: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  const detail =
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return fieldError('FieldValueNotSupported', path, { value, detail });
}

/** A value that occurs twice where it must be unique. */
export function duplicate(path: string, value: unknown): FieldError {
  return fieldError('FieldValueDuplicate', path, { value, detail: '' });
}

/** A well-formed value that is not allowed here and now. */
export function forbidden(path: string, detail: string): FieldError {
  return fieldError('FieldValueForbidden', path, { detail });
}

/** A reference to something that does not exist. */
export function notFoundField(path: string, value: unknown): FieldError {
  return fieldError('FieldValueNotFound', path, { value, detail: '' });
}

/** A text of more than `max` bytes; the value itself is not shown. A negative `max` is not named. */
export function tooLong(path: string, _value: unknown, max: number): FieldError {
  const detail =
    max < 0 ? 'value is too long' : `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`;
  return fieldError('FieldValueTooLong', path, { detail });
}

/** A list of more than `max` items; a negative `actual` or `max` is not named. */
export function tooMany(path: string, actual: number, max: number): FieldError {
  const detail =
    max < 0 ? 'has too many items' : `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  return fieldError('FieldValueTooMany', path, actual < 0 ? { detail } : { value: actual, detail });
}

/** A value of another type than the schema says. */
export function typeInvalid(path: string, value: unknown, detail: string): FieldError {
  return fieldError('FieldValueTypeInvalid', path, { value, detail });
}

/** A check that could not be made; not the user's fault. */
export function internalFieldError(path: string, detail: string): FieldError {
  return fieldError('InternalError', path, { detail });
}

/** The error as one line, `path: text`; an error about the object itself has upstream's `<nil>` path. */
export function formatFieldError(error: FieldError): string {
  return `${fieldPathText(error.field)}: ${error.message}`;
}

/** Several errors as one text, as upstream's aggregate prints them: repeats once, brackets around more than one. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  return aggregateTexts(errors.map(formatFieldError));
}

/** Texts joined as upstream's error aggregate joins them. */
export function aggregateTexts(texts: readonly string[]): string {
  const unique = [...new Set(texts)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

/** The path clients see: upstream prints the absent path of a whole object as `<nil>`. */
export function fieldPathText(path: string): string {
  return path === '' ? '<nil>' : path;
}

function fieldError(
  type: FieldErrorType,
  field: string,
  parts: { value?: unknown; detail: string },
): FieldError {
  let message = titles[type];
  if ('value' in parts) message += `: ${showValue(parts.value)}`;
  if (parts.detail !== '') message += `: ${parts.detail}`;
  return { type, field, message };
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return formatFloat(value);
  return encodeJson(value);
}
