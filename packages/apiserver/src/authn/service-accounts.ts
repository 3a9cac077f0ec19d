import { isDNS1123Label, isDNS1123Subdomain } from '@flotilla/machinery';

const PREFIX = 'system:serviceaccount:';

/** A service account by where it lives. */
export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** The user name of a service account. */
export function serviceAccountUser({ namespace, name }: ServiceAccountName): string {
  return `${PREFIX}${namespace}:${name}`;
}

/** The groups every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** Which service account a user name stands for; undefined for other users. */
export function parseServiceAccountUser(user: string): ServiceAccountName | undefined {
  if (!user.startsWith(PREFIX)) return undefined;
  const [namespace = '', name = '', more] = user.slice(PREFIX.length).split(':');
  if (more !== undefined) return undefined;
  if (isDNS1123Label(namespace).length > 0 || isDNS1123Subdomain(name).length > 0) {
    return undefined;
  }
  return { namespace, name };
}
