import {
  at,
  type FieldError,
  formatTime,
  goQuote,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  isValidPortNum,
  type KubeObject,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { base64Length } from '../core/base64.ts';
import { age, nameCell } from '../core/cells.ts';

const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;
const statuses = ['True', 'False', 'Unknown'];

interface APIServiceCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

interface APIService extends KubeObject {
  spec: {
    service?: { namespace?: string; name?: string; port?: number };
    group?: string;
    version?: string;
    insecureSkipTLSVerify?: boolean;
    caBundle?: string;
    groupPriorityMinimum: number;
    versionPriority: number;
  };
  status: { conditions?: APIServiceCondition[] };
}

/** Who serves one group version: this server, or a Service behind it. */
export const apiService: KindBehaviour<APIService> = {
  nameRule: 'path-segment',
  unconditionalUpdate: false,
  keepsStatusOnCreate: true,
  defaults: ({ spec }) => {
    if (spec.service !== undefined) spec.service.port ??= 443;
  },
  prepareForCreate: (object, { now }) => {
    object.status = {};
    if (object.spec.service !== undefined) return;
    object.status.conditions = [
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: formatTime(now()),
        reason: 'Local',
        message: 'Local APIServices are always available',
      },
    ];
  },
  validate,
  validateStatusUpdate: ({ status }) =>
    (status.conditions ?? []).flatMap((condition, index) =>
      statuses.includes(condition.status)
        ? []
        : [notSupported(`${at('status.conditions', index)}.status`, condition.status, statuses)],
    ),
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.service === undefined
      ? 'Local'
      : `${object.spec.service.namespace ?? ''}/${object.spec.service.name ?? ''}`,
    availability(object.status.conditions ?? []),
    age(object, now),
  ],
};

function validate({ metadata, spec }: APIService): FieldError[] {
  const { group = '', version = '', service, caBundle = '', insecureSkipTLSVerify = false } = spec;
  const errors: FieldError[] = [];
  const name = `${version}.${group}`;
  if (metadata.name !== name) {
    const detail = `must be \`spec.version+"."+spec.group\`: ${goQuote(name)}`;
    errors.push(invalid('metadata.name', metadata.name ?? '', detail));
  }
  if (group === '' && version !== 'v1') {
    const detail = 'only v1 may have an empty group and it better be legacy kube';
    errors.push(required('spec.group', detail));
  }
  for (const message of group === '' ? [] : isDNS1123Subdomain(group)) {
    errors.push(invalid('spec.group', group, message));
  }
  for (const message of isDNS1035Label(version)) {
    errors.push(invalid('spec.version', version, message));
  }
  if (spec.groupPriorityMinimum <= 0 || spec.groupPriorityMinimum > MAX_GROUP_PRIORITY) {
    const detail = `must be positive and less than ${MAX_GROUP_PRIORITY}`;
    errors.push(invalid('spec.groupPriorityMinimum', spec.groupPriorityMinimum, detail));
  }
  if (spec.versionPriority <= 0 || spec.versionPriority > MAX_VERSION_PRIORITY) {
    const detail = `must be positive and less than ${MAX_VERSION_PRIORITY}`;
    errors.push(invalid('spec.versionPriority', spec.versionPriority, detail));
  }
  if (service === undefined) {
    if (caBundle !== '') {
      const detail = 'local APIServices may not have a caBundle';
      errors.push(invalid('spec.caBundle', `${base64Length(caBundle)} bytes`, detail));
    }
    if (insecureSkipTLSVerify) {
      const detail = 'local APIServices may not have insecureSkipTLSVerify';
      errors.push(invalid('spec.insecureSkipTLSVerify', true, detail));
    }
    return errors;
  }
  if (!service.namespace) errors.push(required('spec.service.namespace'));
  if (!service.name) errors.push(required('spec.service.name'));
  const portMessages = isValidPortNum(service.port ?? 0);
  if (portMessages.length > 0) {
    const detail = `port is not valid: ${portMessages.join(', ')}`;
    errors.push(invalid('spec.service.port', service.port ?? 0, detail));
  }
  if (insecureSkipTLSVerify && caBundle !== '') {
    const detail = 'may not be true if caBundle is present';
    errors.push(invalid('spec.insecureSkipTLSVerify', true, detail));
  }
  return errors;
}

function availability(conditions: readonly APIServiceCondition[]): string {
  const condition = conditions.find(({ type }) => type === 'Available');
  if (condition === undefined) return 'Unknown';
  if (condition.status === 'True' || !condition.reason) return condition.status;
  return `${condition.status} (${condition.reason})`;
}
