import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import {
  CustomResourceDefinitions,
  type Informer,
  type Informers,
  type Secret,
  Secrets,
} from '@flotilla/client';
import { formatKey, keyOfObject, type ObjectKey } from '@flotilla/machinery';
import { type Controller, defineController, type Predicate, watch } from '@flotilla/runtime';
import { OWNER_ANNOTATION } from '../cluster-secret/names.ts';
import { clusterSecretChoice, registrationChoice } from '../informer-choices.ts';
import { registrationConditions } from './conditions.ts';
import type { RegistrationDeps } from './deps.ts';
import { deriveStatus } from './derive-status.ts';
import { detachCluster } from './detach/finalize.ts';
import { registrationNotes } from './notes.ts';
import { reconcileRegistration } from './reconcile.ts';
import type { SecretView } from './secret/secret-view.ts';
import { reportSuspended } from './steps/report-suspended.ts';
import { REGISTRATION_FINALIZER, wantedName } from './types.ts';
import type { FindByName } from './webhook/review-registration.ts';

/** Longer than any time limit that a spec can set for one answer, and for the few that a pass asks for. */
const PASS_TIMEOUT_MS = 960_000;

const BY_NAME = 'cluster-name';
const BY_CLUSTER_ID = 'cluster-id';
const BY_UID = 'uid';
const BY_EXTERNAL_SECRET = 'external-secret';
const EXTERNAL_SECRETS_CRD = 'externalsecrets.external-secrets.io';

/** The registrations of the hub, as the controller has them. */
export function registrationInformer(informers: Informers): Informer<ClusterRegistration> {
  const informer = informers.for(ClusterRegistrations, registrationChoice);
  informer.addIndex(BY_CLUSTER_ID, clusterIDs);
  return informer;
}

/** Whether there is a registration with a uid, as far as the watch knows. */
export function knowsUid(informer: Informer<ClusterRegistration>): (uid: string) => boolean {
  informer.addIndex(BY_UID, uidOf);
  return (uid) => informer.byIndex(BY_UID, uid).length > 0;
}

/** Registrations that have a name or want it, whoever they are. */
export function registrationsNamed(informer: Informer<ClusterRegistration>): FindByName {
  informer.addIndex(BY_NAME, clusterNames);
  return (name) => informer.byIndex(BY_NAME, name);
}

/** Keys of the registrations that lead to a cluster, but one. */
export function sameClusterIn(
  informer: Informer<ClusterRegistration>,
): RegistrationDeps['sameCluster'] {
  return (clusterID, except) =>
    informer
      .byIndex(BY_CLUSTER_ID, clusterID)
      .map((each) => formatKey(keyOfObject(each)))
      .filter((key) => key !== formatKey(except))
      .sort();
}

/**
 * Watches registrations, and whatever can make one of them wrong: the cluster Secrets (also for those who lost a name to
 * another and may have it when it is free), registrations that lead to the same cluster, and External Secrets' arrival.
 */
export function registrationController(
  deps: RegistrationDeps & { readonly secrets: Pick<SecretView, 'isOwnWrite'> },
  options: { readonly concurrency: number },
): Controller {
  const isForeign = (secret: Secret) => !deps.secrets.isOwnWrite(secret);
  return defineController({
    name: 'registration',
    for: ClusterRegistrations,
    choice: registrationChoice,
    conditions: registrationConditions,
    finalizer: REGISTRATION_FINALIZER,
    concurrency: options.concurrency,
    passTimeoutMs: PASS_TIMEOUT_MS,
    ready: { reason: 'Registered', message: 'The cluster is registered' },
    derive: deriveStatus,
    notes: registrationNotes,
    indexes: {
      [BY_NAME]: clusterNames,
      [BY_CLUSTER_ID]: clusterIDs,
      [BY_EXTERNAL_SECRET]: ({ spec }) =>
        spec.credentialSource.externalSecretRef === undefined ? [] : ['yes'],
    },
    watches: [
      watch(
        Secrets,
        (secret, { byIndex }) =>
          isForeign(secret)
            ? [...ownersOf(secret), ...byIndex(BY_NAME, secret.metadata.name ?? '')]
            : [],
        { ...clusterSecretChoice(deps.gatewayNamespace), predicates: [isForeign] },
      ),
      watch(
        ClusterRegistrations,
        // The one that changed, too: neither of two that join at the same time sees the other.
        (registration, { byIndex }) => {
          const keys = clusterIDs(registration).flatMap((id) => byIndex(BY_CLUSTER_ID, id));
          const own = formatKey(keyOfObject(registration));
          return keys.some((each) => formatKey(each) !== own) ? keys : [];
        },
        { ...registrationChoice, predicates: [clusterChanged] },
      ),
      watch(CustomResourceDefinitions, (_, { byIndex }) => byIndex(BY_EXTERNAL_SECRET, 'yes'), {
        mode: 'metadata',
        selection: { fieldSelector: `metadata.name=${EXTERNAL_SECRETS_CRD}` },
      }),
    ],
    reconcile: (pass) => reconcileRegistration(pass, deps),
    suspended: (pass) => reportSuspended(pass, deps),
    finalize: (pass) => detachCluster(pass, deps),
  });
}

const clusterChanged: Predicate<ClusterRegistration> = (object, before) =>
  clusterIDs(object)[0] !== clusterIDs(before)[0];

function clusterNames(registration: ClusterRegistration): string[] {
  const { registeredName } = registration.status ?? {};
  const wanted = wantedName(registration);
  return registeredName === undefined || registeredName === wanted
    ? [wanted]
    : [wanted, registeredName];
}

function uidOf({ metadata }: ClusterRegistration): string[] {
  return metadata.uid === undefined ? [] : [metadata.uid];
}

function clusterIDs({ status }: ClusterRegistration): string[] {
  const id = status?.clusterInfo?.clusterID;
  return id === undefined ? [] : [id];
}

function ownersOf({ metadata }: Secret): ObjectKey[] {
  const [namespace, name] = (metadata.annotations?.[OWNER_ANNOTATION] ?? '').split('/');
  return namespace === undefined || name === undefined || name === '' ? [] : [{ namespace, name }];
}
