import { respond } from '../handlers/respond.ts';
import type { ApiResponse } from '../http/exchange.ts';

/** A bare "done", as binding and eviction answer. */
export function success(code: number): ApiResponse {
  return respond(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code });
}
