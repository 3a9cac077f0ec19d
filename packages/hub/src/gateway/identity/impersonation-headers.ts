import type { Impersonation } from '@flotilla/client';

/** Headers that make a member take a request for another user's, as client-go writes them. */
export function impersonationHeaders(identity: Impersonation): Record<string, string | string[]> {
  const { user, uid = '', groups = [], extra = {} } = identity;
  return {
    'impersonate-user': bytes(user),
    ...(uid === '' ? {} : { 'impersonate-uid': bytes(uid) }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups.map(bytes) }),
    ...Object.fromEntries(
      Object.entries(extra)
        .filter(([, values]) => values.length > 0)
        .map(([key, values]) => [`impersonate-extra-${escaped(key)}`, values.map(bytes)]),
    ),
  };
}

/** Go puts UTF-8 into headers; node:http takes one character for each byte. */
function bytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** What cannot stand in the name of a header, and the percent sign, as `%XX`. */
function escaped(key: string): string {
  return bytes(key).replace(
    /[^!#$&'*+\-.^_`|~0-9A-Za-z]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
