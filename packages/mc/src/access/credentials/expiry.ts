import type { PluginAnswer, Presented } from '@flotilla/client';

const EXPIRES_AT = Symbol('expires at');

/** What a command answered, in the form in which it is presented; its end goes along unseen. */
export function withExpiry({ presented, expiresAt: end }: PluginAnswer): Presented {
  return end === undefined ? presented : Object.assign({ [EXPIRES_AT]: end }, presented);
}

/** Until when something that was presented lasts, in milliseconds since 1970; undefined when nobody knows. */
export function expiresAt(presented: Presented): number | undefined {
  return (presented as { readonly [EXPIRES_AT]?: number | undefined })[EXPIRES_AT];
}
