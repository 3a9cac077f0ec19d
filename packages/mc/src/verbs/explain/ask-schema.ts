import { isRefusal, refusalOf } from '@flotilla/client';
import { getOwn, isJsonObject, isNotFound, type Json } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { FoundType } from './find-type.ts';
import { type SchemaDocument, schemaDocument } from './schema-document.ts';

/** The largest of Kubernetes' own has two. */
const MAX_BYTES = 64 << 20;

/** Which documents a server has, of OpenAPI v3; undefined when it has none, as before Kubernetes 1.24. */
export async function schemaIndex(member: Member): Promise<Json | undefined> {
  try {
    return await getDocument(member, '/openapi/v3');
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Where the schemas of a group version are; undefined when the server has no such version. */
export function schemaPath(
  { paths }: Json,
  { group, version }: Pick<FoundType, 'group' | 'version'>,
): string | undefined {
  const key = group === '' ? `api/${version}` : `apis/${group}/${version}`;
  const entry = isJsonObject(paths) ? getOwn(paths, key) : undefined;
  if (!isJsonObject(entry)) return undefined;
  const url = entry['serverRelativeURL'];
  // Nowhere but on this server.
  if (typeof url !== 'string' || !/^\/(?!\/)/.test(url)) {
    throw new TypeError(`its OpenAPI index leads to no path of its own for ${key}`);
  }
  return url;
}

/** The schemas at a path that `schemaPath` found. */
export async function askSchema(member: Member, path: string): Promise<SchemaDocument> {
  return schemaDocument(await getDocument(member, path));
}

/** An OpenAPI document. Read natively: they are large, and their numbers are no one's. */
export async function getDocument({ transport, signal }: Member, path: string): Promise<Json> {
  const headers = { accept: 'application/json' };
  const answer = await transport.send({
    method: 'GET',
    path,
    headers,
    signal,
    maxBytes: MAX_BYTES,
  });
  if (isRefusal(answer.status)) throw refusalOf(answer, { method: 'GET' });
  const value: unknown = JSON.parse(answer.body.toString());
  if (!isJsonObject(value)) throw new TypeError('its OpenAPI document is no object');
  return value;
}
