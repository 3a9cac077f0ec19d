import { type KubeObject, notAcceptable } from '@flotilla/machinery';
import { negotiate } from '../handlers/negotiate.ts';
import { respond } from '../handlers/respond.ts';
import { type IncludeObject, includeObject } from '../handlers/table.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';

/** One column of what `kubectl get` prints. */
export interface MountedColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, higher ones in wide output. @default 0 */
  readonly priority?: number;
}

/** How objects of a mounted kind are printed. */
export interface MountedPrinter<T extends KubeObject> {
  readonly columns: readonly MountedColumn[];
  readonly cells: (object: T) => readonly unknown[];
}

/** One object in the view its client asked for: itself, a table of one row, or its metadata. */
export function showObject<T extends KubeObject>(
  request: ApiRequest,
  printer: MountedPrinter<T>,
  object: T,
): ApiResponse {
  const { view, viewVersion, format } = negotiate(request.headers['accept']);
  switch (view) {
    case 'Table':
      return respond(200, table(request, printer, { objects: [object], viewVersion }), format);
    case 'PartialObjectMetadata':
      return respond(200, partial(object, viewVersion), format);
    case 'PartialObjectMetadataList':
      throw notAcceptable(
        'you requested PartialObjectMetadataList, but the requested object is not a list',
      );
    default:
      return respond(200, object, format);
  }
}

/** Objects of one kind. */
export interface MountedList<T extends KubeObject> {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly T[];
  /** Whether each item says its kind; Go's typed lists leave it to the list. @default false */
  readonly itemsHaveKinds?: boolean;
}

/** Objects in the view their client asked for. */
export function showList<T extends KubeObject>(
  request: ApiRequest,
  printer: MountedPrinter<T>,
  list: MountedList<T>,
): ApiResponse {
  const { view, viewVersion, format } = negotiate(request.headers['accept'], 'list');
  const { kind, apiVersion, items, itemsHaveKinds = false } = list;
  switch (view) {
    case 'Table':
      return respond(200, table(request, printer, { objects: items, viewVersion }), format);
    case 'PartialObjectMetadataList':
      return respond(
        200,
        {
          kind: view,
          apiVersion: `meta.k8s.io/${viewVersion}`,
          metadata: {},
          items: items.map((item) => partial(item, viewVersion)),
        },
        format,
      );
    case 'PartialObjectMetadata':
      throw notAcceptable(
        'you requested PartialObjectMetadata, but the requested object is a list',
      );
    default:
      return respond(
        200,
        { kind, apiVersion, metadata: {}, items: itemsHaveKinds ? items : items.map(bare) },
        format,
      );
  }
}

function table<T extends KubeObject>(
  request: ApiRequest,
  { columns, cells }: MountedPrinter<T>,
  { objects, viewVersion }: { objects: readonly T[]; viewVersion: string },
): Record<string, unknown> {
  const include = includeObject(request.query);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${viewVersion}`,
    metadata: {},
    columnDefinitions: columns.map(
      ({ name, type, format = '', description = '', priority = 0 }) => ({
        name,
        type,
        format,
        description,
        priority,
      }),
    ),
    rows: objects.map((object) => ({
      cells: cells(object),
      object: included(object, include, viewVersion),
    })),
  };
}

function included(object: KubeObject, include: IncludeObject, viewVersion: string): unknown {
  if (include === 'None') return null;
  return include === 'Object' ? object : partial(object, viewVersion);
}

function bare({ kind: _kind, apiVersion: _apiVersion, ...rest }: KubeObject): object {
  return rest;
}

function partial({ metadata }: KubeObject, viewVersion: string): KubeObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${viewVersion}`,
    metadata,
  };
}
