import { boolType, listType, mapType, stringType } from '../types.ts';
import { ValueList } from '../values/lists.ts';
import { ValueMap } from '../values/maps.ts';
import { CelFault, CelOpaque, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';
import {
  escapedPath,
  type GoUrl,
  parseRequestUri,
  parseUrl,
  queryValues,
  splitHost,
  UrlError,
  urlText,
} from './go-url.ts';
import { urlType } from './opaque-types.ts';

/** A URL. */
export class CelUrl extends CelOpaque {
  readonly typeName = 'kubernetes.URL';
  readonly url: GoUrl;

  constructor(url: GoUrl) {
    super();
    this.url = url;
  }

  equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && urlText(this.url) === urlText(other.url);
  }
}

function read(text: string): CelUrl | CelFault {
  try {
    parseRequestUri(text);
    return new CelUrl(parseUrl(text));
  } catch (err) {
    if (!(err instanceof UrlError)) throw err;
    return new CelFault(`URL parse error during conversion from string: ${err.message}`);
  }
}

function isUrl(text: string): boolean {
  try {
    parseRequestUri(text);
    return true;
  } catch (err) {
    if (!(err instanceof UrlError)) throw err;
    return false;
  }
}

function query({ url }: CelUrl): CelValue {
  const map = new ValueMap();
  for (const [name, values] of queryValues(url.rawQuery)) map.set(name, new ValueList(values));
  return map;
}

const part = (name: string, id: string, call: (url: GoUrl) => string): FunctionDecl =>
  define(
    name,
    member(id, { args: [urlType], result: stringType, call: ({ url }: CelUrl) => call(url) }),
  );

/** Kubernetes' URL library. */
export const urlFunctions: readonly FunctionDecl[] = [
  define('url', global('string_to_url', { args: [stringType], result: urlType, call: read })),
  define('isURL', global('is_url_string', { args: [stringType], result: boolType, call: isUrl })),
  part('getScheme', 'url_get_scheme', (url) => url.scheme),
  part('getHost', 'url_get_host', (url) => url.host),
  part('getHostname', 'url_get_hostname', (url) => splitHost(url.host).hostname),
  part('getPort', 'url_get_port', (url) => splitHost(url.host).port),
  part('getEscapedPath', 'url_get_escaped_path', escapedPath),
  define(
    'getQuery',
    member('url_get_query', {
      args: [urlType],
      result: mapType(stringType, listType(stringType)),
      call: query,
    }),
  ),
];
