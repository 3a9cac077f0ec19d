import type { ApiRequest } from '../http/exchange.ts';
import type { DeleteOptions } from '../objects/delete-object.ts';
import type { Origin, Scope } from '../objects/engine.ts';

const API_VERSION = 'meta.k8s.io/v1';

/** What admission may know of the request behind a write; a patch passes for an update, as it does upstream. */
export function originOf(
  { request }: Pick<Scope, 'request'>,
  kind: 'CreateOptions' | 'UpdateOptions',
): Origin {
  return new RequestOrigin(request, () => {
    const { query } = request;
    const dryRun = query.getAll('dryRun');
    return {
      kind,
      apiVersion: API_VERSION,
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...text('fieldManager', query),
      ...text('fieldValidation', query),
    };
  });
}

/** The same for a delete, whose options may have come in the body. */
export function originOfDelete(
  { request }: Pick<Scope, 'request'>,
  options: DeleteOptions,
): Origin {
  return new RequestOrigin(request, () => ({
    ...options,
    kind: 'DeleteOptions',
    apiVersion: API_VERSION,
  }));
}

/** Looks only when it is asked: most writes meet no webhook. */
class RequestOrigin implements Origin {
  readonly #request: ApiRequest;
  readonly #options: () => Origin['options'];

  constructor(request: ApiRequest, options: () => Origin['options']) {
    this.#request = request;
    this.#options = options;
  }

  get options(): Origin['options'] {
    return this.#options();
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}

function text(name: string, query: URLSearchParams): Record<string, string> {
  const value = query.get(name) ?? '';
  return value === '' ? {} : { [name]: value };
}
