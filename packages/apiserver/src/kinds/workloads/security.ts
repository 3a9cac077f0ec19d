import {
  at,
  byteLength,
  child,
  type FieldError,
  forbidden,
  invalid,
  isValidGroupID,
  isValidUserID,
  notSupported,
  required,
  tooLong,
} from '@flotilla/machinery';
import type { ConfinementProfile, SecurityContext } from './container-types.ts';
import { internalForm } from './internal-form.ts';
import { descendingPathErrors } from './paths.ts';
import type { PodOptions } from './pod-options.ts';
import type { PodSpec } from './pod-types.ts';
import { invalidEach } from './support.ts';
import { sysctlErrors } from './sysctls.ts';
import { windowsOptionErrors } from './windows.ts';

const MAX_PROFILE_PATH = 4095;

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const fsGroupPolicies = ['Always', 'OnRootMismatch'];
const groupPolicies = ['Merge', 'Strict'];
const procMounts = ['Default', 'Unmasked'];

/** A container's security context; `hostUsers` says whether the pod has no user namespace of its own. */
export function containerSecurityErrors(
  context: SecurityContext | undefined,
  path: string,
  hostUsers: boolean,
): FieldError[] {
  if (context === undefined) return [];
  const { runAsUser, runAsGroup, procMount } = context;
  const errors: FieldError[] = [];
  if (runAsUser !== undefined) {
    errors.push(...invalidEach(child(path, 'runAsUser'), runAsUser, isValidUserID(runAsUser)));
  }
  if (runAsGroup !== undefined) {
    errors.push(...invalidEach(child(path, 'runAsGroup'), runAsGroup, isValidGroupID(runAsGroup)));
  }
  if (procMount !== undefined) {
    const below = child(path, 'procMount');
    if (!procMounts.includes(procMount)) errors.push(notSupported(below, procMount, procMounts));
    if (hostUsers && procMount === 'Unmasked') {
      errors.push(invalid(below, procMount, '`hostUsers` must be false to use `Unmasked`'));
    }
  }
  return [
    ...errors,
    ...seccompErrors(context.seccompProfile, child(path, 'seccompProfile')),
    ...escalationErrors(context, path),
    ...windowsOptionErrors(context.windowsOptions, child(path, 'windowsOptions')),
    ...appArmorErrors(context.appArmorProfile, child(path, 'appArmorProfile')),
  ];
}

/** A pod's security context. */
export function podSecurityErrors(spec: PodSpec, path: string, options: PodOptions): FieldError[] {
  const context = spec.securityContext ?? {};
  const errors: FieldError[] = [];
  const id = (
    field: 'fsGroup' | 'runAsUser' | 'runAsGroup',
    rule: (value: number | bigint) => string[],
  ) => {
    const value = context[field];
    if (value !== undefined) errors.push(...invalidEach(child(path, field), value, rule(value)));
  };
  id('fsGroup', isValidGroupID);
  id('runAsUser', isValidUserID);
  id('runAsGroup', isValidGroupID);
  (context.supplementalGroups ?? []).forEach((group, index) => {
    const below = at(child(path, 'supplementalGroups'), index);
    errors.push(...invalidEach(below, group, isValidGroupID(group)));
  });
  if (spec.shareProcessNamespace && spec.hostPID) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled';
    errors.push(invalid(child(path, 'shareProcessNamespace'), true, detail));
  }
  errors.push(...sysctlErrors(spec, child(path, 'sysctls'), options));
  const choice = (
    field: 'fsGroupChangePolicy' | 'supplementalGroupsPolicy' | 'seLinuxChangePolicy',
    supported: readonly string[],
  ) => {
    const value = context[field];
    if (value === undefined || supported.includes(value)) return;
    errors.push(notSupported(child(path, field), value, supported));
  };
  choice('fsGroupChangePolicy', fsGroupPolicies);
  errors.push(
    ...seccompErrors(context.seccompProfile, child(path, 'seccompProfile')),
    ...windowsOptionErrors(context.windowsOptions, child(path, 'windowsOptions')),
    ...appArmorErrors(context.appArmorProfile, child(path, 'appArmorProfile')),
  );
  choice('supplementalGroupsPolicy', groupPolicies);
  choice(
    'seLinuxChangePolicy',
    options.allowOnlyRecursiveSELinux ? ['Recursive'] : ['MountOption', 'Recursive'],
  );
  return errors;
}

/** A pod with its own user namespace may not share the node's other namespaces. */
export function hostUserErrors(spec: PodSpec, path: string): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const detail = 'when `hostUsers` is false';
  return [
    ...(spec.hostNetwork ? [forbidden(child(path, 'hostNetwork'), detail)] : []),
    ...(spec.hostPID ? [forbidden(child(path, 'HostPID'), detail)] : []),
    ...(spec.hostIPC ? [forbidden(child(path, 'HostIPC'), detail)] : []),
  ];
}

/** An AppArmor profile, given as a field. */
export function appArmorErrors(
  profile: ConfinementProfile | undefined,
  path: string,
): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile: local } = profile;
  const below = child(path, 'localhostProfile');
  if (type === 'Localhost') {
    const missing = required(below, 'must be set when AppArmor type is Localhost');
    if (local === undefined) return [missing];
    const errors: FieldError[] = [];
    if (local.trim() !== local) {
      errors.push(invalid(below, local, 'must not be padded with whitespace'));
    } else if (local === '') {
      errors.push(missing);
    }
    if (byteLength(local) > MAX_PROFILE_PATH) errors.push(tooLong(below, '', MAX_PROFILE_PATH));
    return errors;
  }
  if (type === '') {
    return [required(child(path, 'type'), 'type is required when appArmorProfile is set')];
  }
  if (!profileTypes.includes(type)) return [notSupported(child(path, 'type'), type, profileTypes)];
  return local === undefined
    ? []
    : [invalid(below, local, 'can only be set when AppArmor type is Localhost')];
}

function seccompErrors(profile: ConfinementProfile | undefined, path: string): FieldError[] {
  if (profile === undefined) return [];
  const { type, localhostProfile: local } = profile;
  const errors: FieldError[] = [];
  if (type === '') {
    errors.push(required(child(path, 'type'), 'type is required when seccompProfile is set'));
  } else if (!profileTypes.includes(type)) {
    errors.push(notSupported(child(path, 'type'), type, profileTypes));
  }
  const below = child(path, 'localhostProfile');
  if (type !== 'Localhost') {
    if (local === undefined) return errors;
    const shown = internalForm('SeccompProfile', profile);
    return [...errors, invalid(below, shown, 'can only be set when seccomp type is Localhost')];
  }
  if (local === undefined) {
    return [...errors, required(below, 'must be set when seccomp type is Localhost')];
  }
  return [...errors, ...descendingPathErrors(local, below)];
}

function escalationErrors(context: SecurityContext, path: string): FieldError[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const refusal = (what: string) =>
    invalid(
      path,
      internalForm('SecurityContext', context),
      `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
    );
  return [
    ...(context.privileged ? [refusal('`privileged` to true')] : []),
    ...(context.capabilities?.add ?? [])
      .filter((capability) => capability === 'CAP_SYS_ADMIN')
      .map(() => refusal('`capabilities.Add` CAP_SYS_ADMIN')),
  ];
}
