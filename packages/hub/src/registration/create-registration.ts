import { type ClusterRegistration, clusterRegistrationPhases } from '@flotilla/api';
import { type Client, type Informers, Namespaces, Secrets } from '@flotilla/client';
import { type Clock, isForbidden, keyOfObject } from '@flotilla/machinery';
import type { Controller, Logger, Metrics } from '@flotilla/runtime';
import { isTrue } from '@flotilla/runtime';
import type { MemberCredential } from '../cluster-secret/member-access.ts';
import { clusterSecretChoice } from '../informer-choices.ts';
import { clusterReferences } from './applications/cluster-references.ts';
import { refreshApplications } from './applications/refresh-applications.ts';
import {
  knowsUid,
  registrationController,
  registrationInformer,
  registrationsNamed,
  sameClusterIn,
} from './controller.ts';
import type { RegistrationDeps } from './deps.ts';
import { addressCheck } from './endpoint/endpoint-policy.ts';
import { rememberGateway } from './find-gateway.ts';
import { type JanitorDeps, runJanitor } from './janitor/janitor.ts';
import { openMember } from './member/member-session.ts';
import { createMemory } from './memory.ts';
import { createRegistrationMeter, silentMeter } from './metrics/registration-meter.ts';
import { scrubResourceTrackers } from './resource-trackers/scrub.ts';
import { createSecretView } from './secret/secret-view.ts';
import { resolveSource, type SourceDeps } from './source/resolve-source.ts';
import { createSourceWatch } from './source-watch.ts';
import { SAFETY_RESYNC_MS } from './timers.ts';
import type { FindByName } from './webhook/review-registration.ts';

/** What the registration feature is made of. */
export interface RegistrationOptions {
  readonly client: Client;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly gatewayNamespace: string;
  readonly source: Pick<SourceDeps, 'policy' | 'resolveHost' | 'runExec'>;
  /** Told of a credential that a member refused, so that it is not given out again. @default nobody */
  readonly forgetCredential?: ((refused: MemberCredential) => void) | undefined;
  readonly concurrency: number;
  /** The hub as others reach it. */
  readonly hubAddress: RegistrationDeps['hubAddress'];
  readonly metrics?: Metrics | undefined;
}

/** The controller, and what runs beside it while this process leads. */
export interface Registration {
  /** Registrations that have a name or want it. */
  readonly findByName: FindByName;
  readonly controller: Controller;
  readonly runBeside: (isLeading: () => boolean, signal: AbortSignal) => Promise<void>;
}

/** Puts the feature together; nothing runs yet. */
export function createRegistration(options: RegistrationOptions): Registration {
  const { client, informers, clock, random, logger, gatewayNamespace, source } = options;
  const registrations = registrationInformer(informers);
  const clusterSecrets = informers.for(Secrets, clusterSecretChoice(gatewayNamespace));
  const sourceWatch = createSourceWatch({
    client,
    clock,
    random,
    enqueue: (key) => controller.enqueue(key),
    report: (err) => logger.warn('A watch of sources met a failure', { err }),
  });
  const allowsAddress = addressCheck(source.policy.endpoints);
  const sourceDeps: SourceDeps = { ...source, client, now: () => new Date(clock.now()) };
  const deps: RegistrationDeps & { secrets: ReturnType<typeof createSecretView> } = {
    hubClient: client,
    clock,
    random,
    gatewayNamespace,
    findGateway: rememberGateway({ client, clock }, gatewayNamespace),
    resolveSource: (registration, signal) => resolveSource(sourceDeps, registration, signal),
    followSource: sourceWatch.follow,
    openMember: (access, limits) => openMember(access, limits, { clock, random, allowsAddress }),
    secrets: createSecretView(clusterSecrets, gatewayNamespace),
    sameCluster: sameClusterIn(registrations),
    hubClusterID: rememberHub(client),
    refreshApplications: (wanted, signal) => refreshApplications(client, wanted, signal),
    clusterReferences: (cluster, signal) => clusterReferences(client, cluster, signal),
    scrubResourceTrackers: (cluster, signal) => scrubResourceTrackers(client, cluster, signal),
    hubAddress: options.hubAddress,
    forgetCredential: options.forgetCredential ?? (() => {}),
    memory: createMemory(),
    meter:
      options.metrics === undefined
        ? silentMeter
        : createRegistrationMeter(options.metrics.registry, {
            phases: clusterRegistrationPhases,
            read: () => registrations.list().map(readingOf),
          }),
  };
  const controller = registrationController(deps, { concurrency: options.concurrency });
  const janitor: JanitorDeps = {
    client,
    clock,
    logger,
    secrets: () => clusterSecrets.list(),
    hasRegistration: knowsUid(registrations),
  };
  /** Nobody tells of what would un-stall these: they are looked at again now and then. */
  const resync = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await clock.wait(SAFETY_RESYNC_MS, signal).catch(() => {});
      if (signal.aborted) return;
      for (const each of registrations.list()) {
        if (isTrue((each.status?.conditions ?? []) as never, 'Stalled')) {
          controller.enqueue(keyOfObject(each));
        }
      }
    }
  };
  return {
    controller,
    findByName: registrationsNamed(registrations),
    runBeside: async (isLeading, signal) => {
      const whenLeading = { ...janitor, secrets: () => (isLeading() ? janitor.secrets() : []) };
      await Promise.all([sourceWatch.run(signal), runJanitor(whenLeading, signal), resync(signal)]);
    },
  };
}

/** The hub's own identity does not change; where it may not be read, nothing is compared with it. */
function rememberHub(client: Pick<Client, 'get'>): RegistrationDeps['hubClusterID'] {
  let known: { readonly id: string | undefined } | undefined;
  return async (signal) => {
    if (known !== undefined) return known.id;
    try {
      const { metadata } = await client.get(Namespaces, { name: 'kube-system' }, { signal });
      known = { id: metadata.uid };
    } catch (error) {
      if (!isForbidden(error)) return undefined;
      known = { id: undefined };
    }
    return known.id;
  };
}

function readingOf({ metadata, status }: ClusterRegistration) {
  const { namespace = '', name = '' } = metadata;
  const end = status?.credential?.expiresAt;
  return {
    namespace,
    name,
    phase: status?.phase ?? 'Pending',
    expiresAt: end === undefined ? undefined : Date.parse(end),
  };
}
