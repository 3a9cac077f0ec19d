import {
  at,
  type FieldError,
  invalid,
  isQualifiedName,
  type KubeObject,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from './cells.ts';

/** The label every namespace carries, so that selectors can name it. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

/** The finalizer the namespace controller removes once the namespace is empty. */
const KUBERNETES_FINALIZER = 'kubernetes';

const standardFinalizers = new Set([KUBERNETES_FINALIZER, 'orphan', 'foregroundDeletion']);

/** A namespace as the type tables decode it. */
export interface Namespace extends KubeObject {
  spec: { finalizers?: string[] };
  status: { phase?: string; conditions?: unknown[] };
}

/**
 * Names the namespace in its own label. A namespace from generateName has no name when
 * defaults run, so it is done once more when the name is known.
 */
export function labelNamespace(namespace: KubeObject): void {
  const { metadata } = namespace;
  if (metadata.name === undefined || metadata.name === '') return;
  metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
}

/** What namespaces do: a phase, finalizers in their spec, and a label with their name. */
export const namespace: KindBehaviour<Namespace> = {
  nameRule: 'label',
  defaults: (object) => {
    labelNamespace(object);
    object.status.phase ||= 'Active';
  },
  prepareForCreate: (object) => {
    // A name from generateName is known only now.
    labelNamespace(object);
    object.status = { phase: 'Active' };
    const finalizers = object.spec.finalizers ?? [];
    if (!finalizers.includes(KUBERNETES_FINALIZER)) {
      object.spec.finalizers = [...finalizers, KUBERNETES_FINALIZER];
    }
  },
  prepareForUpdate: (object, old) => keepFinalizers(object, old),
  validate: (object) =>
    finalizers(object).flatMap((name) => validateFinalizer(name, 'spec.finalizers')),
  validateStatusUpdate: (object) => validatePhase(object),
  subresources: {
    finalize: {
      prepareForUpdate: (object, old) => {
        object.status = old.status;
      },
      validateUpdate: (object) =>
        finalizers(object).flatMap((name, index) =>
          validateFinalizer(name, at('spec.finalizers', index)),
        ),
    },
  },
  selectableFields: {
    'status.phase': (object) => object.status.phase ?? '',
  },
  cells: (object, { now }) => [nameCell(object), object.status.phase ?? '', age(object, now)],
};

function finalizers(object: Namespace): readonly string[] {
  return object.spec.finalizers ?? [];
}

function keepFinalizers(object: Namespace, old: Namespace): void {
  if (old.spec.finalizers === undefined) delete object.spec.finalizers;
  else object.spec.finalizers = old.spec.finalizers;
}

function validatePhase(object: Namespace): FieldError[] {
  const { phase = '' } = object.status;
  const terminating = object.metadata.deletionTimestamp !== undefined;
  if (phase === (terminating ? 'Terminating' : 'Active')) return [];
  const detail = terminating
    ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
    : "may only be 'Active' if `deletionTimestamp` is empty";
  return [invalid('status.Phase', phase, detail)];
}

function validateFinalizer(name: string, path: string): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalid(path, name, message));
  if (!name.includes('/') && !standardFinalizers.has(name)) {
    errors.push(
      invalid(path, name, 'name is neither a standard finalizer name nor is it fully qualified'),
    );
  }
  return errors;
}
