import { ClusterRegistrations } from '@flotilla/api';
import { Namespaces, Secrets } from '@flotilla/client';
import { defineKind, type Kind, type KubeObject, systemClock } from '@flotilla/machinery';
import { startServer } from '@flotilla/testkit';
import { mountGateway } from '../../../gateway/mount-gateway.ts';
import { base64, GATEWAY_NAMESPACE } from '../../testing/builders.ts';
import type { TestMember } from '../../testing/member.ts';
import { type StartServer, startHub, type TestHub } from '../../testing/world.ts';
import { objectsOf } from './samples.ts';

/** Where the gateway serves its clusters. */
export const GATEWAYS = '/apis/cluster.core.oam.dev/v1alpha1/clustergateways';

/** External Secrets' own kind. */
export const ExternalSecrets = defineKind<KubeObject>({
  group: 'external-secrets.io',
  version: 'v1',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  namespaced: true,
});

const KINDS: Readonly<Record<string, Kind<KubeObject>>> = {
  Secret: Secrets as Kind<KubeObject>,
  ClusterRegistration: ClusterRegistrations as unknown as Kind<KubeObject>,
  ExternalSecret: ExternalSecrets,
};

/** A server for {@link startSeedHub} that has a gateway of ours. */
export const startWithGateway: StartServer = () =>
  startServer({ mounts: [mountGateway({ namespace: GATEWAY_NAMESPACE, clock: systemClock })] });

/** A hub whose controllers work. */
export async function startSeedHub(start: StartServer): Promise<TestHub> {
  const hub = await startHub(start);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: GATEWAY_NAMESPACE } };
  await hub.client.apply(Namespaces, namespace, { fieldManager: 'test' });
  hub.start();
  return hub;
}

/** Does what `kubectl create -f` does with a manifest, and gives the objects as the hub took them. */
export async function applyText(hub: TestHub, text: string): Promise<KubeObject[]> {
  const made: KubeObject[] = [];
  for (const object of objectsOf(text)) {
    const kind = KINDS[object.kind ?? ''];
    if (kind === undefined)
      throw new Error(`Cannot apply a ${object.kind}: it is no kind of a sample`);
    made.push(await hub.client.create(kind, object));
  }
  return made;
}

/** What a member has that stands for the placeholders of a sample. */
export function bytesOf(member: TestMember, token = 'admin') {
  return {
    endpoint: member.access.server,
    ca: base64(member.access.tls.ca ?? ''),
    token: base64(token),
  };
}

/** Asks a member through the gateway. */
export function askThrough(hub: TestHub, cluster: string, path = '/version'): Promise<unknown> {
  return hub.client.raw({ path: `${GATEWAYS}/${cluster}/proxy${path}` });
}
