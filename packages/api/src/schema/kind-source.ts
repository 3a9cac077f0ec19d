import type { ValidationRule } from '@flotilla/machinery/schema';
import type { Schema } from './schema.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly jsonPath: string;
  /** Shown by `-o wide` only. */
  readonly wide?: boolean;
  readonly description: string;
}

/** What a condition means and every reason it can give, by its status. */
export interface ConditionSource {
  readonly meaning: string;
  /** Whether Ready waits for it. */
  readonly gatesReady: boolean;
  /** Those of the reasons for Unknown that the spec asked for, and that do not keep the object from being Ready. */
  readonly skips?: readonly string[];
  readonly reasons: {
    readonly True: readonly string[];
    readonly False: readonly string[];
    readonly Unknown: readonly string[];
  };
}

/** A manifest that the reference page shows and the tests apply. */
export interface Example {
  readonly title: string;
  readonly yaml: string;
}

/** All there is to say about a kind, once: its types, its CRD and its reference page come from here. */
export interface KindSource<Spec extends Schema = Schema, Status extends Schema = Schema> {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly description: string;
  readonly spec: Spec;
  readonly status: Status;
  /** Rules over the whole object, which see metadata.name as well. */
  readonly rules: readonly ValidationRule[];
  readonly columns: readonly Column[];
  /** In the order in which a pass establishes them. */
  readonly conditions: Readonly<Record<string, ConditionSource>>;
  readonly examples: readonly Example[];
  /** Whose kind it is where it is not ours: where their own CRD is installed, that one counts. */
  readonly upstream?: string;
}

/** Keeps the literal types of a source. */
export function describeKind<const K extends KindSource>(source: K): K {
  return source;
}
