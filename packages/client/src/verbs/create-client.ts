import {
  type Clock,
  type Json,
  type Kind,
  type KubeObject,
  systemClock,
} from '@flotilla/machinery';
import type { Client, ObjectList, TableEvent } from '../client.ts';
import type { Transport } from '../transport.ts';
import { createExchange, type Exchange, type ExchangeOptions } from './exchange.ts';
import { readLeanTable } from './lean-table.ts';
import { type PageReader, readAllPages, readPages } from './list-pages.ts';
import { JSON_TYPE, PARTIAL_LIST_TYPES, PARTIAL_TYPES, TABLE_TYPES } from './media-types.ts';
import { objectPath, withQuery } from './paths.ts';
import { asList, asObject, asPartial, asPartialList } from './shapes.ts';
import { joinTables, readTable, type TableReader } from './tables.ts';
import { mapEvents, watchEvents } from './watch-events.ts';
import { createWrites } from './writes.ts';

/** How a client makes its requests. */
export interface ClientOptions extends ExchangeOptions {
  /** Tells ages where the server does not. @default the machine's */
  readonly clock?: Clock;
}

/** Verbs over a transport, which the client disposes of with itself. */
export function createClient(transport: Transport, options: ClientOptions = {}): Client {
  const exchange = createExchange(transport, options);
  return {
    transport,
    ...createReads(exchange),
    ...createTables(exchange, options.clock ?? systemClock),
    ...createWrites(exchange),
    raw: async ({ method = 'GET', ...request }) => exchange.ask({ ...request, method }),
    [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
  };
}

function createReads(exchange: Exchange): Pick<Client, 'get' | 'list' | 'pages' | 'watch'> {
  const pagesOf = <T extends KubeObject>(
    kind: Kind<T>,
    metadataOnly = false,
  ): PageReader<ObjectList<T>> => ({
    exchange,
    kind,
    accept: metadataOnly ? PARTIAL_LIST_TYPES : JSON_TYPE,
    read: (answer) => (metadataOnly ? asPartialList(answer, kind) : asList(answer, kind)),
  });
  return {
    get: async (kind, key, { subresource, resourceVersion, metadataOnly, ...call } = {}) => {
      const answer = await exchange.ask({
        ...call,
        method: 'GET',
        path: withQuery(objectPath(kind, { ...key, subresource }), { resourceVersion }),
        accept: metadataOnly === true ? PARTIAL_TYPES : JSON_TYPE,
        group: kind.group,
        resource: kind.plural,
        name: key.name,
      });
      return metadataOnly === true ? asPartial(answer, kind) : asObject(answer, kind);
    },
    list: async (kind, options = {}) =>
      joinLists(await readAllPages(pagesOf(kind, options.metadataOnly), options)),
    pages: (kind, options = {}) => readPages(pagesOf(kind, options.metadataOnly), options),
    watch: <T extends KubeObject>(kind: Kind<T>, options = {}) => {
      const { metadataOnly = false }: { metadataOnly?: boolean } = options;
      const accept = metadataOnly ? PARTIAL_TYPES : JSON_TYPE;
      return mapEvents(watchEvents({ exchange, kind, accept }, options), (object: Json) =>
        metadataOnly ? asPartial(object, kind) : asObject(object, kind),
      );
    },
  };
}

function createTables(
  exchange: Exchange,
  clock: Clock,
): Pick<Client, 'table' | 'tablePages' | 'watchTable'> {
  return {
    table: async (kind, { name, subresource, includeObject = 'Metadata', ...options } = {}) => {
      const reader: TableReader = { kind, includeObject, now: clock.now };
      const query = { includeObject };
      const read = (answer: unknown) => readTable(answer, reader);
      const accept = TABLE_TYPES;
      if (name === undefined) {
        return joinTables(await readAllPages({ exchange, kind, accept, query, read }, options));
      }
      const place = { namespace: options.namespace, name, subresource };
      const path = withQuery(objectPath(kind, place), query);
      const about = { group: kind.group, resource: kind.plural, name };
      const { signal, timeoutMs } = options;
      return read(
        await exchange.ask({
          ...about,
          method: 'GET',
          path,
          accept,
          signal,
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        }),
      );
    },
    tablePages: (kind, { includeObject = 'Metadata', namespacesOnly = false, ...options } = {}) => {
      const reader: TableReader = { kind, includeObject, now: clock.now };
      const query = { includeObject };
      const read = (answer: unknown) => readTable(answer, reader);
      const decode = namespacesOnly ? readLeanTable : undefined;
      return readPages({ exchange, kind, accept: TABLE_TYPES, query, read, decode }, options);
    },
    watchTable: async function* (
      kind,
      { includeObject = 'Metadata', ...options } = {},
    ): AsyncGenerator<TableEvent> {
      const query = { includeObject };
      const source = { exchange, kind, accept: TABLE_TYPES, query };
      for await (const { type, object } of watchEvents(source, options)) {
        yield { type, table: readTable(object, { kind, includeObject, now: clock.now }) };
      }
    },
  };
}

/** The revision is the first page's: all pages are of the same. */
function joinLists<T extends KubeObject>(pages: readonly ObjectList<T>[]): ObjectList<T> {
  const [first] = pages;
  if (first === undefined) throw new TypeError('Cannot join lists: there is none');
  if (pages.length === 1) return first;
  const { continue: _, remainingItemCount: __, ...metadata } = first.metadata;
  return { ...first, metadata, items: pages.flatMap(({ items }) => items) };
}
