import { type FieldError, type KubeObject, notSupported, required } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';

interface Binding extends KubeObject {
  target: { kind?: string; name?: string };
}

/** The scheduler's decision: a pod and the node it goes to. It is acted on, never stored. */
export const binding: KindBehaviour<Binding> = {
  validate: ({ target }) => {
    const errors: FieldError[] = [];
    if (target.kind && target.kind !== 'Node') {
      errors.push(notSupported('target.kind', target.kind, ['Node', '<empty>']));
    }
    if (!target.name) errors.push(required('target.name'));
    return errors;
  },
};
