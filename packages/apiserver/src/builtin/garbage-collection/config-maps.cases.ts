import assert from 'node:assert/strict';
import type { OwnerReference } from '@flotilla/machinery';
import type { TestServer } from '../../testing/start-in-memory.ts';

/** Where they are made unless told otherwise. */
export const MAPS = '/api/v1/namespaces/default/configmaps';

/** What is particular about one. */
export interface Made {
  readonly owners?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
}

/** A ConfigMap, and the reference by which others name it as their owner. */
export async function make(
  server: TestServer,
  name: string,
  made: Made = {},
): Promise<OwnerReference> {
  const { owners, finalizers, labels, namespace = 'default' } = made;
  const answer = await server.send(`POST /api/v1/namespaces/${namespace}/configmaps`, {
    body: { metadata: { name, ownerReferences: owners, finalizers, labels } },
  });
  assert.equal(answer.status, 201, answer.text());
  return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: answer.json().metadata.uid };
}

/** The names of all ConfigMaps that tests made. */
export async function names(server: TestServer, namespace = 'default'): Promise<string[]> {
  const items = await list(server, `/api/v1/namespaces/${namespace}/configmaps`);
  return items
    .map(({ metadata }) => metadata.name as string)
    .filter((name) => name !== 'kube-root-ca.crt');
}

/** The items of a list. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every shape
export async function list(server: TestServer, path: string): Promise<any[]> {
  return JSON.parse(String(await (await server.send(`GET ${path}`)).whole())).items;
}
