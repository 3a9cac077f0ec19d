import type { clusterRegistrationConditions } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import type { EndpointPolicy, ResolveHost } from '../endpoint/endpoint-policy.ts';
import type { ExecProfile } from '../exec-profiles/exec-profile.ts';
import type { MintCredential } from '../exec-profiles/mint-credential.ts';

type Reasons = (typeof clusterRegistrationConditions)['SourceResolved']['reasons'];

/** Why SourceResolved is True. */
export type SourceFound = Reasons['True'][number];

/** Why SourceResolved is False. */
export type SourceFault = Reasons['False'][number];

/** An object that a source is read from: when it changes, the source is worth another look. */
export interface SourceRead {
  readonly kind: 'Secret' | 'ExternalSecret';
  readonly namespace: string;
  readonly name: string;
}

/** Something to tell people that keeps nothing from working; an event. */
export interface SourceWarning {
  readonly reason: string;
  readonly message: string;
}

/** What may be read, dialled and run for the sake of a registration. */
export interface SourcePolicy {
  /** Where registrations are fleet administrators' and existing cluster Secrets are. */
  readonly gatewayNamespace: string;
  /** Namespaces whose Secrets registrations of the gateway namespace may read without being asked. */
  readonly sourceNamespaces: readonly string[] | 'all';
  readonly allowInsecureTls: boolean;
  readonly endpoints: EndpointPolicy;
  readonly execProfiles: readonly ExecProfile[];
}

/** What resolving a source takes. */
export interface SourceDeps {
  readonly client: Pick<Client, 'get' | 'raw'>;
  readonly now: () => Date;
  readonly policy: SourcePolicy;
  readonly resolveHost: ResolveHost;
  /** Runs commands of exec profiles. @default none is ever run */
  readonly runExec?: MintCredential | undefined;
}

/** A source, read: all that a registration needs of it. */
export interface ResolvedSource {
  readonly member: MemberAccess;
  readonly reason: SourceFound;
  /** For status.credential.source, such as `Secret default/foo, key kubeconfig`. */
  readonly description: string;
  readonly resourceVersion: string | undefined;
  readonly issuedAt: Date | undefined;
  /** Undefined where the credential does not tell. */
  readonly expiresAt: Date | undefined;
  /** When the source must be read again at the latest; undefined when its change is all that matters. */
  readonly refreshAt: Date | undefined;
  readonly warnings: readonly SourceWarning[];
  readonly reads: readonly SourceRead[];
}
