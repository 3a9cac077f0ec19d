import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isValidPortName,
  isValidPortNum,
  notFoundField,
  notSupported,
  required,
  tooLong,
} from '@flotilla/machinery';
import type { Int64, List } from './api-values.ts';
import type { Container, ContainerPort } from './container-types.ts';
import { isRestartable } from './containers-of.ts';
import { envErrors, envFromErrors } from './env.ts';
import { deviceErrors, mountErrors } from './mounts.ts';
import type { PodOptions } from './pod-options.ts';
import type { PodSpec } from './pod-types.ts';
import { lifecycleErrors, probeErrors } from './probes.ts';
import { resourceErrors } from './resources.ts';
import { containerSecurityErrors } from './security.ts';
import { dnsLabelErrors, invalidEach, oneOf } from './support.ts';
import type { Volume } from './volume-types.ts';

/** What the checks of a container need to know of its pod. */
export interface ContainerContext {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: readonly string[];
  readonly options: PodOptions;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  readonly gracePeriod: Int64 | undefined;
  readonly os: string | undefined;
}

const MAX_RESTART_RULES = 20;
const MAX_EXIT_CODES = 255;

const protocols = ['SCTP', 'TCP', 'UDP'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const messagePolicies = ['File', 'FallbackToLogsOnError'];
const restartPolicies = ['Always', 'Never', 'OnFailure'];
const initOnly = 'may not be set for init containers without restartPolicy=Always';

// Fields of a container that an ephemeral container may not use, as upstream names them.
const notEphemeral = [
  ['ports', 'ports'],
  ['resources', 'resources'],
  ['resizePolicy', 'resizePolicy'],
  ['restartPolicy', 'restartPolicy'],
  ['restartPolicyRules', 'restartPolicyRules'],
  ['livenessProbe', 'livenessProbe'],
  ['readinessProbe', 'readinessProbe'],
  ['startupProbe', 'startupProbe'],
  ['lifecycle', 'lifecycle'],
] as const;

/** The containers proper. */
export function containersErrors(
  spec: PodSpec,
  path: string,
  context: ContainerContext,
): FieldError[] {
  const containers = spec.containers ?? [];
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const here = at(path, index);
    const found = commonErrors(container, here, context);
    if (names.has(container.name)) found.push(duplicate(child(here, 'name'), container.name));
    names.add(container.name);
    if (container.lifecycle) {
      found.push(...lifecycleErrors(container.lifecycle, child(here, 'lifecycle'), context));
    }
    found.push(...probeErrors(container, here, context));
    if (context.options.allowRestartRules) {
      found.push(...restartErrors(container, here));
    } else if (container.restartPolicy !== undefined) {
      const detail = 'may not be set for non-init containers';
      found.push(forbidden(child(here, 'restartPolicy'), detail));
    }
    return found;
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

/** Containers that run before the others; sidecars among them keep running. */
export function initContainersErrors(
  spec: PodSpec,
  path: string,
  context: ContainerContext,
): FieldError[] {
  const names = new Set((spec.containers ?? []).map((container) => container.name));
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const here = at(path, index);
    const errors = commonErrors(container, here, context);
    errors.push(...initRestartErrors(container, here, context.options));
    if (names.has(container.name)) errors.push(duplicate(child(here, 'name'), container.name));
    else if (container.name !== '') names.add(container.name);
    // Upstream looks at one init container at a time and so reports index 0.
    errors.push(...hostPortErrors([container], path));
    if (isRestartable(container)) {
      if (container.lifecycle) {
        errors.push(...lifecycleErrors(container.lifecycle, child(here, 'lifecycle'), context));
      }
      return [...errors, ...probeErrors(container, here, context)];
    }
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
      if (container[field]) errors.push(forbidden(child(here, field), initOnly));
    }
    return errors;
  });
}

/** Containers added to a running pod for debugging. */
export function ephemeralContainersErrors(
  spec: PodSpec,
  path: string,
  context: ContainerContext,
): FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map((each) => each.name),
  );
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const here = at(path, index);
    const errors = [
      ...commonErrors(container, here, context),
      ...imageSpaceErrors(container, here),
    ];
    if (names.has(container.name)) errors.push(duplicate(child(here, 'name'), container.name));
    names.add(container.name);
    const target = container.targetContainerName ?? '';
    if (target !== '' && !others.has(target)) {
      errors.push(notFoundField(child(here, 'targetContainerName'), target));
    }
    const detail = 'cannot be set for an Ephemeral Container';
    for (const [field, named] of notEphemeral) {
      if (!isEmpty(container[field])) errors.push(forbidden(child(here, named), detail));
    }
    (container.volumeMounts ?? []).forEach((mount, position) => {
      const mountPath = at(child(here, 'volumeMounts'), position);
      if (mount.subPath) errors.push(forbidden(child(mountPath, 'subPath'), detail));
      if (mount.subPathExpr) errors.push(forbidden(child(mountPath, 'subPathExpr'), detail));
    });
    return errors;
  });
}

/** Images of pods may not begin or end with blanks; templates are left alone for old data's sake. */
export function imageSpaceErrors(container: Container, path: string): FieldError[] {
  const image = container.image ?? '';
  if (image.trim() === image) return [];
  return [invalid(child(path, 'image'), image, 'must not have leading or trailing whitespace')];
}

function commonErrors(container: Container, path: string, context: ContainerContext): FieldError[] {
  const { name, image = '' } = container;
  const namePath = child(path, 'name');
  return [
    ...(name === '' ? [required(namePath)] : dnsLabelErrors(name, namePath)),
    ...(image === '' ? [required(child(path, 'image'))] : []),
    ...oneOf(
      child(path, 'terminationMessagePolicy'),
      container.terminationMessagePolicy,
      messagePolicies,
    ),
    ...portsErrors(container.ports, child(path, 'ports')),
    ...envErrors(container.env, child(path, 'env')),
    ...envFromErrors(container.envFrom, child(path, 'envFrom')),
    ...mountErrors(container, context.volumes, child(path, 'volumeMounts')),
    ...deviceErrors(container, context.volumes, child(path, 'volumeDevices')),
    ...oneOf(child(path, 'imagePullPolicy'), container.imagePullPolicy, pullPolicies),
    ...resourceErrors(container.resources, child(path, 'resources'), {
      ...context,
      level: 'container',
    }),
    ...resizePolicyErrors(container, child(path, 'resizePolicy'), context.restartPolicy),
    ...containerSecurityErrors(
      container.securityContext,
      child(path, 'securityContext'),
      context.hostUsers,
    ),
  ];
}

function portsErrors(ports: List<ContainerPort>, path: string): FieldError[] {
  const names = new Set<string>();
  return (ports ?? []).flatMap((port, index) => {
    const here = at(path, index);
    const { name = '', hostPort = 0, protocol = '' } = port;
    const errors: FieldError[] = [];
    if (name !== '') {
      const problems = isValidPortName(name);
      if (problems.length > 0) errors.push(...invalidEach(child(here, 'name'), name, problems));
      else if (names.has(name)) errors.push(duplicate(child(here, 'name'), name));
      else names.add(name);
    }
    const portPath = child(here, 'containerPort');
    if (port.containerPort === 0) errors.push(required(portPath));
    else {
      const problems = isValidPortNum(port.containerPort);
      errors.push(...invalidEach(portPath, port.containerPort, problems));
    }
    if (hostPort !== 0) {
      errors.push(...invalidEach(child(here, 'hostPort'), hostPort, isValidPortNum(hostPort)));
    }
    return [...errors, ...oneOf(child(here, 'protocol'), protocol, protocols)];
  });
}

function hostPortErrors(containers: readonly Container[], path: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, index) =>
    (container.ports ?? []).flatMap((port, position) => {
      if ((port.hostPort ?? 0) === 0) return [];
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      const below = child(at(child(at(path, index), 'ports'), position), 'hostPort');
      if (seen.has(key)) return [duplicate(below, key)];
      seen.add(key);
      return [];
    }),
  );
}

function resizePolicyErrors(
  container: Container,
  path: string,
  podRestartPolicy: string,
): FieldError[] {
  const seen = new Set<string>();
  return (container.resizePolicy ?? []).flatMap(({ resourceName, restartPolicy }, index) => {
    const errors: FieldError[] = [];
    if (seen.has(resourceName)) errors.push(duplicate(at(path, index), resourceName));
    seen.add(resourceName);
    errors.push(
      ...oneOf(path, resourceName, ['cpu', 'memory']),
      ...oneOf(path, restartPolicy, ['NotRequired', 'RestartContainer']),
    );
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, detail));
    }
    return errors;
  });
}

function initRestartErrors(container: Container, path: string, options: PodOptions): FieldError[] {
  const { restartPolicy } = container;
  if (restartPolicy === undefined) return [];
  if (restartPolicy === 'Always') {
    if (!options.allowRestartRules || (container.restartPolicyRules ?? []).length === 0) return [];
    const detail =
      'restartPolicyRules are not allowed for init containers with restart policy Always';
    return [forbidden(child(path, 'restartPolicyRules'), detail)];
  }
  return options.allowRestartRules
    ? restartErrors(container, path)
    : [notSupported(child(path, 'restartPolicy'), restartPolicy, ['Always'])];
}

function restartErrors(container: Container, path: string): FieldError[] {
  const { restartPolicy, restartPolicyRules: rules = [] } = container;
  const below = child(path, 'restartPolicy');
  const errors: FieldError[] = [];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(below, 'must specify restartPolicy when restart rules are used'));
  } else if (!restartPolicies.includes(restartPolicy)) {
    errors.push(notSupported(below, restartPolicy, restartPolicies));
  }
  const rulesPath = child(path, 'restartPolicyRules');
  if (rules.length > MAX_RESTART_RULES) errors.push(tooLong(rulesPath, '', MAX_RESTART_RULES));
  rules.forEach(({ action, exitCodes }, index) => {
    const here = at(rulesPath, index);
    if (action !== 'Restart') {
      errors.push(notSupported(child(here, 'action'), action, ['Restart']));
    }
    const codesPath = child(here, 'exitCodes');
    if (exitCodes === undefined) {
      errors.push(required(codesPath, 'must be specified'));
      return;
    }
    if (!['In', 'NotIn'].includes(exitCodes.operator)) {
      errors.push(notSupported(child(codesPath, 'operator'), exitCodes.operator, ['In', 'NotIn']));
    }
    if ((exitCodes.values ?? []).length > MAX_EXIT_CODES) {
      errors.push(tooLong(child(codesPath, 'values'), '', MAX_EXIT_CODES));
    }
  });
  return errors;
}

function isEmpty(value: unknown): boolean {
  if (value == null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
