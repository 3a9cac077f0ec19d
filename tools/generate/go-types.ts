import { runGo } from '../real-kubernetes/go.ts';

/** One field as tools/real-kubernetes/types prints it. */
export interface GoField {
  readonly name: string;
  readonly type: string;
  readonly number: number;
  readonly omit: string;
  readonly mergeKey?: string;
  readonly patchStrategy?: string;
  readonly goType?: string;
}

/** A named Go type: a struct has fields, everything else a kind. */
export interface GoType {
  readonly kind?: string;
  readonly of?: string;
  readonly fields?: readonly GoField[];
}

/** Everything the reflection program knows. */
export interface GoTypes {
  readonly kinds: readonly { group: string; version: string; kind: string; type: string }[];
  readonly packages: Readonly<Record<string, Readonly<Record<string, GoType>>>>;
}

/** Compiles and runs the reflection program. */
export function readGoTypes(): GoTypes {
  return JSON.parse(runGo(['run', './types']));
}
