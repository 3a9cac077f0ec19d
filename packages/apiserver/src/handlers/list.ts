import { encodeJson, type KubeObject, notAcceptable } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Scope } from '../objects/engine.ts';
import { decodeAll } from '../objects/stored.ts';
import { goType, keyOf, type ResourceDef, rangePrefix } from '../resources/resource.ts';
import type { Entry, Snapshot } from '../storage/store.ts';
import { type ContinueToken, encodeContinue } from './continue-token.ts';
import { joinItems } from './items.ts';
import type { Chunk, ListCache, Place } from './list-cache.ts';
import { openSnapshot, type SnapshotDeps } from './list-snapshot.ts';
import { type Accepted, negotiate } from './negotiate.ts';
import { type ListOptions, listOptions } from './options.ts';
import { partialMetadata } from './partial-metadata.ts';
import { respond } from './respond.ts';
import { namespaceToRead, type Selection, selection } from './selection.ts';
import { includeObject, table } from './table.ts';

/** Entries read between two turns of the event loop: about 2 ms of work, so that other requests get theirs. */
const SLICE = 250;

/** What a list needs beyond the engine. */
export interface ListDeps extends SnapshotDeps {
  readonly cache: ListCache;
  /** Hears what broke a list off after its first bytes. */
  readonly report: (error: unknown) => void;
}

/** GET of a collection. */
export async function list(deps: ListDeps, scope: Scope): Promise<ApiResponse> {
  const { request, def, info } = scope;
  const options = listOptions(request.query, false);
  const accepted = negotiate(request.headers['accept'], 'list');
  const wanted = selection(def, options, info.name);
  const { snapshot, token } = await openSnapshot(deps, scope, options);
  const page: Page = {
    scope,
    options,
    wanted,
    token,
    snapshot,
    prefix: rangePrefix(def, namespaceToRead(info.namespace, wanted)),
  };
  const bytesOnly =
    accepted.view === 'object' &&
    accepted.format === 'json' &&
    wanted.everything &&
    (def.conversion === undefined || def.conversion.freshAfter !== undefined);
  if (bytesOnly && options.limit === 0 && token === undefined) return stream(page, deps);
  using _held = snapshot;
  const found = await collect(page);
  const metadata = listMetadata(page, found);
  if (bytesOnly) return joined(def, metadata, found.entries);
  const objects =
    found.objects ??
    (await decodeAll(
      def,
      found.entries.map(({ value }) => value),
    ));
  return render(page, accepted, { metadata, objects, now: deps.engine.now() });
}

interface Page {
  readonly scope: Scope;
  readonly options: ListOptions;
  readonly wanted: Selection;
  readonly token: ContinueToken | undefined;
  readonly snapshot: Snapshot;
  readonly prefix: string;
}

interface Found {
  readonly entries: readonly Entry[];
  /** Filled only where matching needed the decoded object anyway. */
  readonly objects: readonly KubeObject[] | undefined;
  readonly more: boolean;
  readonly remaining: number | undefined;
}

/** Reads one page, in slices. */
async function collect(page: Page): Promise<Found> {
  const { snapshot, prefix, options, wanted, scope } = page;
  const limit = options.limit > 0 ? options.limit : Number.POSITIVE_INFINITY;
  const entries: Entry[] = [];
  const objects: KubeObject[] | undefined = wanted.everything ? undefined : [];
  const key = onlyKey(page);
  if (key !== undefined) {
    const entry = snapshot.read(key);
    const [object] = entry === undefined ? [] : await decodeAll(scope.def, [entry.value]);
    const found = entry !== undefined && object !== undefined && wanted.matches(object);
    return {
      entries: found ? [entry] : [],
      objects: found ? [object] : [],
      more: false,
      remaining: undefined,
    };
  }
  let after = page.token === undefined ? undefined : prefix + page.token.start;
  for (;;) {
    const room = wanted.everything ? limit - entries.length : SLICE;
    const slice = snapshot.range(prefix, {
      ...(after === undefined ? {} : { after }),
      limit: Math.min(SLICE, room),
    });
    const decoded =
      objects === undefined
        ? []
        : await decodeAll(
            scope.def,
            slice.map(({ value }) => value),
          );
    for (const [index, entry] of slice.entries()) {
      after = entry.key;
      if (objects !== undefined) {
        const object = decoded[index];
        if (object === undefined || !wanted.matches(object)) continue;
        objects.push(object);
      }
      entries.push(entry);
      if (entries.length >= limit) break;
    }
    if (entries.length >= limit) break;
    if (slice.length < Math.min(SLICE, room))
      return { entries, objects, more: false, remaining: undefined };
    await nextTurn();
    scope.request.signal.throwIfAborted();
  }
  const left = snapshot.count(prefix, after === undefined ? {} : { after });
  return {
    entries,
    objects,
    more: left > 0,
    // With a selector the number would be a guess, so upstream leaves it out.
    remaining: wanted.everything && left > 0 ? left : undefined,
  };
}

/** The key of the one object that can match, so that nobody reads a whole collection to find it. */
function onlyKey({ scope, wanted }: Page): string | undefined {
  const namespace = wanted.namespace ?? scope.info.namespace;
  if (wanted.name === undefined || (scope.def.namespaced && namespace === '')) return undefined;
  return keyOf(scope.def, namespace, wanted.name);
}

function listMetadata(page: Page, found: Found): Record<string, unknown> {
  const metadata = emptyMetadata(page.scope.def, page.snapshot.revision);
  const last = found.entries.at(-1);
  if (!found.more || last === undefined) return metadata;
  const rv = page.token !== undefined && page.token.rv < 0 ? -1 : page.snapshot.revision;
  metadata['continue'] = encodeContinue({ rv, start: last.key.slice(page.prefix.length) });
  if (found.remaining !== undefined) metadata['remainingItemCount'] = found.remaining;
  return metadata;
}

/** A list of a custom kind says that there is no more, where one of a built-in kind says nothing. */
function emptyMetadata(def: ResourceDef, revision: number): Record<string, unknown> {
  return { ...(def.builtIn ? {} : { continue: '' }), resourceVersion: String(revision) };
}

function withoutEmptyToken(metadata: Record<string, unknown>): Record<string, unknown> {
  const { continue: token, ...rest } = metadata;
  return token === undefined || token === '' ? rest : metadata;
}

function joined(
  def: ResourceDef,
  metadata: Record<string, unknown>,
  entries: readonly Entry[],
): ApiResponse {
  const { head, tail } = envelope(def, metadata);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: [head, joinItems(def, entries), tail],
  };
}

const TAIL = Buffer.from(']}\n');
const COMMA = Buffer.from(',');

/** What stands around the items. Custom lists are maps to Go, which writes their keys in order. */
function envelope(
  def: ResourceDef,
  metadata: Record<string, unknown>,
): { head: Buffer; tail: Buffer } {
  const { listKind, apiVersion } = def;
  const about = encodeJson(metadata);
  if (!def.builtIn) {
    return {
      head: Buffer.from(`{"apiVersion":"${apiVersion}","items":[`),
      tail: Buffer.from(`],"kind":"${listKind}","metadata":${about}}\n`),
    };
  }
  const head = `{"kind":"${listKind}","apiVersion":"${apiVersion}","metadata":${about},"items":[`;
  return { head: Buffer.from(head), tail: TAIL };
}

/** A whole collection, written as it is read: memory stays flat and the loop stays free. */
function stream({ scope, snapshot, prefix }: Page, { cache, report }: ListDeps): ApiResponse {
  const { def, tenant } = scope;
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: {
      start: (sink) => {
        let closed = false;
        sink.onClose(() => {
          closed = true;
          snapshot[Symbol.dispose]();
        });
        const { head, tail } = envelope(def, emptyMetadata(def, snapshot.revision));
        sink.write(head);
        let after = '';
        const next = (): void => {
          if (closed) return;
          const place = { tenant, prefix, after, revision: snapshot.revision };
          const chunk = readChunk({ snapshot, def, cache, report }, place);
          // A damaged record breaks the answer off: half a list that looks whole would be worse.
          if (chunk === undefined) {
            sink.destroy();
            return;
          }
          let room = true;
          if (chunk.count > 0) {
            if (after !== '') sink.write(COMMA);
            room = sink.write(chunk.bytes);
            after = chunk.last;
          }
          if (chunk.count < SLICE) {
            sink.write(tail);
            sink.end();
          } else if (room) setImmediate(next);
          else sink.onDrain(next);
        };
        next();
      },
    },
  };
}

function readChunk(
  {
    snapshot,
    def,
    cache,
    report,
  }: Pick<ListDeps, 'cache' | 'report'> & { snapshot: Snapshot; def: ResourceDef },
  place: Place,
): Chunk | undefined {
  // What is kept of a collection is kept for one form of its objects; a CRD may change theirs.
  const kept = def.builtIn ? cache.get(place) : undefined;
  if (kept !== undefined) return kept;
  try {
    const entries = snapshot.range(place.prefix, {
      ...(place.after === '' ? {} : { after: place.after }),
      limit: SLICE,
    });
    const chunk = {
      bytes: joinItems(def, entries),
      count: entries.length,
      last: entries.at(-1)?.key ?? '',
    };
    if (def.builtIn) cache.put(place, chunk);
    return chunk;
  } catch (error) {
    report(error);
    return undefined;
  }
}

function render(
  page: Page,
  accepted: Accepted,
  {
    metadata,
    objects,
    now,
  }: { metadata: Record<string, unknown>; objects: readonly KubeObject[]; now: Date },
): ApiResponse {
  const { def, request } = page.scope;
  switch (accepted.view) {
    case 'Table':
      return respond(
        200,
        table(def, objects, {
          version: accepted.viewVersion,
          includeObject: includeObject(request.query),
          now,
          metadata: withoutEmptyToken(metadata),
        }),
        accepted.format,
      );
    case 'PartialObjectMetadata':
      throw notAcceptable(
        `you requested PartialObjectMetadata, but the requested object is a list (${goType(def, true)})`,
      );
    case 'PartialObjectMetadataList':
      return respond(
        200,
        {
          kind: 'PartialObjectMetadataList',
          apiVersion: `meta.k8s.io/${accepted.viewVersion}`,
          metadata: withoutEmptyToken(metadata),
          // Null where nothing was found, as upstream says it of these lists alone.
          items:
            objects.length === 0
              ? null
              : objects.map((object) => partialMetadata(def, object, accepted.viewVersion)),
        },
        accepted.format,
      );
    default:
      return respond(
        200,
        {
          kind: def.listKind,
          apiVersion: def.apiVersion,
          metadata,
          items: objects.map((object) => withoutTypeMeta(def, object)),
        },
        accepted.format,
      );
  }
}

/** Items of a built-in list carry no kind and apiVersion of their own: the list says it. */
function withoutTypeMeta(def: ResourceDef, object: KubeObject): Record<string, unknown> {
  if (!def.builtIn) return object;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  return item;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
