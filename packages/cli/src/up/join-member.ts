import {
  type ClusterRegistration,
  type ClusterRegistrationSpecInput,
  ClusterRegistrations,
} from '@flotilla/api';
import { type AdminAccess, adminKubeconfig } from '@flotilla/apiserver';
import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  Namespaces,
  type Secret,
  Secrets,
} from '@flotilla/client';
import {
  apiVersionOf,
  isAlreadyExists,
  isNotFound,
  type Kind,
  type KubeObject,
} from '@flotilla/machinery';
import type { FleetMember } from './fleet-member.ts';

const FIELD_MANAGER = 'flotilla-up';
/** Which members were joined once. One that is in it and has no registration was taken out by a user. */
const MEMORY = 'flotilla-fleet';

/** What came of joining. */
export type Joining = 'joined' | 'known' | 'removed';

/** Where and what to join. */
export interface JoinOptions {
  readonly hub: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * Joins a member through a ClusterRegistration, as a user would, unless that was done before: then only the way to it is
 * brought up to date. Whatever is killed in between is done again at the next start.
 */
export async function joinMember(
  { hub, namespace, signal }: JoinOptions,
  member: FleetMember,
  access: AdminAccess,
): Promise<Joining> {
  const key = { namespace, name: member.name };
  const registration = await find(hub, { kind: ClusterRegistrations, ...key }, signal);
  const memory = await find<ConfigMap>(hub, { kind: ConfigMaps, namespace, name: MEMORY }, signal);
  const isKnown = memory?.data?.[member.name] !== undefined;
  if (isKnown && registration === undefined) return 'removed';
  if (registration !== undefined && !readsSecret(registration, member)) return 'known';

  await ensureNamespace({ hub, namespace, signal });
  await hub.apply(Secrets, secretOf(member, { namespace, access }), {
    fieldManager: FIELD_MANAGER,
    force: true,
    signal,
  });
  if (registration === undefined) {
    await create(
      hub,
      { kind: ClusterRegistrations, object: registrationOf(member, namespace) },
      signal,
    );
  }
  if (isKnown) return 'known';
  const note: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: MEMORY },
    data: { [member.name]: 'joined' },
  };
  // A manager of its own each, so that what one applies does not take away what another did.
  const fieldManager = `${FIELD_MANAGER}-${member.name}`;
  await hub.apply(ConfigMaps, note, { fieldManager, force: true, signal });
  return registration === undefined ? 'joined' : 'known';
}

/** The controllers make it as well, at the same time perhaps. */
async function ensureNamespace({ hub, namespace, signal }: JoinOptions): Promise<void> {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await create(hub, { kind: Namespaces, object }, signal);
}

/** Users may have registered it anew, with a credential of their own. */
function readsSecret({ spec }: ClusterRegistration, member: FleetMember): boolean {
  return spec.credentialSource.secretRef?.name === secretName(member);
}

function secretName({ name }: FleetMember): string {
  return `${name}-kubeconfig`;
}

function secretOf(
  member: FleetMember,
  { namespace, access }: { namespace: string; access: AdminAccess },
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: secretName(member) },
    type: 'Opaque',
    data: { kubeconfig: Buffer.from(adminKubeconfig([access])).toString('base64') },
  };
}

function registrationOf(member: FleetMember, namespace: string): ClusterRegistration {
  const spec: ClusterRegistrationSpecInput = {
    alias: `Simulated cluster in ${member.region}`,
    credentialSource: { secretRef: { name: secretName(member) } },
    labels: { region: member.region, environment: member.environment },
  };
  return {
    apiVersion: apiVersionOf(ClusterRegistrations),
    kind: ClusterRegistrations.kind,
    metadata: { namespace, name: member.name },
    // The server fills in the rest.
    spec: spec as ClusterRegistration['spec'],
  };
}

async function create<T extends KubeObject>(
  hub: Client,
  { kind, object }: { kind: Kind<T>; object: T },
  signal: AbortSignal,
): Promise<void> {
  try {
    await hub.create(kind, object, { fieldManager: FIELD_MANAGER, signal });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function find<T extends KubeObject>(
  hub: Client,
  { kind, namespace, name }: { kind: Kind<T>; namespace: string; name: string },
  signal: AbortSignal,
): Promise<T | undefined> {
  try {
    return await hub.get(kind, { namespace, name }, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
