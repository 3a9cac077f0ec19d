import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Client, type Secret, Secrets } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import type { Io } from '../io.ts';
import type { HubSession } from './hub-session.ts';
import { JOINED_LABEL, owned } from './join-objects.ts';

const FIELD_MANAGER = 'flotilla-cli';

/** Writes the source, then what refers to it; a source that nothing refers to is taken back. */
export async function writeJoin(
  { client, io }: HubSession,
  {
    secret,
    registration,
    dryRun,
  }: {
    readonly secret: Secret;
    readonly registration: ClusterRegistration;
    readonly dryRun: boolean;
  },
): Promise<ClusterRegistration> {
  const options = { fieldManager: FIELD_MANAGER, force: true, dryRun, signal: io.signal };
  const before = await currentSecret(client, secret, io.signal);
  if (before !== undefined && before.metadata.labels?.[JOINED_LABEL] === undefined) {
    throw new Error(
      `Cannot keep the kubeconfig in secret "${secret.metadata.namespace ?? ''}/${secret.metadata.name ?? ''}": it exists and is not from a join; delete it, or choose another --name`,
    );
  }
  const source = await client.apply(Secrets, secret, options);
  let written: ClusterRegistration;
  try {
    written = await client.apply(ClusterRegistrations, registration, options);
  } catch (error) {
    if (before === undefined && !dryRun) await takeBack(client, source, io);
    throw error;
  }
  if (!dryRun) await client.apply(Secrets, owned(secret, written), options);
  return written;
}

async function currentSecret(
  client: Client,
  { metadata }: Secret,
  signal: AbortSignal,
): Promise<Secret | undefined> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
  try {
    return await client.get(Secrets, key, { signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function takeBack(client: Client, source: Secret, io: Io): Promise<void> {
  const { namespace = '', name = '', uid } = source.metadata;
  try {
    await client.delete(
      Secrets,
      { namespace, name },
      {
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      },
    );
  } catch (error) {
    io.err(
      `Cannot delete secret "${namespace}/${name}" again: ${error instanceof Error ? error.message : String(error)}; it holds the kubeconfig, delete it by hand\n`,
    );
  }
}
