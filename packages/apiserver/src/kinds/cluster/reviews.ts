import {
  at,
  child,
  type FieldError,
  invalid,
  type KubeObject,
  required,
  validateLabelName,
  validateOperator,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';

/** The shortest a token may be asked for: ten minutes. */
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const DEFAULT_TOKEN_SECONDS = 3600;

interface Requirement {
  key: string;
  operator: string;
  values?: string[];
}

interface SelectorAttributes {
  rawSelector?: string;
  requirements?: Requirement[];
}

interface ResourceAttributes {
  namespace?: string;
  fieldSelector?: SelectorAttributes;
  labelSelector?: SelectorAttributes;
}

interface AccessReview extends KubeObject {
  spec: {
    resourceAttributes?: ResourceAttributes;
    nonResourceAttributes?: { path?: string; verb?: string };
    user?: string;
    groups?: string[];
  };
}

interface TokenRequest extends KubeObject {
  spec: { expirationSeconds?: number | bigint };
}

/** May someone do something? */
export const subjectAccessReview: KindBehaviour<AccessReview> = {
  validate: (object) => [
    ...validateSubject(object),
    ...validateMetadata(object, { namespace: false }),
  ],
};

/** May the caller do something? */
export const selfSubjectAccessReview: KindBehaviour<AccessReview> = {
  validate: (object) => [
    ...validateAttributes(object, []),
    ...validateMetadata(object, { namespace: false }),
  ],
};

/** May someone do something in this namespace? */
export const localSubjectAccessReview: KindBehaviour<AccessReview> = {
  validate: (object) => {
    const { resourceAttributes, nonResourceAttributes } = object.spec;
    const namespace = resourceAttributes?.namespace ?? '';
    const errors = [...validateSubject(object), ...validateMetadata(object, { namespace: true })];
    if (resourceAttributes !== undefined && namespace !== (object.metadata.namespace ?? '')) {
      const detail = 'must match metadata.namespace';
      errors.push(invalid('spec.resourceAttributes.namespace', namespace, detail));
    }
    if (nonResourceAttributes !== undefined) {
      const detail = 'disallowed on this kind of request';
      errors.push(invalid('spec.nonResourceAttributes', shownUrl(object), detail));
    }
    return errors;
  },
};

/** A token for a service account. */
export const tokenRequest: KindBehaviour<TokenRequest> = {
  defaults: ({ spec }) => {
    spec.expirationSeconds ??= DEFAULT_TOKEN_SECONDS;
  },
  validate: ({ spec: { expirationSeconds: seconds = 0 } }) => {
    const path = 'spec.expirationSeconds';
    if (seconds < MIN_TOKEN_SECONDS) {
      return [invalid(path, seconds, 'may not specify a duration less than 10 minutes')];
    }
    if (seconds > MAX_TOKEN_SECONDS) {
      return [invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds')];
    }
    return [];
  },
};

function validateSubject(object: AccessReview): FieldError[] {
  const { user = '', groups = [] } = object.spec;
  const named = user !== '' || groups.length > 0;
  const detail = 'at least one of user or group must be specified';
  return validateAttributes(object, named ? [] : [invalid('spec.user', user, detail)]);
}

/** Exactly one of the two kinds of attributes, then what the kind adds, then selectors. */
function validateAttributes(object: AccessReview, between: FieldError[]): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = object.spec;
  const errors: FieldError[] = [];
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', shownUrl(object), detail));
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalid('spec.resourceAttributes', null, detail));
  }
  errors.push(...between);
  if (resourceAttributes === undefined) return errors;
  const path = 'spec.resourceAttributes';
  return [
    ...errors,
    ...validateSelector(resourceAttributes.fieldSelector, child(path, 'fieldSelector'), 'field'),
    ...validateSelector(resourceAttributes.labelSelector, child(path, 'labelSelector'), 'label'),
  ];
}

function shownUrl({ spec: { nonResourceAttributes } }: AccessReview): unknown {
  return { Path: nonResourceAttributes?.path ?? '', Verb: nonResourceAttributes?.verb ?? '' };
}

function validateSelector(
  selector: SelectorAttributes | undefined,
  path: string,
  kind: 'field' | 'label',
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = '', requirements = [] } = selector;
  const errors: FieldError[] = [];
  if (rawSelector !== '' && requirements.length > 0) {
    const detail = 'may not specified at the same time as requirements';
    errors.push(invalid(child(path, 'rawSelector'), rawSelector, detail));
  }
  if (rawSelector === '' && requirements.length === 0) {
    const detail = `when ${path} is specified, requirements or rawSelector is required`;
    errors.push(required(child(path, 'requirements'), detail));
  }
  for (const [index, requirement] of requirements.entries()) {
    const itemPath = at(child(path, 'requirements'), index);
    const problem = validateOperator(requirement.operator, requirement.values ?? [], itemPath);
    // Operators from newer clients are let through; the authorizer treats them as no restriction.
    if (problem !== undefined && problem.type !== 'FieldValueInvalid') errors.push(problem);
    if (kind === 'label')
      errors.push(...validateLabelName(requirement.key, child(itemPath, 'key')));
    else if (requirement.key === '') {
      errors.push(required(child(itemPath, 'key'), 'must be specified'));
    }
  }
  return errors;
}

/** A review is no object: it has no metadata but, for some, the namespace it is about. */
function validateMetadata(object: AccessReview, allowed: { namespace: boolean }): FieldError[] {
  const { managedFields: _managed, creationTimestamp: _created, ...metadata } = object.metadata;
  if (allowed.namespace) delete metadata.namespace;
  const set = Object.values(metadata).some((value) => value !== undefined && value !== '');
  if (!set) return [];
  const detail = allowed.namespace ? 'must be empty except for namespace' : 'must be empty';
  return [invalid('metadata', object.metadata, detail)];
}
