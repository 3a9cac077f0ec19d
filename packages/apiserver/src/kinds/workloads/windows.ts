import {
  byteLength,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  notSupported,
  required,
} from '@flotilla/machinery';
import type { WindowsOptions } from './container-types.ts';
import { visitContainers } from './containers-of.ts';
import type { PodSpec } from './pod-types.ts';
import { invalidEach } from './support.ts';

const MAX_CREDENTIAL_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;

// biome-ignore lint/suspicious/noControlCharactersInRegex: user names may not hold them
const CONTROL = /[\u0000-\u001f\u007f]/;
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const BAD_USER = /["/\\:;|=,+*?<>@[\]]/;
const DOTS_OR_BLANKS = /^[. ]+$/;

const windowsForbidden = 'cannot be set for a windows pod';

/** The Windows part of a security context. */
export function windowsOptionErrors(
  options: WindowsOptions | undefined,
  path: string,
): FieldError[] {
  if (options === undefined) return [];
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName } = options;
  const errors: FieldError[] = [];
  if (specName !== undefined) {
    const below = child(path, 'gmsaCredentialSpecName');
    errors.push(...invalidEach(below, specName, isDNS1123Subdomain(specName)));
  }
  if (spec !== undefined) {
    const below = child(path, 'gmsaCredentialSpec');
    if (spec === '') {
      errors.push(invalid(below, spec, 'gmsaCredentialSpec cannot be an empty string'));
    } else if (byteLength(spec) > MAX_CREDENTIAL_KIB * 1024) {
      const detail = `gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_KIB} KiB`;
      errors.push(invalid(below, spec, detail));
    }
  }
  if (runAsUserName !== undefined) {
    const below = child(path, 'runAsUserName');
    errors.push(
      ...userNameProblems(runAsUserName).map((problem) =>
        invalid(below, runAsUserName, `runAsUserName${problem}`),
      ),
    );
  }
  return errors;
}

/** HostProcess containers come all or none, on the host's network. */
export function hostProcessErrors(spec: PodSpec, path: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const errors: FieldError[] = [];
  let hostProcesses = 0;
  const containers = visitContainers(spec, path);
  for (const { container, path: here } of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      const below = child(here, 'securityContext', 'windowsOptions', 'hostProcess');
      errors.push(invalid(below, own, detail));
    }
    if (own ?? ofPod) hostProcesses++;
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== containers.length) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(child(path, 'hostNetwork'), false, detail));
  }
  return errors;
}

/** The operating system of a pod, and the fields of the other system, which may not be set. */
export function osErrors(spec: PodSpec, path: string): FieldError[] {
  if (spec.os == null) return [];
  const { name } = spec.os;
  if (name === '') return [required(child(path, 'os', 'name'))];
  if (name === 'linux') return linuxErrors(spec, path);
  if (name === 'windows') return windowsErrors(spec, path);
  return [notSupported(child(path, 'os'), name, ['linux', 'windows'])];
}

function linuxErrors(spec: PodSpec, path: string): FieldError[] {
  const places = [
    { context: spec.securityContext, path: child(path, 'securityContext') },
    ...visitContainers(spec, path).map(({ container, path: here }) => ({
      context: container.securityContext,
      path: child(here, 'securityContext'),
    })),
  ];
  return places
    .filter(({ context }) => context?.windowsOptions !== undefined)
    .map((place) =>
      forbidden(
        child(place.path, 'windowsOptions'),
        'windows options cannot be set for a linux pod',
      ),
    );
}

function windowsErrors(spec: PodSpec, path: string): FieldError[] {
  const context = spec.securityContext ?? {};
  const below = child(path, 'securityContext');
  const refused = (set: unknown, where: string): FieldError[] =>
    set === undefined || set === false ? [] : [forbidden(where, windowsForbidden)];
  const inContext = (field: keyof typeof context) => refused(context[field], child(below, field));
  return [
    ...inContext('appArmorProfile'),
    ...inContext('seLinuxOptions'),
    ...(spec.hostUsers === undefined
      ? []
      : [forbidden(child(path, 'hostUsers'), windowsForbidden)]),
    ...refused(spec.hostPID, child(path, 'hostPID')),
    ...refused(spec.hostIPC, child(path, 'hostIPC')),
    ...inContext('seccompProfile'),
    ...inContext('fsGroup'),
    ...inContext('fsGroupChangePolicy'),
    ...((context.sysctls ?? []).length > 0
      ? [forbidden(child(below, 'sysctls'), windowsForbidden)]
      : []),
    ...(spec.shareProcessNamespace === undefined
      ? []
      : [forbidden(child(path, 'shareProcessNamespace'), windowsForbidden)]),
    ...inContext('runAsUser'),
    ...inContext('runAsGroup'),
    ...inContext('supplementalGroups'),
    ...inContext('supplementalGroupsPolicy'),
    ...inContext('seLinuxChangePolicy'),
    ...visitContainers(spec, path).flatMap(({ container, path: here }) =>
      (
        [
          'appArmorProfile',
          'seLinuxOptions',
          'seccompProfile',
          'capabilities',
          'readOnlyRootFilesystem',
          'privileged',
          'allowPrivilegeEscalation',
          'procMount',
          'runAsUser',
          'runAsGroup',
        ] as const
      )
        .filter((field) => container.securityContext?.[field] !== undefined)
        .map((field) => forbidden(child(here, 'securityContext', field), windowsForbidden)),
    ),
  ];
}

function userNameProblems(name: string): string[] {
  if (name === '') return [' cannot be an empty string'];
  if (CONTROL.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (byteLength(domain) >= MAX_DOMAIN) {
      problems.push(`'s Domain length must be under ${MAX_DOMAIN} characters`);
    }
    if (!NET_BIOS.test(domain) && !new RegExp(`^${LABEL}(?:\\.${LABEL})*$`).test(domain)) {
      problems.push("'s Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') problems.push("'s User cannot be empty");
  else if (byteLength(user) > MAX_USER) {
    problems.push(`'s User length must not be longer than ${MAX_USER} characters`);
  }
  if (DOTS_OR_BLANKS.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (BAD_USER.test(user)) {
    problems.push(`'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}
