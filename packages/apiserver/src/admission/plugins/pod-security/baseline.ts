import type { Container, Handler } from '../../../kinds/workloads/container-types.ts';
import { visitContainers } from '../../../kinds/workloads/containers-of.ts';
import {
  type CheckPod,
  containersWhere,
  named,
  quoted,
  setters,
  shownAnnotation,
  sorted,
} from './checks.ts';

/** Containers keep /proc masked. */
export const procMount: CheckPod = ({ spec }) => {
  const types = new Set<string>();
  const bad = containersWhere(spec, ({ securityContext }) => {
    const type = securityContext?.procMount;
    if (type === undefined || type === 'Default') return false;
    types.add(type);
    return true;
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'procMount',
    detail: `${named('container', bad)} must not set securityContext.procMount to ${quoted(sorted(types))}`,
  };
};

/** No container has the run of the node. */
export const privileged: CheckPod = ({ spec }) => {
  const bad = containersWhere(spec, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${named('container', bad)} must not set securityContext.privileged=true`,
  };
};

/** The pod shares no namespace with the node. */
export const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name]);
  if (shared.length === 0) return undefined;
  return {
    reason: 'host namespaces',
    detail: shared.map((name) => `${name}=true`).join(', '),
  };
};

/** No part of the node's file system is mounted. */
export const hostPathVolumes: CheckPod = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath != null);
  if (bad.length === 0) return undefined;
  return {
    reason: 'hostPath volumes',
    detail: named(
      'volume',
      bad.map(({ name }) => name),
    ),
  };
};

/** No container takes a port of the node. */
export const hostPorts: CheckPod = ({ spec }) => {
  const ports = new Set<string>();
  const bad = containersWhere(spec, (container) => {
    const taken = (container.ports ?? []).filter(({ hostPort = 0 }) => hostPort !== 0);
    for (const { hostPort } of taken) ports.add(String(hostPort));
    return taken.length > 0;
  });
  if (bad.length === 0) return undefined;
  const use = bad.length === 1 ? 'uses' : 'use';
  const what = ports.size === 1 ? 'hostPort' : 'hostPorts';
  return {
    reason: 'hostPort',
    detail: `${named('container', bad)} ${use} ${what} ${sorted(ports).join(', ')}`,
  };
};

/** Probes and hooks reach for the pod alone. */
export const hostProbes: CheckPod = ({ spec }) => {
  const hosts = new Set<string>();
  const bad = containersWhere(spec, (container) => {
    const found = handlersOf(container)
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .filter((host) => host !== undefined && host !== '');
    for (const host of found) hosts.add(host ?? '');
    return found.length > 0;
  });
  if (bad.length === 0) return undefined;
  const use = new Set(bad).size === 1 ? 'uses' : 'use';
  return {
    reason: 'probe or lifecycle host',
    detail: `${named('container', sorted(bad))} ${use} ${named('probe or lifecycle host', sorted(hosts))}`,
  };
};

function handlersOf(container: Container): (Handler | undefined)[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop];
}

const DEFAULT_CAPABILITIES = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** Containers gain nothing beyond what runtimes give by default. */
export const capabilities: CheckPod = ({ spec }) => {
  const gained = new Set<string>();
  const bad = containersWhere(spec, ({ securityContext }) => {
    const added = (securityContext?.capabilities?.add ?? []).filter(
      (name) => !DEFAULT_CAPABILITIES.has(name),
    );
    for (const name of added) gained.add(name);
    return added.length > 0;
  });
  if (bad.length === 0) return undefined;
  return {
    reason: 'non-default capabilities',
    detail: `${named('container', bad)} must not include ${quoted(sorted(gained))} in securityContext.capabilities.add`,
  };
};

/** Windows containers are no processes of the node. */
export const windowsHostProcess: CheckPod = ({ spec }) => {
  const bad = setters(
    spec.securityContext?.windowsOptions?.hostProcess === true,
    containersWhere(
      spec,
      ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
    ),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'hostProcess',
    detail: `${bad.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

/** The runtime's AppArmor profile is not switched off. */
export const appArmorProfile: CheckPod = ({ annotations, spec }) => {
  const values = new Set<string>();
  const isBad = (profile: { type: string } | undefined): boolean => {
    if (profile == null || ['RuntimeDefault', 'Localhost'].includes(profile.type)) return false;
    values.add(profile.type);
    return true;
  };
  const bad = setters(
    isBad(spec.securityContext?.appArmorProfile),
    containersWhere(spec, ({ securityContext }) => isBad(securityContext?.appArmorProfile)),
  );
  const forbidden = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && !isFairProfile(value))
    .map(([key, value]) => shownAnnotation(key, value));
  if (forbidden.length > 0) bad.push(forbidden.length === 1 ? 'annotation' : 'annotations');
  if (bad.length === 0) return undefined;
  const shown = [...sorted(values), ...sorted(forbidden)];
  return {
    reason: `forbidden AppArmor ${shown.length === 1 ? 'profile' : 'profiles'}`,
    detail: `${bad.join(' and ')} must not set AppArmor profile type to ${quoted(shown)}`,
  };
};

function isFairProfile(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

/** SELinux keeps containers to the types made for them. */
export function seLinuxOptions(allowed: ReadonlySet<string>): CheckPod {
  return ({ spec }) => {
    const types = new Set<string>();
    let hasUser = false;
    let hasRole = false;
    const isBad = (options: Record<string, string> | undefined): boolean => {
      if (options == null) return false;
      const { type = '', user = '', role = '' } = options;
      if (!allowed.has(type)) types.add(type);
      hasUser ||= user !== '';
      hasRole ||= role !== '';
      return !allowed.has(type) || user !== '' || role !== '';
    };
    const bad = setters(
      isBad(spec.securityContext?.seLinuxOptions),
      containersWhere(spec, ({ securityContext }) => isBad(securityContext?.seLinuxOptions)),
    );
    if (bad.length === 0) return undefined;
    const wrong = [
      ...(types.size > 0 ? [named('type', sorted(types))] : []),
      ...(hasUser ? ['user may not be set'] : []),
      ...(hasRole ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${bad.join(' and ')} set forbidden securityContext.seLinuxOptions: ${wrong.join('; ')}`,
    };
  };
}

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before 1.19 seccomp was a matter of annotations. */
export const seccompAnnotations: CheckPod = ({ annotations, spec }) => {
  const keys = [
    SECCOMP_POD,
    ...visitContainers(spec).map(({ container }) => SECCOMP_CONTAINER + container.name),
  ];
  const forbidden = keys.flatMap((key) => {
    const value = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    return value === undefined || isFairSeccomp(value) ? [] : [shownAnnotation(key, value)];
  });
  if (forbidden.length === 0) return undefined;
  const shown = sorted(forbidden);
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${shown.length === 1 ? 'annotation' : 'annotations'} ${shown.join(', ')}`,
  };
};

function isFairSeccomp(value: string): boolean {
  return ['runtime/default', 'docker/default'].includes(value) || value.startsWith('localhost/');
}

/** True for profiles that confine. */
export function isConfining(type: string): boolean {
  return type === 'RuntimeDefault' || type === 'Localhost';
}

/** Seccomp is not switched off. */
export const seccompProfile: CheckPod = ({ spec }) => {
  const values = new Set<string>();
  const isBad = (profile: { type: string } | undefined): boolean => {
    if (profile == null || isConfining(profile.type)) return false;
    values.add(profile.type);
    return true;
  };
  const bad = setters(
    isBad(spec.securityContext?.seccompProfile),
    containersWhere(spec, ({ securityContext }) => isBad(securityContext?.seccompProfile)),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'seccompProfile',
    detail: `${bad.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted(sorted(values))}`,
  };
};

/** Only what the pod has to itself is tuned. */
export function sysctls(allowed: ReadonlySet<string>): CheckPod {
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).filter(({ name }) => !allowed.has(name));
    if (bad.length === 0) return undefined;
    return { reason: 'forbidden sysctls', detail: bad.map(({ name }) => name).join(', ') };
  };
}
