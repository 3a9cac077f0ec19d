import { forbiddenError, type StatusError } from '@flotilla/machinery';
import type { Admission } from '../objects/engine.ts';
import { groupResource } from '../resources/resource.ts';

/** Upstream's refusal by an admission plug-in; an object that has no name yet goes by what it will begin with. */
export function refuse(admission: Admission, detail: string): StatusError {
  return forbiddenError(groupResource(admission.def), nameOf(admission), detail);
}

function nameOf({ name, object }: Admission): string {
  if (name !== '') return name;
  const { name: own = '', generateName = '' } = object?.metadata ?? {};
  return own || generateName || 'Unknown';
}
