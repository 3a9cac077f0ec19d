import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { loadKubeconfig, Secrets } from '@flotilla/client';
import { REQUESTED_AT_ANNOTATION } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import { UsageError } from '../usage-error.ts';
import { keyOf } from './change-cluster.ts';
import type { HubSession } from './hub-session.ts';
import { memberKubeconfig } from './member-kubeconfig.ts';
import { requireCluster } from './require-cluster.ts';
import { stateOf, waitFor } from './wait-for.ts';

/** What `rotate` is told. */
export interface RotateOptions {
  readonly name: string;
  /** A kubeconfig with the new credential; without one, the source is read again. */
  readonly file?: string;
  readonly memberContext?: string;
  readonly timeoutMs: number;
}

/** Replaces the credential of a member. */
export async function rotate(hub: HubSession, options: RotateOptions): Promise<number> {
  const { io } = hub;
  const { name, file } = options;
  const { registration } = await requireCluster(hub, name);
  if (registration === undefined) {
    throw new UsageError(
      `Cannot rotate the credential of cluster "${name}": it has no registration; flotilla cluster convert ${name} makes one`,
    );
  }
  if (file !== undefined) await replaceSource(hub, registration, { ...options, file });
  const before = registration.status?.credential?.revision;
  const request = new Date(systemClock.now()).toISOString();
  await hub.client.patch(ClusterRegistrations, keyOf(registration), {
    type: 'merge',
    fieldManager: 'flotilla-cli',
    signal: io.signal,
    body: { metadata: { annotations: { [REQUESTED_AT_ANNOTATION]: request } } },
  });
  return await report(hub, { ...options, registration, before, request });
}

async function report(
  hub: HubSession,
  {
    name,
    timeoutMs,
    registration,
    before,
    request,
  }: RotateOptions & {
    readonly registration: ClusterRegistration;
    readonly before: string | undefined;
    readonly request: string;
  },
): Promise<number> {
  const { io } = hub;
  const settled = await waitFor(hub.client, keyOf(registration), {
    isDone: (each) => each === undefined || each.status?.lastHandledRequest === request,
    timeoutMs,
    signal: io.signal,
  });
  const revision = settled?.status?.credential?.revision;
  if (revision !== undefined && revision !== before) {
    io.out(`Rotated the credential of cluster ${name} (revision ${revision}).\n`);
    return 0;
  }
  if (settled?.status?.phase === 'Ready') {
    io.out(`The source of cluster ${name} has no other credential (revision ${before ?? '-'}).\n`);
    return 0;
  }
  io.err(
    `Cannot rotate the credential of cluster "${name}": ${stateOf(settled)}\nThe old credential stays in use\n`,
  );
  return 1;
}

async function replaceSource(
  hub: HubSession,
  registration: ClusterRegistration,
  { name, file, memberContext }: RotateOptions & { readonly file: string },
): Promise<void> {
  const { io } = hub;
  const { secretRef } = registration.spec.credentialSource;
  if (secretRef === undefined) {
    throw new UsageError(
      `Cannot rotate cluster "${name}" with a file: its credential does not come from a kubeconfig in a Secret; change it where it comes from`,
    );
  }
  const kubeconfig = await loadKubeconfig({ env: io.env, home: io.homeFolder, path: file });
  const { text } = await memberKubeconfig(kubeconfig, { context: memberContext });
  if (secretRef.context !== undefined) {
    io.err(
      `Note: the registration reads context "${secretRef.context}" of its kubeconfig; the new one must have it\n`,
    );
  }
  await hub.client.patch(
    Secrets,
    {
      namespace: secretRef.namespace ?? registration.metadata.namespace ?? '',
      name: secretRef.name,
    },
    {
      type: 'merge',
      fieldManager: 'flotilla-cli',
      signal: io.signal,
      body: { data: { [secretRef.key]: Buffer.from(text).toString('base64') } },
    },
  );
}
