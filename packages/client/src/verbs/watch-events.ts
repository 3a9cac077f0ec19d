import { isJsonObject, type Json, type Kind, type KubeObject } from '@flotilla/machinery';
import type { WatchEvent, WatchOptions } from '../client.ts';
import { TransportError } from '../transport-error.ts';
import { decodeJson, type Exchange } from './exchange.ts';
import { lineSplitter } from './line-splitter.ts';
import { collectionPath, type Query, withQuery } from './paths.ts';
import { statusError } from './refusal.ts';

/** An event before anybody said what its object is. */
export interface RawEvent {
  readonly type: WatchEvent['type'];
  readonly object: Json;
}

/** How a watch is asked for. */
export interface WatchSource {
  readonly exchange: Exchange;
  readonly kind: Kind;
  readonly accept: string;
  readonly query?: Query;
}

/** No object a server stores comes near it. */
const MAX_EVENT_BYTES = 64 << 20;

const TYPES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);

/** What changes, until the server ends the watch. Leaving the loop ends it, too. */
export async function* watchEvents(
  source: WatchSource,
  options: WatchOptions,
): AsyncGenerator<RawEvent> {
  const { exchange, kind, accept, query } = source;
  const stream = await exchange.open({
    method: 'GET',
    path: withQuery(collectionPath(kind, options.namespace), {
      watch: true,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      allowWatchBookmarks: options.allowWatchBookmarks ?? true,
      // An outspoken no differs from silence.
      sendInitialEvents: options.sendInitialEvents?.toString(),
      timeoutSeconds: options.timeoutSeconds,
      ...query,
    }),
    accept,
    signal: options.signal,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    idleMs: options.idleMs,
    group: kind.group,
    resource: kind.plural,
  });
  const lines = lineSplitter(MAX_EVENT_BYTES);
  try {
    for await (const chunk of stream) {
      for (const line of lines.push(chunk)) {
        if (line.length > 0) yield readEvent(line, kind);
      }
    }
    const rest = lines.rest();
    if (rest.toString().trim() !== '') yield lastEvent(rest, kind);
  } finally {
    stream.close();
  }
}

/** A typed view on raw events. */
export async function* mapEvents<T extends KubeObject>(
  events: AsyncIterable<RawEvent>,
  read: (object: Json) => T,
): AsyncGenerator<WatchEvent<T>> {
  for await (const { type, object } of events) yield { type, object: read(object) };
}

function readEvent(line: Buffer, kind: Kind): RawEvent {
  const event = decodeJson(line);
  if (!isJsonObject(event) || !isJsonObject(event['object'])) throw unexpected(kind);
  const { type, object } = event;
  if (type === 'ERROR') throw statusError(object as Json);
  if (!TYPES.has(type)) throw unexpected(kind);
  return { type: type as WatchEvent['type'], object: object as Json };
}

/** Servers end every event with a newline; a whole event without one counts, half of one is a broken connection. */
function lastEvent(rest: Buffer, kind: Kind): RawEvent {
  try {
    return readEvent(rest, kind);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new TransportError(
      'closed',
      `Cannot watch "${kind.plural}" on: the stream ended within an event`,
      { cause: error },
    );
  }
}

function unexpected(kind: Kind): TransportError {
  return new TransportError(
    'malformed',
    `Cannot watch "${kind.plural}": the server sent something that is no event`,
  );
}
