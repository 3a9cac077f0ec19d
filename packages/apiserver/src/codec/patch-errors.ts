import { badRequest, StatusError } from '@flotilla/machinery';
import { goPrint, goTypeOf } from './go-print.ts';

/** Patches whose form is wrong: 400. */
export const badFormat = {
  retainKeys: () => badRequest('invalid patch format of retainKeys'),
  setElementOrder: () => badRequest('invalid patch format of setElementOrder list'),
  primitiveList: () => badRequest('invalid patch format of primitive list'),
};

/** Lists of lists, which the format has no way to merge: 422. */
export function listOfLists(): StatusError {
  const message = 'the server rejected our request due to an error in our request';
  return new StatusError(422, 'Invalid', message, {});
}

/** What upstream leaves unclassified, and so answers with 500 and the bare text. */
export function patchFailure(message: string): StatusError {
  return new StatusError(500, '', message);
}

/** An item of a merging list without the key it is merged by. */
export function noMergeKey(item: unknown, key: string): StatusError {
  return patchFailure(`map: ${goPrint(item)} does not contain declared merge key: ${key}`);
}

/** A value of the wrong JSON type where the format demands another. */
export function badArgType(expected: 'object' | 'list', actual: unknown): StatusError {
  const wanted = goTypeOf(expected === 'list' ? [] : {});
  return patchFailure(`expected a ${wanted}, but received a ${goTypeOf(actual)}`);
}

/** A `$patch` directive that does not exist. */
export function badPatchType(directive: unknown, patch: unknown): StatusError {
  const shown = typeof directive === 'string' ? directive : goPrint(directive);
  return patchFailure(`unknown patch type: ${shown} in map: ${goPrint(patch)}`);
}
