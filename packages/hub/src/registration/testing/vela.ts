import type { Client } from '@flotilla/client';
import { Applications } from '../applications/kinds.ts';
import { installKind, type VelaVersion } from '../applications/testing/vela-hub.ts';
import { ResourceTrackers } from '../resource-trackers/kinds.ts';

/** Gives a hub the kinds of a KubeVela. */
export async function installVela(client: Client, version: VelaVersion = '1.11'): Promise<void> {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const restart =
    version === '1.11'
      ? { workflowRestartScheduledAt: { type: 'string', format: 'date-time' } }
      : {};
  await installKind(client, Applications, {
    spec: anything,
    status: { ...anything, properties: { status: { type: 'string' }, ...restart } },
  });
  await installKind(client, ResourceTrackers, { spec: anything });
}
