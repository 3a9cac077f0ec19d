import {
  byteLength,
  child,
  type FieldError,
  forbidden,
  type KubeObject,
  notSupported,
  required,
  tooLong,
  validateDomainPrefixedPath,
  validateImmutable,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSLabel, validateDNSSubdomain, validatePathSegment } from '../core/fields.ts';

const MAX_CONTROLLER_BYTES = 250;
const scopes = ['Cluster', 'Namespace'];

/** A reference to an object of any kind near by. */
export interface TypedLocalReference {
  apiGroup?: string | null;
  kind: string;
  name: string;
}

interface IngressClass extends KubeObject {
  spec: {
    controller?: string;
    parameters?: TypedLocalReference & { scope?: string; namespace?: string };
  };
}

/** Which controller serves an Ingress, and with what settings. */
export const ingressClass: KindBehaviour<IngressClass> = {
  generation: 'spec',
  defaults: ({ spec }) => {
    if (spec.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
  },
  validate,
  validateOnUpdate: false,
  validateUpdate: (object, old) => [
    ...validateImmutable(
      object.spec.controller ?? '',
      old.spec.controller ?? '',
      'spec.controller',
    ),
    ...validate(object),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.controller ?? '',
    parametersCell(object.spec.parameters),
    age(object, now),
  ],
};

/** Group, kind and name of a reference. */
export function validateTypedLocalReference(
  reference: TypedLocalReference,
  path: string,
): FieldError[] {
  const { apiGroup, kind, name } = reference;
  return [
    ...(typeof apiGroup === 'string'
      ? validateDNSSubdomain(apiGroup, child(path, 'apiGroup'))
      : []),
    ...validateRequiredSegment(kind, child(path, 'kind')),
    ...validateRequiredSegment(name, child(path, 'name')),
  ];
}

/** A text that must be set and fit into one segment of a request path. */
export function validateRequiredSegment(text: string, path: string): FieldError[] {
  return text === '' ? [required(path)] : validatePathSegment(text, path);
}

function validate({ spec }: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec;
  const errors: FieldError[] = [];
  if (byteLength(controller) > MAX_CONTROLLER_BYTES) {
    errors.push(tooLong('spec.controller', '', MAX_CONTROLLER_BYTES));
  }
  errors.push(...validateDomainPrefixedPath(controller, 'spec.controller'));
  if (parameters === undefined) return errors;
  const path = 'spec.parameters';
  errors.push(...validateTypedLocalReference(parameters, path));
  const { scope, namespace } = parameters;
  const namespacePath = child(path, 'namespace');
  if (scope === undefined) errors.push(required(child(path, 'scope')));
  else if (!scopes.includes(scope)) errors.push(notSupported(child(path, 'scope'), scope, scopes));
  else if (scope === 'Cluster') {
    if (namespace !== undefined) {
      errors.push(forbidden(namespacePath, "`parameters.scope` is set to 'Cluster'"));
    }
  } else if (namespace === undefined) {
    errors.push(required(namespacePath, "`parameters.scope` is set to 'Namespace'"));
  } else errors.push(...validateDNSLabel(namespace, namespacePath));
  return errors;
}

function parametersCell(parameters: TypedLocalReference | undefined): string {
  if (parameters === undefined) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return `${typeof apiGroup === 'string' ? `${kind}.${apiGroup}` : kind}/${name}`;
}
