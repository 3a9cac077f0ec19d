/** A 64-bit integer of the API; beyond 2^53 it is a bigint. */
export type Int64 = number | bigint;

/** A list as canonical JSON holds it: null where Go writes a nil slice. */
export type List<T> = readonly T[] | null | undefined;

/** A map as canonical JSON holds it: null where Go writes a nil map. */
export type Dict<T = string> = Readonly<Record<string, T>> | null | undefined;

/** A label selector of the API. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** A number or a percentage (or a port name), as the API mixes them. */
export type IntOrString = number | string;

/** Resource quantities by resource name, in canonical text. */
export type ResourceList = Record<string, string>;
