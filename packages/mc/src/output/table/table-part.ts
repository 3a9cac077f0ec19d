import type { SortKey } from '../sort/sort-key.ts';

/** One column, as a server defines it or as flags add it. */
export interface Column {
  /** As the server writes it. */
  readonly name: string;
  /** @default the name in capitals */
  readonly header?: string | undefined;
  /** Whether it names the object: the kind goes before it and the cluster behind it. */
  readonly isName: boolean;
  /** Whether it is the namespace that `-A` adds. @default false */
  readonly isNamespace?: boolean | undefined;
  /** 0 is always shown, others in wide output. */
  readonly priority: number;
}

/** One object as a server prints it. */
export interface Row {
  /** In the order of the part's columns; as the server sent them, so that nothing is kept twice. */
  readonly cells: readonly unknown[];
  /** What `--sort-by` leads to; absent when nobody asked. */
  readonly key?: SortKey | undefined;
}

/** The rows of one type that one cluster has. */
export interface TablePart {
  readonly cluster: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Rows of one type over all clusters: a table. */
export interface TableGroup {
  /** `deployment.apps/`, for tables that stand beside those of other types. */
  readonly kindPrefix: string;
  /** In the order in which clusters are shown. */
  readonly parts: readonly TablePart[];
}
