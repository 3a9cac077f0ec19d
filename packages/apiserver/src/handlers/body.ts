import type { KubeObject } from '@flotilla/machinery';
import { decodeBody } from '../codec/decode.ts';
import type { Scope } from '../objects/engine.ts';

/** Upstream's limit on a request body. */
export const MAX_BODY = 3 * 1024 * 1024;

/** Reads and decodes the object a request carries; warnings go to the scope. */
export async function readObject(
  scope: Scope,
  options: { fieldValidation: 'Ignore' | 'Warn' | 'Strict'; kind?: Kind },
): Promise<KubeObject> {
  const { request, def } = scope;
  const body = await request.body(MAX_BODY);
  if (def.readBody !== undefined && options.kind === undefined) {
    const contentType = request.headers['content-type'] ?? '';
    const read = def.readBody({ contentType, body, fieldValidation: options.fieldValidation });
    scope.warnings.push(...read.warnings);
    return read.object;
  }
  const kind = options.kind ?? { group: def.group, version: def.version, kind: def.kind };
  const decoded = decodeBody({
    contentType: request.headers['content-type'] ?? '',
    body,
    expected: kind,
    fieldValidation: options.fieldValidation,
  });
  scope.warnings.push(...decoded.warnings);
  return decoded.object;
}

/** A kind with its group and version. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}
