import { isExpired, type Kind } from '@flotilla/machinery';
import type { ListOptions, ObjectList } from '../client.ts';
import type { Exchange } from './exchange.ts';
import { collectionPath, type Query, withQuery } from './paths.ts';

/** A list that can be read in pieces: objects or rows. */
export interface Paged {
  readonly metadata: ObjectList['metadata'];
}

/** How the pieces are asked for and read. */
export interface PageReader<P extends Paged> {
  readonly exchange: Exchange;
  readonly kind: Kind;
  readonly accept: string;
  readonly read: (answer: unknown) => P;
  readonly query?: Query;
  /** Instead of reading the answer as JSON, where it can. */
  readonly decode?: ((body: Buffer) => unknown) | undefined;
}

/** As kubectl and client-go have it. */
const PAGE_SIZE = 500;

/** Pages of one consistent list. A list that expires between two pages ends with 410, as what was handed out cannot be taken back. */
export async function* readPages<P extends Paged>(
  reader: PageReader<P>,
  options: ListOptions,
): AsyncGenerator<P> {
  let next = '';
  do {
    const page = await readPage(reader, options, {
      limit: options.pageSize ?? PAGE_SIZE,
      continue: next,
    });
    yield page;
    next = page.metadata.continue ?? '';
  } while (next !== '');
}

/** All pages. When the list expires on the way, everything is asked for at once instead, as client-go's pager does. */
export async function readAllPages<P extends Paged>(
  reader: PageReader<P>,
  options: ListOptions,
): Promise<P[]> {
  const pages: P[] = [];
  try {
    for await (const page of readPages(reader, options)) pages.push(page);
    return pages;
  } catch (error) {
    if (pages.length === 0 || !isExpired(error)) throw error;
    return [await readPage(reader, options, {})];
  }
}

async function readPage<P extends Paged>(
  { exchange, kind, accept, read, query, decode }: PageReader<P>,
  options: ListOptions,
  piece: { readonly limit?: number; readonly continue?: string },
): Promise<P> {
  const { namespace, labelSelector, fieldSelector, signal, timeoutMs } = options;
  // A token says itself which revision it goes on with, and the server refuses a second opinion.
  const isFirst = piece.continue === undefined || piece.continue === '';
  const path = withQuery(collectionPath(kind, namespace), {
    labelSelector,
    fieldSelector,
    limit: piece.limit === 0 ? undefined : piece.limit,
    continue: piece.continue,
    resourceVersion: isFirst ? options.resourceVersion : undefined,
    resourceVersionMatch: isFirst ? options.resourceVersionMatch : undefined,
    ...query,
  });
  const answer = await exchange.ask({
    method: 'GET',
    path,
    accept,
    decode,
    signal,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    group: kind.group,
    resource: kind.plural,
  });
  return read(answer);
}
