import { type Client, type ConfigMap, ConfigMaps } from '@flotilla/client';

/** Where the ConfigMaps of a test are. */
export const keyOf = (name: string) => ({ namespace: 'default', name });

/** Creates one. */
export function createMap(client: Client, name: string, metadata: object = {}): Promise<ConfigMap> {
  return client.create<ConfigMap>(ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...keyOf(name), ...metadata },
    data: { name },
  });
}

/** Gives one a label. */
export async function paintMap(client: Client, name: string, color: string): Promise<void> {
  const body = { metadata: { labels: { color } } };
  await client.patch(ConfigMaps, keyOf(name), { type: 'merge', body });
}

/** All there are, as the server has them. */
export async function listMaps(client: Client): Promise<ConfigMap[]> {
  const { items } = await client.list(ConfigMaps);
  return items;
}
