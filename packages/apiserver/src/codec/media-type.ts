import { unsupportedMediaType } from '@flotilla/machinery';

/** The encodings a request body may have. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** Media types of request bodies, in the order upstream lists them. */
export const bodyFormats: Readonly<Record<string, BodyFormat>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
};

const MEDIA_TYPE = /^\s*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)\s*(?:;.*)?$/s;

/** The encoding a Content-Type names; none means JSON, and anything unknown is refused with 415. */
export function bodyFormat(contentType: string | undefined): BodyFormat {
  if (contentType === undefined || contentType === '') return 'json';
  const name = MEDIA_TYPE.exec(contentType)?.[1]?.toLowerCase() ?? '';
  const format = Object.hasOwn(bodyFormats, name) ? bodyFormats[name] : undefined;
  if (format !== undefined) return format;
  const accepted = Object.keys(bodyFormats).join(', ');
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  );
}
