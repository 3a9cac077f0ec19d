import type { DeleteOptions } from '../objects/delete-object.ts';
import type { Origin, Scope } from '../objects/engine.ts';

/** What admission may know of the request behind a write; a patch passes for an update, as it does upstream. */
export function originOf(
  { request }: Pick<Scope, 'request'>,
  kind: 'CreateOptions' | 'UpdateOptions',
): Origin {
  // Read only when something asks for it: most writes meet no webhook.
  return {
    get options() {
      const { query } = request;
      const dryRun = query.getAll('dryRun');
      return {
        kind,
        apiVersion: 'meta.k8s.io/v1',
        ...(dryRun.length === 0 ? {} : { dryRun }),
        ...text('fieldManager', query),
        ...text('fieldValidation', query),
      };
    },
    get signal() {
      return request.signal;
    },
  };
}

/** The same for a delete, whose options may have come in the body. */
export function originOfDelete(
  { request }: Pick<Scope, 'request'>,
  options: DeleteOptions,
): Origin {
  return {
    get options() {
      return { ...options, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
    },
    get signal() {
      return request.signal;
    },
  };
}

function text(name: string, query: URLSearchParams): Record<string, string> {
  const value = query.get(name) ?? '';
  return value === '' ? {} : { [name]: value };
}
