import { ALIAS_ANNOTATION } from '@flotilla/hub';
import { changeCluster } from './change-cluster.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';

/** Gives a cluster a name for people; an empty one takes it away. */
export async function alias(
  hub: HubSession,
  { name, text }: { readonly name: string; readonly text: string },
): Promise<number> {
  const { io } = hub;
  const cluster = await requireCluster(hub, name);
  if (cluster.source === 'hub') {
    throw new Error(
      `Cannot alias cluster "${name}": cluster type Internal do not support alias now`,
    );
  }
  const value = text === '' ? null : text;
  await changeCluster(hub, cluster, {
    registration: { spec: { alias: value } },
    metadata: { annotations: { [ALIAS_ANNOTATION]: value } },
  });
  io.out(`Alias cluster ${name} as ${text}.\n`);
  return 0;
}
