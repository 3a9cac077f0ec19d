import {
  at,
  child,
  type FieldError,
  invalid,
  isConfigMapKey,
  isDNS1123Subdomain,
  isRelaxedEnvVarName,
  notSupported,
  required,
} from '@flotilla/machinery';
import { validatePathNoBacksteps } from '../core/volume-fields.ts';
import type { List } from './api-values.ts';
import type {
  EnvFromSource,
  EnvVar,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from './container-types.ts';
import { compareQuantityTexts } from './quantities.ts';
import { dnsLabelErrors, invalidEach, isSubdomainPrefix, qualifiedNameErrors } from './support.ts';

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const podFields = [
  'metadata.annotations',
  'metadata.labels',
  ...envFields,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const hugePagePrefixes = ['requests.hugepages-', 'limits.hugepages-'];

const byteDivisors = [
  '1',
  ...['1k', '1M', '1G', '1T', '1P', '1E'],
  ...['1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
];

/** Environment variables of a container. */
export function envErrors(vars: List<EnvVar>, path: string): FieldError[] {
  return (vars ?? []).flatMap((variable, index) => {
    const here = at(path, index);
    const namePath = child(here, 'name');
    return [
      ...(variable.name === ''
        ? [required(namePath)]
        : invalidEach(namePath, variable.name, isRelaxedEnvVarName(variable.name))),
      ...valueFromErrors(variable, child(here, 'valueFrom')),
    ];
  });
}

/** Objects whose keys become environment variables. */
export function envFromErrors(sources: List<EnvFromSource>, path: string): FieldError[] {
  return (sources ?? []).flatMap((source, index) => {
    const here = at(path, index);
    const prefix = source.prefix ?? '';
    const errors =
      prefix === '' ? [] : invalidEach(child(here, 'prefix'), prefix, isRelaxedEnvVarName(prefix));
    for (const field of ['configMapRef', 'secretRef'] as const) {
      const ref = source[field];
      if (ref === undefined) continue;
      const name = ref.name ?? '';
      const namePath = child(here, field, 'name');
      if (name === '') errors.push(required(namePath));
      else errors.push(...invalidEach(namePath, name, isSubdomainPrefix(name)));
    }
    // Upstream reports these at the list, not at the item.
    if (source.configMapRef === undefined && source.secretRef === undefined) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (source.configMapRef !== undefined && source.secretRef !== undefined) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

/** A reference to a field of the pod; `allowed` are the fields that make sense here. */
export function fieldSelectorErrors(
  selector: ObjectFieldSelector,
  allowed: readonly string[],
  path: string,
): FieldError[] {
  const { apiVersion = '', fieldPath } = selector;
  if (apiVersion === '') return [required(child(path, 'apiVersion'))];
  if (fieldPath === '') return [required(child(path, 'fieldPath'))];
  const below = child(path, 'fieldPath');
  const problem = fieldProblem(apiVersion, fieldPath);
  if (problem !== '') return [invalid(below, fieldPath, `error converting fieldPath: ${problem}`)];
  const subscripted = splitSubscript(fieldPath);
  if (subscripted !== undefined) {
    const { field, key } = subscripted;
    return qualifiedNameErrors(field === 'metadata.annotations' ? key.toLowerCase() : key, path);
  }
  const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  return allowed.includes(field) ? [] : [notSupported(below, field, allowed)];
}

/** A reference to a resource of a container; volumes must name the container. */
export function resourceSelectorErrors(
  selector: ResourceFieldSelector,
  path: string,
  inVolume: boolean,
): FieldError[] {
  const { resource } = selector;
  const errors: FieldError[] = [];
  if (inVolume && (selector.containerName ?? '') === '') {
    errors.push(required(child(path, 'containerName')));
  } else if (resource === '') {
    errors.push(required(child(path, 'resource')));
  } else if (!resourceFields.includes(resource) && !isHugePages(resource)) {
    errors.push(notSupported(child(path, 'resource'), resource, resourceFields));
  }
  return [...errors, ...divisorErrors(selector, child(path, 'divisor'))];
}

function valueFromErrors(variable: EnvVar, path: string): FieldError[] {
  const from = variable.valueFrom;
  if (from == null) return [];
  const errors: FieldError[] = [];
  let sources = 0;
  if (from.fieldRef) {
    sources++;
    errors.push(...fieldSelectorErrors(from.fieldRef, envFields, child(path, 'fieldRef')));
  }
  if (from.resourceFieldRef) {
    sources++;
    const below = child(path, 'resourceFieldRef');
    errors.push(...resourceSelectorErrors(from.resourceFieldRef, below, false));
  }
  for (const field of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const ref = from[field];
    if (!ref) continue;
    sources++;
    const name = ref.name ?? '';
    errors.push(...invalidEach(child(path, field, 'name'), name, isDNS1123Subdomain(name)));
    const keyPath = child(path, field, 'key');
    if (ref.key === '') errors.push(required(keyPath));
    else errors.push(...invalidEach(keyPath, ref.key, isConfigMapKey(ref.key)));
  }
  if (from.fileKeyRef) {
    sources++;
    errors.push(...fileKeyErrors(from.fileKeyRef, child(path, 'fileKeyRef')));
  }
  if (sources === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    errors.push(invalid(path, '', detail));
  } else if ((variable.value ?? '') !== '') {
    errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  } else if (sources > 1) {
    errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

function fileKeyErrors(
  ref: { volumeName: string; path: string; key: string },
  path: string,
): FieldError[] {
  return [
    ...(ref.key === ''
      ? [required(child(path, 'key'))]
      : invalidEach(child(path, 'key'), ref.key, isRelaxedEnvVarName(ref.key))),
    ...(ref.volumeName === ''
      ? [required(child(path, 'volumeName'))]
      : dnsLabelErrors(ref.volumeName, child(path, 'volumeName'))),
    ...(ref.path === ''
      ? [required(child(path, 'path'))]
      : validatePathNoBacksteps(ref.path, child(path, 'path'))),
  ];
}

function fieldProblem(apiVersion: string, fieldPath: string): string {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const subscripted = splitSubscript(fieldPath);
  if (subscripted !== undefined) {
    return ['metadata.annotations', 'metadata.labels'].includes(subscripted.field)
      ? ''
      : `field label does not support subscript: ${fieldPath}`;
  }
  return podFields.includes(fieldPath) || fieldPath === 'spec.host'
    ? ''
    : `field label not supported: ${fieldPath}`;
}

/** Splits `metadata.labels['key']`; a path without a quoted subscript is left alone. */
function splitSubscript(fieldPath: string): { field: string; key: string } | undefined {
  if (!fieldPath.endsWith("']")) return undefined;
  const body = fieldPath.slice(0, -2);
  const split = body.indexOf("['");
  if (split <= 0) return undefined;
  return { field: body.slice(0, split), key: body.slice(split + 2) };
}

function divisorErrors({ resource, divisor }: ResourceFieldSelector, path: string): FieldError[] {
  if (divisor === undefined || compareQuantityTexts(divisor, '0') === 0) return [];
  const refuse = (allowed: readonly string[], what: string) =>
    allowed.includes(divisor)
      ? []
      : [invalid(path, resource, `only divisor's values ${what} resource`)];
  const bytes = (name: string) =>
    `1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ${name}`;
  if (resource === 'limits.cpu' || resource === 'requests.cpu') {
    return refuse(['1m', '1'], '1m and 1 are supported with the cpu');
  }
  if (resource === 'limits.memory' || resource === 'requests.memory') {
    return refuse(byteDivisors, bytes('memory'));
  }
  if (resource.endsWith('.ephemeral-storage')) {
    return refuse(byteDivisors, bytes('local ephemeral storage'));
  }
  return isHugePages(resource) ? refuse(byteDivisors, bytes('hugepages')) : [];
}

function isHugePages(resource: string): boolean {
  return hugePagePrefixes.some((prefix) => resource.startsWith(prefix));
}
