import { StatusError } from '@flotilla/machinery';

/** Upstream's answer where a path exists and the method does not. */
export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    {},
  );
}

/** Upstream's answer to a patch of a type it does not know. */
export function patchTypeUnsupported(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}
