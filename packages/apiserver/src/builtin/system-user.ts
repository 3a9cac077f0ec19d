import type { UserInfo } from '../objects/engine.ts';

/** Whom our own controllers act as. */
export const SYSTEM_USER: UserInfo = { name: 'system:apiserver', groups: ['system:masters'] };

/** Warnings are for people; controllers have no use for them. */
export const noWarnings = (): void => {};
