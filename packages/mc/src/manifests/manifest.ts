import type { Json } from '@flotilla/machinery';

/** One object of a file, and what it is called. */
export interface Manifest {
  /** Where it is from, for errors: a path, or STDIN. */
  readonly source: string;
  readonly object: Json;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  /** What the file says; empty when it says nothing. */
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}
