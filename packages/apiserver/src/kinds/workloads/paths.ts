import { type FieldError, invalid } from '@flotilla/machinery';
import { validatePathNoBacksteps } from '../core/volume-fields.ts';

/** A relative path that stays inside its folder. */
export function descendingPathErrors(target: string, path: string): FieldError[] {
  const errors = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...errors, ...validatePathNoBacksteps(target, path)];
}

/** A relative path inside a volume whose names do not collide with the kubelet's own (`..data`). */
export function localPathErrors(target: string, path: string): FieldError[] {
  const errors = descendingPathErrors(target, path);
  if (target.startsWith('..') && !target.startsWith('../')) {
    errors.push(invalid(path, target, "must not start with '..'"));
  }
  return errors;
}
