import { at, child, duplicate, type FieldError, invalid, required } from '@flotilla/machinery';
import type { PodOptions } from './pod-options.ts';
import type { PodSpec } from './pod-types.ts';

const SYSCTL_TEXT = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
const MAX_LENGTH = 253;

const ipcNames = new Set([
  'kernel.sem',
  'kernel.shmall',
  'kernel.shmmax',
  'kernel.shmmni',
  'kernel.shm_rmid_forced',
  'kernel.shm',
  'kernel.msgmax',
  'kernel.msgmnb',
  'kernel.msgmni',
  'kernel.msg',
]);

/** Kernel parameters of a pod. */
export function sysctlErrors(spec: PodSpec, path: string, options: PodOptions): FieldError[] {
  const seen = new Set<string>();
  return (spec.securityContext?.sysctls ?? []).flatMap(({ name }, index) => {
    const here = child(at(path, index), 'name');
    const errors: FieldError[] = [];
    if (name === '') {
      errors.push(required(here));
    } else if (name.length > MAX_LENGTH || !SYSCTL.test(name)) {
      const detail = `must have at most ${MAX_LENGTH} characters and match regex ${SYSCTL_TEXT}`;
      errors.push(invalid(here, name, detail));
    } else if (seen.has(name)) {
      errors.push(duplicate(here, name));
    }
    const host = options.allowHostSysctls ? undefined : hostSysctlError(name, spec, here);
    if (host !== undefined) errors.push(host);
    seen.add(name);
    return errors;
  });
}

/** A parameter of a namespace that the pod shares with its node. */
export function hostSysctlError(name: string, spec: PodSpec, path: string): FieldError | undefined {
  const namespace = namespaceOf(name);
  if (spec.hostNetwork && namespace === 'net') {
    return invalid(path, name, "may not be specified when 'hostNetwork' is true");
  }
  if (spec.hostIPC && namespace === 'ipc') {
    return invalid(path, name, "may not be specified when 'hostIPC' is true");
  }
  return undefined;
}

function namespaceOf(name: string): 'net' | 'ipc' | undefined {
  const normal = normalise(name);
  const star = normal.indexOf('*');
  const plain = star === -1 ? normal : normal.slice(0, star);
  if (ipcNames.has(plain) || plain.startsWith('fs.mqueue.')) return 'ipc';
  return plain.startsWith('net.') ? 'net' : undefined;
}

/** Both `a.b` and `a/b` are separators; the first one found says which. */
function normalise(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (char) => (char === '/' ? '.' : '/'));
}
