/** One step of a path, from some values to others. */
export type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | {
      readonly kind: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      /** True when only a start was written: one item. */
      readonly isSingle: boolean;
      readonly step: number | undefined;
    }
  | { readonly kind: 'union'; readonly parts: readonly (readonly Step[])[] }
  | {
      readonly kind: 'filter';
      readonly left: readonly Step[];
      readonly right: readonly Step[];
      readonly operator: string;
    }
  | { readonly kind: 'literal'; readonly value: string | number | boolean };
