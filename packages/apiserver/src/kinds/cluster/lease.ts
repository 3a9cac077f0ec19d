import { type FieldError, invalid, type KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';

interface Lease extends KubeObject {
  spec: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    leaseTransitions?: number;
    strategy?: string;
    preferredHolder?: string;
  };
}

/** Who leads, and until when. Coordinated leader election is off, so its two fields are dropped. */
export const lease: KindBehaviour<Lease> = {
  createOnUpdate: true,
  unconditionalUpdate: false,
  prepareForCreate: ({ spec }) => {
    delete spec.strategy;
    delete spec.preferredHolder;
  },
  prepareForUpdate: ({ spec }, old) => {
    if (old.spec.strategy === undefined) delete spec.strategy;
    if (old.spec.preferredHolder === undefined) delete spec.preferredHolder;
  },
  validate,
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.holderIdentity ?? '',
    age(object, now),
  ],
};

function validate({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  const errors: FieldError[] = [];
  if (duration !== undefined && duration <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  if (transitions !== undefined && transitions < 0) {
    errors.push(
      invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'),
    );
  }
  return errors;
}
