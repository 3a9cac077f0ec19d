import type { ApiResponse } from '../http/exchange.ts';
import type { Engine, Scope } from '../objects/engine.ts';
import { isServable, type Stored } from '../objects/stored.ts';
import { negotiate } from './negotiate.ts';
import { jsonBytes } from './respond.ts';
import { show } from './show.ts';

/** The answer to a write: the stored bytes where they are what the client wants, else a view of the object. */
export function written(
  engine: Engine,
  scope: Scope,
  { status, stored }: { status: number; stored: Stored },
): ApiResponse {
  const accepted = negotiate(scope.request.headers['accept']);
  const asStored =
    stored.bytes.length > 0 &&
    accepted.view === 'object' &&
    accepted.format === 'json' &&
    isServable(scope.def, stored);
  if (asStored) return jsonBytes(status, stored.bytes);
  return show(engine, scope, { status, object: stored.object });
}
