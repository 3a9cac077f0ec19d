import { type FieldError, invalid, isQualifiedName } from '@flotilla/machinery';

const HUGE_PAGES = 'hugepages-';
const REQUESTS_HUGE_PAGES = 'requests.hugepages-';

const integerResources = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const computeResources = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'requests.storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
];

const quotaResources = new Set([...computeResources, ...integerResources]);
const standardResources = new Set([...quotaResources, 'storage']);
const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** True for names without a domain, and those of kubernetes.io itself. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** True for huge pages of any size. */
export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** True for resources nodes advertise under a domain of their own. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

/** True for resources that come in whole pieces. */
export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name);
}

/** True for resources of which more may be promised than there is. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** True for the names quotas know without a domain. */
export function isStandardQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaHugePages(name);
}

/** The name of any resource. */
export function validateResourceName(name: string, path: string): FieldError[] {
  const errors = isQualifiedName(name).map((message) => invalid(path, name, message));
  if (errors.length > 0 || name.includes('/')) return errors;
  if (standardResources.has(name) || isQuotaHugePages(name)) return [];
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

/** The name of a resource containers can ask for. */
export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (!containerResources.has(name) && !isHugePages(name)) {
      errors.push(invalid(path, name, 'must be a standard resource for containers'));
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** The name of a resource quotas can limit. */
export function validateQuotaResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/') && !isStandardQuotaResource(name)) {
    errors.push(invalid(path, name, 'must be a standard resource for quota'));
  }
  return errors;
}

function isQuotaHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS_HUGE_PAGES);
}
