import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Label,
  type KubeObject,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSLabel, validateDNSSubdomain } from '../core/fields.ts';
import { type FlowCondition, validateFlowConditions } from './flow-conditions.ts';

const DEFAULT_PRECEDENCE = 1000;
const MAX_PRECEDENCE = 10_000;

const distinguishers = ['ByNamespace', 'ByUser'];
const subjectKinds = ['Group', 'ServiceAccount', 'User'];
const verbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];

interface FlowSubject {
  kind: string;
  user?: { name: string };
  group?: { name: string };
  serviceAccount?: { namespace: string; name: string };
}

interface ResourceRule {
  verbs: string[] | null;
  apiGroups: string[] | null;
  resources: string[] | null;
  clusterScope?: boolean;
  namespaces: string[] | null;
}

interface FlowRule {
  subjects: FlowSubject[] | null;
  resourceRules?: ResourceRule[];
  nonResourceRules?: { verbs: string[] | null; nonResourceURLs: string[] | null }[];
}

interface FlowSchema extends KubeObject {
  spec: {
    priorityLevelConfiguration: { name: string };
    matchingPrecedence: number;
    distinguisherMethod?: { type: string };
    rules?: FlowRule[];
  };
  status: { conditions?: FlowCondition[] };
}

/** Which requests belong to which priority level. */
export const flowSchema: KindBehaviour<FlowSchema> = {
  keepsMetadataOnStatus: true,
  generation: 'spec',
  defaults: ({ spec }) => {
    spec.matchingPrecedence ||= DEFAULT_PRECEDENCE;
  },
  validate: (object) => [
    ...validateSpec(object),
    ...validateFlowConditions(object.status.conditions),
  ],
  validateStatusUpdate: ({ status }) => validateFlowConditions(status.conditions),
  cells: (object, { now }) => {
    const { spec, status } = object;
    const dangling = (status.conditions ?? []).find(({ type }) => type === 'Dangling');
    return [
      nameCell(object),
      spec.priorityLevelConfiguration.name,
      spec.matchingPrecedence,
      spec.distinguisherMethod?.type ?? '<none>',
      age(object, now),
      dangling?.status ?? '?',
    ];
  },
};

function validateSpec({ metadata, spec }: FlowSchema): FieldError[] {
  const { matchingPrecedence: precedence, distinguisherMethod, priorityLevelConfiguration } = spec;
  const path = 'spec.matchingPrecedence';
  const errors: FieldError[] = [];
  if (precedence <= 0) errors.push(invalid(path, precedence, 'must be a positive value'));
  if (precedence > MAX_PRECEDENCE) {
    errors.push(invalid(path, precedence, `must not be greater than ${MAX_PRECEDENCE}`));
  }
  if (precedence === 1 && metadata.name !== 'exempt') {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    errors.push(invalid(path, precedence, detail));
  }
  if (distinguisherMethod !== undefined && !distinguishers.includes(distinguisherMethod.type)) {
    const shown = { Type: distinguisherMethod.type };
    errors.push(notSupported('spec.distinguisherMethod.type', shown, distinguishers));
  }
  const levelPath = 'spec.priorityLevelConfiguration.name';
  if (priorityLevelConfiguration.name === '') {
    errors.push(required(levelPath, 'must reference a priority level'));
  } else errors.push(...validateDNSSubdomain(priorityLevelConfiguration.name, levelPath));
  for (const [index, rule] of (spec.rules ?? []).entries()) {
    errors.push(...validateRule(rule, at('spec.rules', index)));
  }
  return errors;
}

function validateRule(rule: FlowRule, path: string): FieldError[] {
  const { resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = rule.subjects ?? [];
  const errors = subjects.flatMap((subject, index) =>
    validateSubject(subject, at(child(path, 'subjects'), index)),
  );
  if (subjects.length === 0) {
    errors.push(required(child(path, 'subjects'), 'subjects must contain at least one value'));
  }
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    const detail = 'at least one of resourceRules and nonResourceRules has to be non-empty';
    errors.push(required(path, detail));
  }
  for (const [index, resourceRule] of resourceRules.entries()) {
    errors.push(...validateResourceRule(resourceRule, at(child(path, 'resourceRules'), index)));
  }
  for (const [index, { verbs: asked, nonResourceURLs }] of nonResourceRules.entries()) {
    const rulePath = at(child(path, 'nonResourceRules'), index);
    errors.push(
      ...validateVerbs(asked ?? [], child(rulePath, 'verbs')),
      ...validateUrls(nonResourceURLs ?? [], child(rulePath, 'nonResourceURLs')),
    );
  }
  return errors;
}

const subjectFields = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const;

function validateSubject(subject: FlowSubject, path: string): FieldError[] {
  if (!subjectKinds.includes(subject.kind)) {
    return [notSupported(child(path, 'kind'), subject.kind, subjectKinds)];
  }
  const errors: FieldError[] = [];
  for (const [kind, field] of subjectFields) {
    if (kind !== subject.kind) continue;
    if (subject[field] === undefined) {
      const detail = `${field} is required when subject kind is '${kind}'`;
      errors.push(required(child(path, field), detail));
    } else if (field === 'serviceAccount') {
      errors.push(...validateAccount(subject.serviceAccount, child(path, field)));
    } else if (subject[field].name === '') errors.push(required(child(path, field, 'name')));
  }
  for (const [kind, field] of subjectFields) {
    if (kind === subject.kind || subject[field] === undefined) continue;
    const detail = `${field} is forbidden when subject kind is not '${kind}'`;
    errors.push(forbidden(child(path, field), detail));
  }
  return errors;
}

function validateAccount(account: FlowSubject['serviceAccount'], path: string): FieldError[] {
  const { name = '', namespace = '' } = account ?? {};
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(child(path, 'name')));
  else if (name !== '*') errors.push(...validateDNSSubdomain(name, child(path, 'name')));
  if (namespace === '') {
    const detail = 'must specify namespace for service account';
    errors.push(required(child(path, 'namespace'), detail));
  } else errors.push(...validateDNSLabel(namespace, child(path, 'namespace')));
  return errors;
}

function validateVerbs(asked: readonly string[], path: string): FieldError[] {
  if (asked.length === 0) return [required(path, 'verbs must contain at least one value')];
  if (asked.includes('*')) return validateWildcard(asked, 'verbs', path);
  return asked.every((verb) => verbs.includes(verb)) ? [] : [notSupported(path, asked, verbs)];
}

function validateWildcard(values: readonly string[], what: string, path: string): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return [];
  return [invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function validateUrls(urls: readonly string[], path: string): FieldError[] {
  if (urls.length === 0) {
    return [required(path, 'nonResourceURLs must contain at least one value')];
  }
  if (urls.includes('*')) return validateWildcard(urls, 'non-resource URLs', path);
  return urls.flatMap((url, index) => {
    const problem = urlProblem(url);
    return problem === undefined ? [] : [invalid(at(path, index), url, problem)];
  });
}

function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}

function validateResourceRule(rule: ResourceRule, path: string): FieldError[] {
  const { clusterScope = false } = rule;
  const namespaces = rule.namespaces ?? [];
  const apiGroups = rule.apiGroups ?? [];
  const resources = rule.resources ?? [];
  const errors = validateVerbs(rule.verbs ?? [], child(path, 'verbs'));
  if (apiGroups.length === 0) {
    const detail = 'resource rules must supply at least one api group';
    errors.push(required(child(path, 'apiGroups'), detail));
  } else errors.push(...validateWildcard(apiGroups, 'api groups', child(path, 'apiGroups')));
  if (resources.length === 0) {
    const detail = 'resource rules must supply at least one resource';
    errors.push(required(child(path, 'resources'), detail));
  } else errors.push(...validateWildcard(resources, 'resources', child(path, 'resources')));
  const namespacesPath = child(path, 'namespaces');
  if (namespaces.length === 0 && !clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    errors.push(required(namespacesPath, detail));
  } else if (namespaces.includes('*')) {
    errors.push(...validateWildcard(namespaces, 'namespaces', namespacesPath));
  } else {
    for (const [index, namespace] of namespaces.entries()) {
      for (const message of isDNS1123Label(namespace)) {
        const detail = `each member of this list must be '*' or a DNS-1123 label; ${message}`;
        errors.push(invalid(at(namespacesPath, index), namespace, detail));
      }
    }
  }
  return errors;
}
