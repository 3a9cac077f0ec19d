import type { UserInfo } from '../objects/engine.ts';

/** Whom our own controllers act as. */
export const SYSTEM_USER: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] };

/** The service account under which kube-controller-manager would do a controller's work, as admission knows it. */
export function controllerUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    groups: [
      'system:serviceaccounts',
      'system:serviceaccounts:kube-system',
      'system:authenticated',
    ],
  };
}

/** Warnings are for people; controllers have no use for them. */
export const noWarnings = (): void => {};
