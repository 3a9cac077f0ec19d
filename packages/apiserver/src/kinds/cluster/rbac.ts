import {
  at,
  child,
  deepEqual,
  type FieldError,
  hasInvalidLabelValue,
  invalid,
  isDNS1123Subdomain,
  isPathSegmentName,
  type KubeObject,
  type LabelSelector,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { Cell, KindBehaviour } from '../behaviour.ts';
import { age, nameAndCreation, nameCell } from '../core/cells.ts';

/** The group that roles, and users and groups as subjects, belong to. */
const GROUP = 'rbac.authorization.k8s.io';

interface PolicyRule {
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}

interface Subject {
  kind: string;
  apiGroup?: string;
  name: string;
  namespace?: string;
}

interface Role extends KubeObject {
  rules: PolicyRule[] | null;
}

interface ClusterRole extends Role {
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] };
}

interface Binding extends KubeObject {
  subjects?: Subject[];
  roleRef: { apiGroup: string; kind: string; name: string };
}

/** What may be done inside one namespace. On update upstream checks roles and bindings twice, as clients see. */
export const role: KindBehaviour<Role> = {
  nameRule: isRbacName,
  createOnUpdate: true,
  validate: ({ rules }) => validateRules(rules ?? [], true),
  validateUpdate: ({ rules }) => validateRules(rules ?? [], true),
  cells: nameAndCreation,
};

/** What may be done anywhere, or outside of namespaces; may gather the rules of others. */
export const clusterRole: KindBehaviour<ClusterRole> = {
  nameRule: isRbacName,
  createOnUpdate: true,
  validate: (object) => validateClusterRole(object, false),
  validateOnUpdate: false,
  validateUpdate: (object, old) => {
    const tolerant = (old.aggregationRule?.clusterRoleSelectors ?? []).some(hasInvalidLabelValue);
    const errors = validateClusterRole(object, tolerant);
    return [...errors, ...errors];
  },
  cells: nameAndCreation,
};

/** Who has a role inside one namespace. */
export const roleBinding = binding(true);

/** Who has a ClusterRole everywhere. */
export const clusterRoleBinding = binding(false);

function binding(namespaced: boolean): KindBehaviour<Binding> {
  return {
    nameRule: isRbacName,
    createOnUpdate: true,
    defaults: (object) => {
      object.roleRef.apiGroup ||= GROUP;
      for (const subject of object.subjects ?? []) {
        if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
      }
    },
    validate: (object) => validateBinding(object, namespaced),
    validateUpdate: (object, old) => {
      const errors = validateBinding(object, namespaced);
      if (!deepEqual(object.roleRef, old.roleRef)) {
        errors.push(invalid('roleRef', shownRoleRef(object), 'cannot change roleRef'));
      }
      return errors;
    },
    cells: bindingCells,
  };
}

function isRbacName(name: string): string[] {
  return isPathSegmentName(name);
}

function validateRules(rules: readonly PolicyRule[], namespaced: boolean): FieldError[] {
  return rules.flatMap((rule, index) => validateRule(rule, namespaced, at('rules', index)));
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!rule.verbs?.length) {
    errors.push(required(child(path, 'verbs'), 'verbs must contain at least one value'));
  }
  const urlsPath = child(path, 'nonResourceURLs');
  if (nonResourceURLs.length > 0) {
    if (namespaced) {
      const detail = 'namespaced rules cannot apply to non-resource URLs';
      errors.push(invalid(urlsPath, nonResourceURLs, detail));
    }
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      const detail = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.push(invalid(urlsPath, nonResourceURLs, detail));
    }
    return errors;
  }
  if (apiGroups.length === 0) {
    const detail = 'resource rules must supply at least one api group';
    errors.push(required(child(path, 'apiGroups'), detail));
  }
  if (resources.length === 0) {
    const detail = 'resource rules must supply at least one resource';
    errors.push(required(child(path, 'resources'), detail));
  }
  return errors;
}

function validateClusterRole(object: ClusterRole, allowInvalidValues: boolean): FieldError[] {
  const errors = validateRules(object.rules ?? [], false);
  if (object.aggregationRule === undefined) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = object.aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    const detail = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    errors.push(required(path, detail));
  }
  for (const [index, selector] of selectors.entries()) {
    const options = { allowInvalidLabelValueInSelector: allowInvalidValues };
    const problems = validateLabelSelector(selector, options, at(path, index));
    errors.push(...problems);
    // Upstream tries to use the selector as well, and shows the one it failed to make.
    if (problems.length > 0) errors.push(invalid(at(path, index), null, 'invalid label selector.'));
  }
  return errors;
}

function validateBinding({ roleRef, subjects = [] }: Binding, namespaced: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (roleRef.apiGroup !== GROUP) {
    errors.push(notSupported('roleRef.apiGroup', roleRef.apiGroup, [GROUP]));
  }
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(roleRef.kind)) {
    errors.push(notSupported('roleRef.kind', roleRef.kind, kinds));
  }
  if (roleRef.name === '') errors.push(required('roleRef.name'));
  for (const message of roleRef.name === '' ? [] : isPathSegmentName(roleRef.name)) {
    errors.push(invalid('roleRef.name', roleRef.name, message));
  }
  for (const [index, subject] of subjects.entries()) {
    errors.push(...validateSubject(subject, namespaced, at('subjects', index)));
  }
  return errors;
}

function validateSubject(subject: Subject, namespaced: boolean, path: string): FieldError[] {
  const { kind, name, apiGroup = '', namespace = '' } = subject;
  const errors: FieldError[] = name === '' ? [required(child(path, 'name'))] : [];
  const groupPath = child(path, 'apiGroup');
  switch (kind) {
    case 'ServiceAccount':
      for (const message of name === '' ? [] : isDNS1123Subdomain(name)) {
        errors.push(invalid(child(path, 'name'), name, message));
      }
      if (apiGroup !== '') errors.push(notSupported(groupPath, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(child(path, 'namespace')));
      return errors;
    case 'User':
    case 'Group':
      return apiGroup === GROUP ? errors : [...errors, notSupported(groupPath, apiGroup, [GROUP])];
    default: {
      const kinds = ['ServiceAccount', 'User', 'Group'];
      return [...errors, notSupported(child(path, 'kind'), kind, kinds)];
    }
  }
}

/** The reference as upstream's internal type prints it. */
function shownRoleRef({ roleRef }: Binding): unknown {
  return { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name };
}

function bindingCells(object: Binding, { now }: { now: Date }): Cell[] {
  const subjects = object.subjects ?? [];
  const names = (kind: string) =>
    subjects.filter((subject) => subject.kind === kind).map(({ name }) => name);
  const accounts = subjects
    .filter(({ kind }) => kind === 'ServiceAccount')
    .map(({ namespace = '', name }) => `${namespace}/${name}`);
  return [
    nameCell(object),
    `${object.roleRef.kind}/${object.roleRef.name}`,
    age(object, now),
    names('User').join(', '),
    names('Group').join(', '),
    accounts.join(', '),
  ];
}
