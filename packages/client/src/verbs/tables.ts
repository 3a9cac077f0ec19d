import {
  humanDuration,
  isJsonObject,
  type Json,
  type Kind,
  type KubeObject,
} from '@flotilla/machinery';
import type { IncludeObject, PartialObject, Table, TableColumn, TableRow } from '../client.ts';
import { asList } from './shapes.ts';

/** How an answer becomes a table. */
export interface TableReader {
  readonly kind: Kind;
  readonly includeObject: IncludeObject;
  readonly now: () => number;
}

const column = (name: string, format = ''): TableColumn => ({
  name,
  type: 'string',
  format,
  description: '',
  priority: 0,
});

/** What every object has. */
const PLAIN_COLUMNS: readonly TableColumn[] = [column('Name', 'name'), column('Age')];

/** Reads a Table, or makes one of name and age from what a server sends that knows no Tables. */
export function readTable(value: unknown, reader: TableReader): Table {
  if (isJsonObject(value) && value['kind'] === 'Table') return asTable(value);
  const isOne = isJsonObject(value) && !('items' in value);
  const list = asList(isOne ? { metadata: {}, items: [value] } : value, reader.kind);
  return {
    metadata: list.metadata,
    columnDefinitions: PLAIN_COLUMNS,
    rows: list.items.map((object) => plainRow(object, reader)),
    isFromServer: false,
  };
}

/** Pages of one list as one table. Later pages may leave the columns out. */
export function joinTables(pages: readonly Table[]): Table {
  const [first] = pages;
  if (first === undefined) throw new TypeError('Cannot join tables: there is none');
  if (pages.length === 1) return first;
  const { continue: _, remainingItemCount: __, ...metadata } = first.metadata;
  return { ...first, metadata, rows: pages.flatMap(({ rows }) => rows) };
}

function asTable(value: Json): Table {
  const { metadata, columnDefinitions, rows } = value;
  return {
    metadata: isJsonObject(metadata) ? metadata : {},
    columnDefinitions: Array.isArray(columnDefinitions) ? (columnDefinitions as TableColumn[]) : [],
    rows: Array.isArray(rows) ? (rows as TableRow[]) : [],
    isFromServer: true,
  };
}

function plainRow(object: KubeObject, { includeObject, now }: TableReader): TableRow {
  const { name = '', creationTimestamp = '' } = object.metadata;
  const born = Date.parse(creationTimestamp);
  const age = Number.isNaN(born) ? '<unknown>' : humanDuration(now() - born);
  return { cells: [name, age], ...carried(object, includeObject) };
}

function carried(object: KubeObject, include: IncludeObject): { object?: PartialObject } {
  if (include === 'None') return {};
  if (include === 'Object') return { object };
  const { metadata } = object;
  return { object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata } };
}
