import {
  deepEqual,
  type FieldError,
  immutableDetail,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  negativeDetail,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { Int64 } from './api-values.ts';

/** Upstream's text for a number that must be one or more. */
export const positiveDetail = 'must be greater than zero';

/** Upstream's text for a number outside a closed range. */
export function rangeDetail(low: number, high: number): string {
  return `must be between ${low} and ${high}, inclusive`;
}

/** Each message of a name check as an `Invalid value` of the field. */
export function invalidEach(
  path: string,
  value: unknown,
  messages: readonly string[],
): FieldError[] {
  return messages.map((message) => invalid(path, value, message));
}

/** A value that must be a DNS label. */
export function dnsLabelErrors(value: string, path: string): FieldError[] {
  return invalidEach(path, value, isDNS1123Label(value));
}

/** A value that must be a DNS subdomain. */
export function dnsSubdomainErrors(value: string, path: string): FieldError[] {
  return invalidEach(path, value, isDNS1123Subdomain(value));
}

/** A value that must be a qualified name (also the rule for label keys). */
export function qualifiedNameErrors(value: string, path: string): FieldError[] {
  return invalidEach(path, value, isQualifiedName(value));
}

/** A subdomain to which a generated suffix may be appended, so that it may end in a dash. */
export function isSubdomainPrefix(value: string): string[] {
  const masked = value.length > 1 && value.endsWith('-') ? `${value.slice(0, -2)}a` : value;
  return isDNS1123Subdomain(masked);
}

/** A number that may not be negative; absent counts as zero. */
export function nonNegative(value: Int64 | null | undefined, path: string): FieldError[] {
  return (value ?? 0) < 0 ? [invalid(path, value, negativeDetail)] : [];
}

/** A number that must be greater than zero. */
export function positive(value: Int64, path: string): FieldError[] {
  return value <= 0 ? [invalid(path, value, positiveDetail)] : [];
}

/** A field that may not change; `shown` is how upstream prints the new value when not as it is. */
export function immutable(
  path: string,
  values: { readonly next: unknown; readonly old: unknown },
  shown: (value: unknown) => unknown = (value) => value ?? null,
): FieldError[] {
  return deepEqual(values.next, values.old)
    ? []
    : [invalid(path, shown(values.next), immutableDetail)];
}

/** A value of a closed set: required when empty, else one of `supported`. */
export function oneOf(
  path: string,
  value: string | null | undefined,
  supported: readonly string[],
): FieldError[] {
  if (value == null || value === '') return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

/** True for an own key of a map that may be absent. */
export function hasKey(map: Readonly<Record<string, unknown>> | null | undefined, key: string) {
  return map != null && Object.hasOwn(map, key);
}

/** What a condition list says about one type: true only for status "True". */
export function isConditionTrue(
  conditions: readonly { type: string; status: string }[] | null | undefined,
  type: string,
): boolean {
  return (conditions ?? []).some((each) => each.type === type && each.status === 'True');
}
