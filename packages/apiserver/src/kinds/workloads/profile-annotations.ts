/** Annotations of pods that upstream checks: mirror pods, deletion cost, and the seccomp and AppArmor ones of old. */
import { child, type FieldError, forbidden, goQuote, invalid, keyed } from '@flotilla/machinery';
import type { Dict } from './api-values.ts';
import type { ConfinementProfile } from './container-types.ts';
import { visitContainers } from './containers-of.ts';
import { descendingPathErrors } from './paths.ts';
import type { PodSpec } from './pod-types.ts';
import { hasKey } from './support.ts';
import { tolerationErrors } from './tolerations.ts';

/** Marks a pod that stands for one the kubelet runs by itself. */
export const mirrorAnnotation = 'kubernetes.io/config.mirror';
/** The seccomp profile of a pod, before there was a field. */
export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';
/** The seccomp profile of a container, before there was a field. */
export const seccompContainerPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
/** The AppArmor profile of a container, before there was a field. */
export const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const tolerationsAnnotation = 'scheduler.alpha.kubernetes.io/tolerations';

/** True unless a deletion cost is set that is no 32-bit integer. */
export function deletionCostIsValid(annotations: Dict): boolean {
  const value = annotations?.[deletionCost];
  if (value === undefined) return true;
  if (!/^(0|-?[1-9][0-9]*)$/.test(value)) return false;
  const cost = Number(value);
  return cost >= -(2 ** 31) && cost < 2 ** 31;
}

/** The annotations of a pod (or of a template) that have rules of their own. */
export function podAnnotationErrors(
  annotations: Dict,
  path: string,
  { spec, allowInvalidCost }: { spec: PodSpec; allowInvalidCost: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const mirror = annotations?.[mirrorAnnotation];
  if (mirror !== undefined && (spec.nodeName ?? '') === '') {
    const detail = 'must set spec.nodeName if mirror pod annotation is set';
    errors.push(invalid(keyed(path, mirrorAnnotation), mirror, detail));
  }
  errors.push(...annotatedTolerationErrors(annotations, path));
  if (!allowInvalidCost && !deletionCostIsValid(annotations)) {
    const value = annotations?.[deletionCost];
    errors.push(invalid(keyed(path, deletionCost), value, 'must be a 32bit integer'));
  }
  const ofPod = annotations?.[seccompPodAnnotation];
  if (ofPod !== undefined) {
    errors.push(...seccompTextErrors(ofPod, child(path, seccompPodAnnotation)));
  }
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (!key.startsWith(seccompContainerPrefix)) continue;
    errors.push(...seccompTextErrors(value, child(path, key)));
  }
  for (const [key, value] of Object.entries(annotations ?? {})) {
    if (!key.startsWith(appArmorPrefix)) continue;
    const name = key.slice(appArmorPrefix.length);
    if (!visitContainers(spec).some(({ container }) => container.name === name)) {
      errors.push(invalid(keyed(path, key), name, 'container not found'));
    }
    if (!['', 'runtime/default', 'unconfined'].includes(value) && !value.startsWith('localhost/')) {
      const detail = `invalid AppArmor profile name: ${goQuote(value)}`;
      errors.push(invalid(keyed(path, key), value, detail));
    }
  }
  return errors;
}

/** Annotations that may not change in the life of a pod. */
export function podAnnotationUpdateErrors(next: Dict, old: Dict, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(old ?? {})) {
    if (next?.[key] === value) continue;
    if (key.startsWith(appArmorPrefix)) {
      errors.push(forbidden(keyed(path, key), 'may not remove or update AppArmor annotations'));
    }
    if (key === mirrorAnnotation) {
      errors.push(forbidden(keyed(path, key), 'may not remove or update mirror pod annotation'));
    }
  }
  for (const key of Object.keys(next ?? {})) {
    if (hasKey(old, key)) continue;
    if (key.startsWith(appArmorPrefix)) {
      errors.push(forbidden(keyed(path, key), 'may not add AppArmor annotations'));
    }
    if (key === mirrorAnnotation) {
      errors.push(forbidden(keyed(path, key), 'may not add mirror pod annotation'));
    }
  }
  return errors;
}

/** Profiles given both as annotation and as field must agree. */
export function profileMatchErrors(spec: PodSpec, annotations: Dict, path: string): FieldError[] {
  const podSeccomp = spec.securityContext?.seccompProfile;
  const podAppArmor = spec.securityContext?.appArmorProfile;
  const containers = visitContainers(spec, path);
  const seccomp = [
    ...mismatch(annotations?.[seccompPodAnnotation], podSeccomp, {
      path: child(path, 'securityContext', 'seccompProfile'),
      what: 'seccomp',
    }),
    ...containers.flatMap(({ container, path: here }) =>
      mismatch(
        annotations?.[seccompContainerPrefix + container.name],
        container.securityContext?.seccompProfile,
        { path: child(here, 'securityContext', 'seccompProfile'), what: 'seccomp' },
      ),
    ),
  ];
  if (spec.os?.name === 'windows') return seccomp;
  const appArmor = containers.flatMap(({ container, path: here }) =>
    mismatch(
      annotations?.[appArmorPrefix + container.name],
      container.securityContext?.appArmorProfile ?? podAppArmor,
      { path: child(here, 'securityContext', 'appArmorProfile'), what: 'apparmor' },
    ),
  );
  return [...seccomp, ...appArmor];
}

/** The profile an AppArmor annotation stands for, if it is sound. */
export function appArmorFromAnnotation(annotation: string): ConfinementProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const local = annotation.startsWith('localhost/') ? annotation.slice('localhost/'.length) : '';
  return local === '' ? undefined : { type: 'Localhost', localhostProfile: local };
}

function mismatch(
  annotation: string | undefined,
  profile: ConfinementProfile | undefined,
  { path, what }: { path: string; what: 'seccomp' | 'apparmor' },
): FieldError[] {
  if (annotation === undefined || profile === undefined) return [];
  const wrongType = [
    forbidden(child(path, 'type'), `${what} type in annotation and field must match`),
  ];
  if (profile.type === 'Unconfined') return annotation === 'unconfined' ? [] : wrongType;
  if (profile.type === 'RuntimeDefault') {
    const docker = what === 'seccomp' && annotation === 'docker/default';
    return annotation === 'runtime/default' || docker ? [] : wrongType;
  }
  if (profile.type !== 'Localhost') return [];
  if (!annotation.startsWith('localhost/')) return wrongType;
  return annotation === `localhost/${profile.localhostProfile}`
    ? []
    : [
        forbidden(
          child(path, 'localhostProfile'),
          `${what} profile in annotation and field must match`,
        ),
      ];
}

function seccompTextErrors(profile: string, path: string): FieldError[] {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return [];
  if (profile.startsWith('localhost/')) {
    return descendingPathErrors(profile.slice('localhost/'.length), path);
  }
  return [invalid(path, profile, 'must be a valid seccomp profile')];
}

function annotatedTolerationErrors(annotations: Dict, path: string): FieldError[] {
  const text = annotations?.[tolerationsAnnotation] ?? '';
  if (text === '') return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [invalid(path, tolerationsAnnotation, detail)];
  }
  return Array.isArray(parsed) ? tolerationErrors(parsed, child(path, tolerationsAnnotation)) : [];
}
