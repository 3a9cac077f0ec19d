import type { ExecPlugin } from '@flotilla/client';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import type { ResolvedSource, SourceWarning } from './resolved-source.ts';

/** What a source says, before anybody has judged whether it may be used. */
export interface Candidate {
  /** As it is written. */
  readonly server: string;
  /** PEM; empty for the public authorities, undefined for no verification. */
  readonly ca: string | undefined;
  /** The name that the server's certificate shall be checked for, where the source has one. */
  readonly serverName?: string | undefined;
  readonly proxyUrl?: string | undefined;
  /** What opens the door, or the command that makes it. */
  readonly credential: MemberCredential | { readonly type: 'Exec'; readonly plugin: ExecPlugin };
  readonly warnings: readonly SourceWarning[];
}

/** Where a candidate came from. */
export type Provenance = Pick<ResolvedSource, 'reason' | 'description' | 'resourceVersion'>;

/** A candidate and its origin. */
export interface Sourced extends Provenance {
  readonly candidate: Candidate;
}
