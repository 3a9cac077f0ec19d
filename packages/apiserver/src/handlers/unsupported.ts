import { StatusError, unsupportedMediaType } from '@flotilla/machinery';

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
export function patchTypeUnsupported(def?: { readonly builtIn: boolean }): StatusError {
  if (def?.builtIn === false) {
    return unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  }
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}
