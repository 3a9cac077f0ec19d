import { type KubeObject, notAcceptable } from '@flotilla/machinery';
import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { goType } from '../resources/resource.ts';
import { negotiate } from './negotiate.ts';
import { partialMetadata } from './partial-metadata.ts';
import { respond } from './respond.ts';
import { includeObject, table } from './table.ts';

/** One object in the view the client asked for: itself, a one-row Table, or its metadata. */
export function show(
  engine: Engine,
  { request, def }: Scope,
  { status, object }: { status: number; object: KubeObject },
): ApiResponse {
  const accepted = negotiate(request.headers['accept']);
  switch (accepted.view) {
    case 'Table':
      return respond(
        status,
        table(def, [object], {
          version: accepted.viewVersion,
          includeObject: includeObject(request.query),
          now: engine.now(),
          metadata:
            object.metadata.resourceVersion === undefined
              ? {}
              : { resourceVersion: object.metadata.resourceVersion },
        }),
        accepted.format,
      );
    case 'PartialObjectMetadataList':
      throw notAcceptable(
        `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(def)})`,
      );
    case 'PartialObjectMetadata':
      return respond(status, partialMetadata(def, object, accepted.viewVersion), accepted.format);
    default:
      return respond(status, object, accepted.format);
  }
}
