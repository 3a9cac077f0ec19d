import type { ClusterRegistration } from '@flotilla/api';
import type { Client, Secret } from '@flotilla/client';
import type { Clock, ObjectKey } from '@flotilla/machinery';
import type { Gateway } from '../cluster-secret/gateway-namespace.ts';
import type { MemberAccess, MemberCredential } from '../cluster-secret/member-access.ts';
import type { RefreshResult, RefreshWanted } from './applications/refresh-applications.ts';
import type { MemberSession } from './member/member-session.ts';
import type { Memory } from './memory.ts';
import type { RegistrationMeter } from './metrics/registration-meter.ts';
import type { ScrubResult } from './resource-trackers/scrub.ts';
import type { PublishDeps } from './secret/publish-secret.ts';
import type { ResolvedSource, SourceRead } from './source/resolved-source.ts';

/** What passes over registrations need of the world. */
export interface RegistrationDeps {
  readonly hubClient: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Where cluster Secrets are. */
  readonly gatewayNamespace: string;
  /** The gateway as it was a moment ago. */
  readonly findGateway: (signal: AbortSignal) => Promise<Gateway>;
  readonly resolveSource: (
    registration: ClusterRegistration,
    signal: AbortSignal,
  ) => Promise<ResolvedSource>;
  /** Says which objects a registration depends on; true once their changes lead to passes. */
  readonly followSource: (
    key: ObjectKey,
    reads: readonly SourceRead[],
    resourceVersion: string | undefined,
  ) => boolean;
  readonly openMember: (
    access: MemberAccess,
    limits: { readonly timeout: string; readonly timeoutMs: number },
  ) => MemberSession;
  readonly secrets: Pick<PublishDeps, 'cached' | 'wrote'> & {
    /** Cluster Secrets that carry the mark of a registration. */
    readonly markedBy: (uid: string) => readonly Secret[];
  };
  /** Keys of other registrations that lead to the same cluster. */
  readonly sameCluster: (clusterID: string, except: ObjectKey) => readonly string[];
  /** What the hub itself is known by. */
  readonly hubClusterID: (signal: AbortSignal) => Promise<string | undefined>;
  readonly refreshApplications: (
    wanted: RefreshWanted,
    signal: AbortSignal,
  ) => Promise<RefreshResult>;
  readonly clusterReferences: (cluster: string, signal: AbortSignal) => Promise<readonly string[]>;
  readonly scrubResourceTrackers: (cluster: string, signal: AbortSignal) => Promise<ScrubResult>;
  /** The hub as agents of Open Cluster Management reach it. */
  readonly hubAddress: { readonly server: string; readonly ca: string | undefined };
  /** Told of a credential that a member refused, before its source is asked again. */
  readonly forgetCredential: (refused: MemberCredential) => void;
  readonly memory: Memory;
  readonly meter: RegistrationMeter;
}
