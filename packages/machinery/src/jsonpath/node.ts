import type { GoNumber } from '../go/values.ts';

/** One part of a template: text as it stands, or the steps between a pair of braces. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'steps'; readonly steps: readonly Step[] };

/** One step from some values to others. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | Slice
  | { readonly kind: 'union'; readonly members: readonly (readonly Step[])[] }
  | Filter
  | { readonly kind: 'literal'; readonly value: string | number | bigint | boolean | GoNumber }
  /** `range`, `end`, or something that only running finds wrong. */
  | { readonly kind: 'word'; readonly name: string };

/** `[start:end:step]`, `[start]` or `[*]`. */
export interface Slice {
  readonly kind: 'slice';
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly step: number | undefined;
  /** Only a start was written: one item. */
  readonly isSingle: boolean;
}

/** `[?(left operator right)]`; `exists` is the operator where there is nothing to compare. */
export interface Filter {
  readonly kind: 'filter';
  readonly left: readonly Step[];
  readonly right: readonly Step[];
  readonly operator: string;
}
