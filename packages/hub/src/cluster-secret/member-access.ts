import type { SecretValue } from '@flotilla/runtime';

/** What leads to a member: where it is, and what opens its door. */
export interface MemberAccess {
  /** `scheme://host:port[/path]`: always with a port, never with a slash at its end. */
  readonly endpoint: string;
  /** PEM. Empty means the public authorities, undefined that the server's certificate is not looked at. */
  readonly ca: string | undefined;
  readonly credential: MemberCredential;
  /** http, https or socks5. */
  readonly proxyUrl?: string | undefined;
}

/** What a cluster Secret can carry. */
export type MemberCredential =
  | { readonly type: 'ServiceAccountToken'; readonly token: SecretValue }
  | {
      readonly type: 'X509Certificate';
      /** PEM. */
      readonly certificate: string;
      /** PEM. */
      readonly key: SecretValue;
    };
